"""Whatever notes hold, what a model is handed costs no more than it allowed, by a foreign tokenizer."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rs_bpe.bpe import openai
from tests.examples import examples

from loreweave.application import Application, open_application
from loreweave.faces.mcp.toolsets import NOBODY, Tool, open_toolsets
from loreweave.settings import Settings

TOKENIZER = openai.o200k_base()
PIECES = st.sampled_from(
    [
        "calm",
        "breathing",
        "東京の猫",
        "naïve",
        "🙂",
        "=> {};",
        "x86_64",
        "[[n1]]",
        "[[n2|Straße]]",
        "`--no-cache`",
        "|a|b|",
    ]
)
BREAKS = st.sampled_from(
    [" ", "\n", "\n\n", "\n\n## Heading\n\n", "\n\n### Über 東京\n\n", "\n\n```sh\n", "\n```\n\n", ". "]
)
TEXT = st.lists(st.tuples(PIECES, BREAKS), max_size=60).map(lambda parts: "".join(piece + end for piece, end in parts))
QUESTIONS = st.sampled_from(
    [
        ("context", {"query": "calm breathing 東京"}, "tokenBudget"),
        ("context", {"query": "zebra"}, "tokenBudget"),
        ("traverse", {"query": "calm"}, "tokenBudget"),
        ("traverse", {"direction": "both"}, "tokenBudget"),
        ("search", {"query": "calm", "limit": 50}, "maxTokens"),
        ("overview", {}, "maxTokens"),
        *(("read_node", {"id": "n0", "level": level}, "maxTokens") for level in range(5)),
    ]
)


@pytest.fixture(scope="module")
def tools() -> Iterator[tuple[Application, dict[str, Tool]]]:
    with tempfile.TemporaryDirectory() as place:
        opened = open_application(Settings(data_dir=Path(place), embedder="none"))
        yield opened, {tool.name: tool for tool in open_toolsets(opened, ("graph", "ask"))}
        opened.close()


@pytest.mark.holds("house.mcp.packs-fit", "house.mcp.answers-fit")
@given(st.lists(TEXT, min_size=1, max_size=4), QUESTIONS, st.sampled_from([0, 8, 25, 80, 300, 1_500]))
@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_an_answer_costs_no_more_than_it_may(
    tools: tuple[Application, dict[str, Tool]], texts: list[str], question: tuple[str, dict[str, Any], str], budget: int
) -> None:
    application, by_name = tools
    with tempfile.TemporaryDirectory() as place:
        for number, text in enumerate(texts):
            Path(place, f"n{number}.md").write_text(f"---\ntitle: Naïve {number}\n---\n{text}", encoding="utf-8")
        application.graphs.ingest_folder(Path(place), name="laws")
    name, arguments, bound = question
    answer = by_name[name].run({**arguments, bound: budget}, NOBODY, structured=False)
    assert not answer.is_error, answer.content
    assert TOKENIZER.count(answer.content[0].text) <= budget
