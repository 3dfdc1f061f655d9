"""The count is held against two public tokenizers that share no code with it."""

import base64
import hashlib
import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rs_bpe.bpe import openai
from tests.examples import examples
from tests.pace import PART, within

from loreweave.language.tokens import TABLES, count_tokens

O200K, CL100K = openai.o200k_base(), openai.cl100k_base()

ENGLISH = """When the thought is accurate, arguing with it only teaches the client
that you were not listening.
Start with what the situation asks for. Some problems can be solved, and then solving them is the
work. Others have to be carried for a while, and the question becomes who helps to carry them. Write
down what happened, what went through your mind, and how strongly you believed it, and look at the
page again the next morning. Most people find that the first sentence was harder than all of the
rest. It's fine to stop after ten minutes; the habit matters more than the length. If a week goes by
without a note, do not catch up. Begin again with today."""

LANGUAGES = {
    "english": ENGLISH,
    "german": (
        "Wenn der Gedanke zutrifft, hilft kein Widerspruch. Größere Donaudampfschifffahrtsgesellschaften prüfen."
    ),
    "french": ("Quand la pensée est juste, il ne sert à rien de la contredire ; l'élève l'a déjà compris, bien sûr."),
    "spanish": "¿Cuándo empezó el niño a soñar? Mañana habrá más información sobre la acción del corazón.",
    "portuguese": ("A avaliação não é uma punição; é uma oportunidade de começar de novo, com calma e atenção."),
    "italian": "Perché la città è più bella di sera? Così dicono tutti quelli che ci abitano già da anni.",
    "dutch": "Het vrijwilligerswerk begint morgenochtend, tenzij de ijsbaan onverwachts gesloten blijft.",
    "swedish": "Överåskådliga förändringar på sjön gör att båtarna måste ligga kvar i hamnen tills vidare.",
    "finnish": "Epäjärjestelmällistyttämättömyydellänsäkään hän ei päässyt ymmärtämään kysymystä.",
    "polish": "Zażółć gęślą jaźń, a potem przemyśl jeszcze raz, dlaczego źdźbło trawy drży na wietrze.",
    "czech": "Příliš žluťoučký kůň úpěl ďábelské ódy, zatímco děti čekaly na večeři u řeky.",
    "hungarian": "Árvíztűrő tükörfúrógép mellett legkáposztásíthatatlanságoskodásaitokért felelünk.",
    "turkish": "Çekoslovakyalılaştıramadıklarımızdan mısınız? Şu köşe yaz köşesi, şu köşe kış köşesi.",
    "vietnamese": "Khi suy nghĩ là đúng, tranh luận chỉ làm người ta thấy rằng bạn không lắng nghe.",
    "russian": "Когда мысль верна, спорить с ней бесполезно: человек лишь убеждается, что его не слышат.",
    "greek": "Όταν η σκέψη είναι σωστή, η αντίρρηση δεν βοηθά· ο άνθρωπος νιώθει ότι δεν τον ακούν.",
    "hebrew": "כאשר המחשבה מדויקת, הוויכוח איתה רק מלמד את האדם שלא הקשבת לו באמת.",
    "arabic": "عندما تكون الفكرة صحيحة فإن الجدال معها يعلّم الشخص أنك لم تكن تصغي إليه.",
    "hindi": "जब विचार सही हो, तो उससे बहस करना केवल यह सिखाता है कि आप सुन नहीं रहे थे।",
    "thai": "เมื่อความคิดนั้นถูกต้อง การโต้แย้งมีแต่จะทำให้เขารู้สึกว่าคุณไม่ได้ฟัง",
    "georgian": "როცა აზრი სწორია, კამათი მხოლოდ იმას ასწავლის, რომ არ უსმენდი.",
    "amharic": "ሐሳቡ ትክክል ሲሆን መከራከር ሰውየው እንዳልሰማኸው ብቻ ያስተምረዋል።",
    "chinese": "当这个想法是准确的,争辩只会让来访者觉得你没有在听。龘靐齉爩鱻麤籲。",
    "japanese": "その考えが正しいとき、反論しても「聞いてもらえなかった」と感じさせるだけです。",
    "korean": "그 생각이 정확할 때 반박하면 상대는 당신이 듣지 않았다고 느낄 뿐입니다. 뷁쀍",
}

KEY = hashlib.sha512(b"seed").digest() * 8
OTHER = {
    "python": (
        "def get_element_by_id(self, xQz: dict[str, int]) -> None:\n\treturn {k: v**2 for k, v in xQz.items()}\n"
    ),
    "javascript": ("const fetchAllUsers = async ({limit=10}) => (await axios.get(`/api/v2/users?l=${limit}`)).data;\n"),
    "rust": ("impl<'a, T: Clone + 'a> Iterator for Chunks<'a, T> { fn next(&mut self) -> Option<&'a [T]> { None } }"),
    "c": ("#define MAX(a,b) ((a)>(b)?(a):(b))\nstatic inline uint32_t rotl32(uint32_t x){return x<<7|x>>25;}\n"),
    "sql": ("SELECT u.id, COUNT(*) AS n FROM users u LEFT JOIN orders o USING(user_id) GROUP BY 1 HAVING n>=3;"),
    "table": "| a | bb | ccc |\n|:--|---:|-----|\n| 1 | 2.5 | x\\|y |\n|||\n",
    "urls": "https://example.org/a/b?q=%E6%97%A5&utm_source=xX9zQ#frag-12 ftp://user@host:21/~x/_y.tar.gz",
    "base64": base64.b64encode(KEY).decode(),
    "hex": KEY.hex() + " 0xDEADBEEFCAFEBABE 550e8400-e29b-41d4-a716-446655440000",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇩🇪 ✅ ☃️ 🧑🏿‍🚀🫠",
    "mixed case": "iPhone eBay McDonald XMLHttpRequest sPoNgEbOb aBcDeFgHiJkLmNoP qXzJvKwQ",
    "capitals": "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG AND SOME ACRONYMS LIKE HTTPS YAML XQZJK",
    "rare letters": "xjq zqx vvkq jqxz qqqq wvzx bq fj gq",
    "numbers": "1 2 3 4 55 666 7777 3.14159265 2024-01-01T12:30:45Z 1,000,000 ½ ² Ⅷ ٣",
    "blanks": "breakout\tdaughter a"
    + " " * 17
    + "b"
    + " " * 200
    + "\t\t\tc \n \n\n  \t d\u00a0e\u3000f\u2028g\x0b\x0c ",
    "rules": "---\n-----------\n=====\n***\n* * *\n~~~~~~~~\n####### x\n_____________\n||||||||||\n",
    "controls": "".join(map(chr, range(32))) + " \x01 \x7f \x1b[0m",
    "combining": "e\u0301\u0302\u0303 Z\u0351\u036b\u0343\u036a \u200d\u200b\ufeff\u2060",
    "private use": "\ue000\uf8ff\U000f0000\U0010fffd",
    "astral letters": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐍈𐌰 𒀀𒁀 𠜎𠜱",
    "contractions": (
        "don't won't I'm they'll we've 'string' 'data' 'retrieval' 'll 'S it'S Wag'Declare "
        "Shower'Responses L'été o'clock"
    ),
    "json": json.dumps({"aKey": [1, None, {"b": "ç\\n"}], "x" * 30: -1.5e-7}),
    "latin extended": "ȺȻȼ ƪƺǂ ʘʬʭ ǄǅǆŊŋ Ħħ ŁłŻż",
}


def truth(text: str) -> int:
    return max(O200K.count(text), CL100K.count(text))


@pytest.mark.holds("graph.tokens.never-below", "graph.tokens.scripts")
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_is_counted_below_a_tokenizer(language: str) -> None:
    text = LANGUAGES[language]
    for piece in (text, text.upper(), *text.split(), *text.splitlines()):
        assert count_tokens(piece) >= truth(piece), piece


@pytest.mark.holds("graph.tokens.never-below", "graph.tokens.unbroken-runs", "graph.tokens.marks")
@pytest.mark.parametrize("kind", OTHER)
def test_no_other_text_is_counted_below_a_tokenizer(kind: str) -> None:
    text = OTHER[kind]
    for piece in (text, text * 40, *text.split(" ")):
        assert count_tokens(piece) >= truth(piece), piece


@pytest.mark.holds("graph.tokens.plain-english")
def test_plain_english_is_counted_close_to_the_truth() -> None:
    assert truth(ENGLISH) <= count_tokens(ENGLISH) < 1.6 * O200K.count(ENGLISH)


@pytest.mark.holds("graph.tokens.letters")
def test_every_listed_word_is_one_token_where_the_list_says_so() -> None:
    words = TABLES().words
    assert len(words) > 2000
    wrong = [word for word, elsewhere in words.items() if truth(" " + word) != 1 or truth(word) > elsewhere]
    assert wrong == []


@pytest.mark.holds("graph.tokens.marks", "graph.tokens.rounded-up")
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("the", 1),
        ("the house", 2),
        ("the\nhouse", 3),
        ("1234", 4),
        ("a 1", 3),
        ("  ", 2),
        ("é", 1),
        ("я", 2),
    ],
)
def test_small_texts_cost_what_the_rule_says(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@pytest.mark.holds("graph.tokens.never-below")
@settings(max_examples=examples(400), deadline=None)
@given(st.text())
def test_no_text_at_all_is_counted_below_a_tokenizer(text: str) -> None:
    assert count_tokens(text) >= truth(text)


@pytest.mark.holds("graph.tokens.never-below")
@settings(max_examples=examples(400), deadline=None)
@given(st.text(alphabet=string.printable + "'’—é", max_size=60))
def test_no_ascii_text_is_counted_below_a_tokenizer(text: str) -> None:
    assert count_tokens(text) >= truth(text)


@pytest.mark.holds("graph.tokens.never-below")
@settings(max_examples=examples(200), deadline=None)
@given(st.binary(max_size=200))
def test_no_random_bytes_are_counted_below_a_tokenizer(data: bytes) -> None:
    text = data.decode("latin-1")
    assert count_tokens(text) >= truth(text)


@pytest.mark.holds("graph.tokens.never-below")
@settings(max_examples=examples(300), deadline=None)
@given(st.data())
def test_no_mixture_of_words_is_counted_below_a_tokenizer(data: st.DataObject) -> None:
    words = st.sampled_from(sorted(TABLES().words))
    joints = st.sampled_from(
        [
            "",
            " ",
            "\n",
            "  ",
            "\t",
            "-",
            "_",
            ".",
            "'",
            "'s ",
            "](",
            " [[",
            "]], ",
            "\u00a0",
            "1",
            "'S",
            " \x1b",
        ]
    )
    text = "".join(data.draw(st.lists(st.one_of(words, joints), max_size=12)))
    assert count_tokens(text) >= truth(text)


@pytest.mark.holds("graph.tokens.never-below", "graph.tokens.marks")
@pytest.mark.parametrize("unit", ["they'vE ", "“'rE\n", "'ſ\n", "it'ſ ", "x'LL\n", "•'Ve ", "'lL"])
def test_no_contraction_in_mixed_case_is_counted_below_a_tokenizer(unit: str) -> None:
    for repeats in (1, 100, 300):
        assert count_tokens(unit * repeats) >= truth(unit * repeats)


CONTRACTIONS = st.builds(
    "{}'{}{}".format,
    st.sampled_from(["they", "I", "XML", "“", "’", "•", "e\u0301", "\u0301", "é", "1", ")", "", " "]),
    st.sampled_from(["s", "d", "m", "t", "ll", "ve", "re", "ſ"]).flatmap(
        lambda ending: st.tuples(*(st.sampled_from([one, one.upper()]) for one in ending)).map("".join)
    ),
    st.sampled_from([" ", "\n", "", "x", "X", "é", "\u0301", "'", "”", "1"]),
)


@pytest.mark.holds("graph.tokens.never-below")
@settings(max_examples=examples(400), deadline=None)
@given(st.lists(CONTRACTIONS, min_size=1, max_size=4), st.integers(1, 60))
def test_no_mixture_of_contractions_is_counted_below_a_tokenizer(parts: list[str], repeats: int) -> None:
    text = "".join(parts) * repeats
    assert count_tokens(text) >= truth(text)


@pytest.mark.holds("graph.tokens.linear")
def test_half_a_megabyte_of_prose_is_counted_in_a_moment() -> None:
    text = ENGLISH * (500_000 // len(ENGLISH))
    count_tokens(text)
    within(0.5, lambda: count_tokens(text))


@pytest.mark.lengthy(4)
@pytest.mark.holds("graph.tokens.linear")
@pytest.mark.parametrize("unit", ["a", "A", "aB", "(", "1", " ", "\t", "\n", "é", "漢", "a'", "'s", "- ", "`a"])
def test_a_megabyte_of_anything_is_counted_within_a_second(unit: str) -> None:
    text = unit * (1_000_000 // PART // len(unit))
    within(2 / PART, lambda: count_tokens(text))
