"""Other search engines on the same sections and questions. Runs by itself, with the Python the peers live in.

Reads {"sections": [{"heading", "title", "text"}], "questions": [...]} from standard input; prints, for each peer
that is installed, or for those named as arguments, the ten best sections of every question and how long they took.
"""

import contextlib
import json
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator

BEST = 10
Search = Callable[[str], list[int]]
WORD = re.compile(r"\w+")


def tantivy_search(sections: list[dict[str, str]]) -> Search:
    import tantivy

    schema = tantivy.SchemaBuilder()
    for field in ("heading", "title", "text"):
        schema.add_text_field(field, tokenizer_name="en_stem")
    schema.add_integer_field("place", stored=True)
    index = tantivy.Index(schema.build())
    writer = index.writer()
    for place, section in enumerate(sections):
        writer.add_document(tantivy.Document(place=place, **section))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(question: str) -> list[int]:
        words = " ".join(WORD.findall(question))
        boosts = {"heading": 3.0, "title": 2.0, "text": 1.0}
        query, _ = index.parse_query_lenient(words.lower(), ["heading", "title", "text"], field_boosts=boosts)
        return [searcher.doc(place)["place"][0] for _, place in searcher.search(query, BEST).hits]

    return search


def bm25s_search(sections: list[dict[str, str]]) -> Search:
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    texts = [" ".join(section.values()) for section in sections]
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False)

    def search(question: str) -> list[int]:
        words = bm25s.tokenize([question], stopwords="en", stemmer=stemmer, show_progress=False)
        found, scores = index.retrieve(words, k=BEST, show_progress=False)
        return [int(place) for place, score in zip(found[0], scores[0], strict=True) if score > 0]

    return search


def fts5_search(sections: list[dict[str, str]]) -> Search:
    table = sqlite3.connect(":memory:")
    table.execute("create virtual table sections using fts5(heading, title, text, tokenize = 'porter unicode61')")
    rows = [(place, *section.values()) for place, section in enumerate(sections)]
    table.executemany("insert into sections (rowid, heading, title, text) values (?, ?, ?, ?)", rows)
    ranked = f"select rowid from sections where sections match ? order by bm25(sections, 3, 2, 1) limit {BEST}"

    def search(question: str) -> list[int]:
        words = " OR ".join(f'"{word}"' for word in WORD.findall(question))
        return [row[0] for row in table.execute(ranked, (words,))] if words else []

    return search


PEERS = {"tantivy": tantivy_search, "bm25s": bm25s_search, "SQLite FTS5": fts5_search}


def answers(search: Search, questions: list[str]) -> Iterator[tuple[list[int], float]]:
    for question in questions:
        started = time.perf_counter()
        found = search(question)
        yield found, time.perf_counter() - started


def main() -> None:
    given = json.load(sys.stdin)
    report = {}
    for name in sys.argv[1:] or PEERS:
        with contextlib.suppress(ImportError):
            found = list(answers(PEERS[name](given["sections"]), given["questions"]))
            report[name] = {"found": [one for one, _ in found], "seconds": [taken for _, taken in found]}
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main()
