"""Another search engine on the same documents and questions. Runs by itself, with the Python the peer lives in.

Reads [{"texts": [...], "questions": [...]}] from standard input; prints the ten best places for every question.
"""

import json
import re
import sys

import tantivy

BEST = 10
WORD = re.compile(r"\w+")


def answers(texts: list[str], questions: list[str]) -> list[list[int]]:
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("text", tokenizer_name="en_stem")
    schema.add_integer_field("place", stored=True)
    index = tantivy.Index(schema.build())
    writer = index.writer(num_threads=1)
    for place, text in enumerate(texts):
        writer.add_document(tantivy.Document(place=place, text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    found = []
    for question in questions:
        query, _ = index.parse_query_lenient(" ".join(WORD.findall(question)).lower(), ["text"])
        found.append([searcher.doc(address)["place"][0] for _, address in searcher.search(query, BEST).hits])
    return found


print(json.dumps([answers(one["texts"], one["questions"]) for one in json.load(sys.stdin)]))
