import pytest

from loreweave.contracts.skill_graph import PageSettings
from loreweave.knowledge.documents.page_record import record_page


def terms(text: str, path: str = "page.md") -> list[tuple[str, tuple[str, ...], str]]:
    page = record_page(path, text, PageSettings())
    return [(found.term, found.aliases, found.definition) for found in page.glossary]


@pytest.mark.holds("ask.glossary.initials")
@pytest.mark.parametrize(
    ("text", "term", "alias"),
    [
        ("The Write Ahead Log (WAL) keeps changes.", "Write Ahead Log", "WAL"),
        ("It streams server-sent events (SSE) to you.", "server-sent events", "SSE"),
        ("In JavaScript Object Notation (JSON) it is.", "JavaScript Object Notation", "JSON"),
        ("A **Software as a Service** (SaaS) offer.", "Software as a Service", "SaaS"),
    ],
)
def test_initials_that_agree_name_a_term(text: str, term: str, alias: str) -> None:
    sentence = text.replace("*", "")
    assert terms(f"Before it. {text} After it.") == [(term, (alias,), sentence)]


@pytest.mark.holds("ask.glossary.initials")
@pytest.mark.parametrize("text", ["Some words here (WAL).", "Log. Ahead (LA)", "`Write Ahead Log` (see WAL)", "(WAL)"])
def test_initials_that_do_not_agree_name_none(text: str) -> None:
    assert terms(text) == []


@pytest.mark.holds("ask.glossary.definition-lists")
def test_definition_lists_define() -> None:
    assert terms("Digest (DG, dig)\n: One file. It is committed.\n\nOther\n: Words\n") == [
        ("Digest", ("DG", "dig"), "One file."),
        ("Other", (), "Words"),
    ]


@pytest.mark.holds("ask.glossary.bold")
@pytest.mark.parametrize(
    ("text", "definition"),
    [
        ("**Chunk** is a piece of text, e.g. this. More.", "Chunk is a piece of text, e.g. this."),
        ("- **Chunk**: a piece. More.", "a piece."),
        ("- **Chunk** — a piece.", "a piece."),
        ("1. **Chunk** - a piece.", "a piece."),
        ("**Chunk:** a piece. More.", "a piece."),
        ("**Chunk** are pieces!", "Chunk are pieces!"),
    ],
)
def test_bold_words_that_open_a_paragraph_or_item_are_terms(text: str, definition: str) -> None:
    assert terms(text) == [("Chunk", (), definition)]


@pytest.mark.holds("ask.glossary.bold")
@pytest.mark.parametrize(
    "text", ["A **Chunk** is a piece.", "**Chunk** goes on.", "**Chunk**-like things", "**Chunk**"]
)
def test_bold_words_elsewhere_are_none(text: str) -> None:
    assert terms(text) == []


@pytest.mark.holds("ask.glossary.headings")
def test_a_section_that_begins_with_its_heading_defines_it() -> None:
    text = "## Digest (DG)\n\nA digest is a file. More.\n\n## Nodes\n\nNodes are the points.\n\n## Edge\n\nEdges join."
    assert terms(text) == [("Digest", ("DG",), "A digest is a file."), ("Nodes", (), "Nodes are the points.")]


@pytest.mark.holds("ask.glossary.page")
@pytest.mark.parametrize("path", ["docs/glossary.md", "glossary/index.mdx", "Glossary.markdown"])
def test_each_heading_of_a_glossary_is_a_term(path: str) -> None:
    text = (
        "# Words\n\nIntroduction.\n\n## A\n\n#### Alpha (al)\n\nThe first. Second.\n\n## Beta\n\nThe next\n\n## Empty\n"
    )
    assert terms(text, path) == [("Alpha", ("al",), "The first."), ("Beta", (), "The next")]


@pytest.mark.holds("ask.glossary.folder")
def test_a_page_of_a_glossary_folder_is_a_term() -> None:
    text = "---\ntitle: Pod\naka:\n- Whale\n---\n\n The smallest object. It runs containers.\n"
    assert terms(text, "reference/glossary/pod.md") == [("Pod", ("Whale",), "The smallest object.")]
    assert terms(text, "reference/glossary/_index.md") == terms(text, "reference/pod.md") == []


@pytest.mark.holds("ask.glossary.worth-showing")
@pytest.mark.parametrize(
    "text",
    [
        *("Depth\n: Optional.\n", "Depth\n: Required, integer\n", "**Depth**: Defaults to false."),
        *("`--depth`\n: How deep to go.\n", "/etc/lore\n: Where the settings are.\n", "limits: memory\n: The most.\n"),
        *("**Orphan check**: are any notes disconnected?", '**Rate**: "We complete most of them."'),
        *("**Request**: first → second", "**By the needs of those who read it**: as they like it."),
    ],
)
def test_flags_and_words_that_define_nothing_are_no_terms(text: str) -> None:
    assert terms(text) == []


@pytest.mark.holds("ask.glossary.used-aliases")
def test_brackets_behind_bold_words_name_an_alias_where_the_page_uses_it_or_lists_names() -> None:
    assert terms("**Reflect (forward)**: connect what is new.") == [("Reflect", (), "connect what is new.")]
    assert terms("**Reflect (mirror)**: connect it. A mirror is used.")[0][1] == ("mirror",)
    assert terms("**Write Ahead Log (WAL)**: keeps changes.")[0][1] == ("WAL",)
    assert terms("**Term (Other, OT)**: is known by three names.")[0][1] == ("Other", "OT")
    assert terms("**Term** (Other, OT): is known by three names.")[0][1] == ("Other", "OT")
    assert terms("**Budgets (beta, Fable)**: keep within limits.")[0][1] == ()
    assert terms("**Details (GA, Opus 4.7+)**: tell more of it.")[0][1] == ()
    assert terms("strict (GA, visible by default)\n: Keeps them away.\n")[0][1] == ()


@pytest.mark.holds("ask.glossary.filler")
@pytest.mark.parametrize(
    "text",
    [
        "## This\n\nThis is a page.",
        "**Note:** take care.",
        "**It** is a thing.",
        "- **Warning**: hot",
        "**How it works** - so",
    ],
)
def test_pronouns_and_filler_are_no_terms(text: str) -> None:
    assert terms(text) == []


@pytest.mark.holds("ask.glossary.no-steps")
@pytest.mark.parametrize(
    "text",
    [
        *(
            "1. **Click the button**: a window opens.",
            "1. **Step 1**: install the tool.",
            "- **Step 2:** run it.",
        ),
        *("- **Install the package** - with your installer.", "- **Create a project**: it takes a minute."),
        *(
            "- **Option A**: leave it alone.",
            "- **Set up the server** - as root.",
            "- **Make sure**: look twice.",
        ),
        *("- **Fast**: it takes no time.", "- **Fast to code**: write less of it.", "- **Fewer bugs**: about half."),
        *("- **Documentation**: https://docs.example/start", "**Validate data**: coming from each request."),
        *("- **Features** - the tool includes the following:", "**Toolbox** is already in use.", "**Ports**: 80"),
        *("**Toolbox** is not a framework.", "**Spoiler alert**: it works well."),
    ],
)
def test_steps_praise_and_lists_to_come_are_no_terms(text: str) -> None:
    assert terms(text) == []


@pytest.mark.holds("ask.glossary.no-steps", "ask.glossary.bold")
@pytest.mark.parametrize(
    "term",
    [
        *(
            "Pull request",
            "Set theory",
            "Call stack",
            "Open source",
            "Fast path",
            "Safe mode",
            "Build step",
            "Test client",
        ),
        *("Make", "Go", "Click", "Idempotent", "Backoff", "Case sensitivity", "Write-ahead log", "Chunk (piece)"),
    ],
)
def test_names_that_begin_like_a_step_are_terms(term: str) -> None:
    for text in (f"- **{term}**: safe to repeat.", f"**{term}** is a word for it."):
        assert [found[0] for found in terms(text)] == [term.removesuffix(" (piece)")]


@pytest.mark.holds("ask.glossary.initials")
def test_findings_stand_in_their_section() -> None:
    page = record_page("p.md", "lead\n\n## S\n\n**Term** is a word.\n", PageSettings())
    assert [found.section for found in page.glossary] == [1]
