"""Bearings without a key: overview, context, suggestions."""

import re
from collections.abc import Callable

import pytest

from loreweave.entities.digest import Digest
from loreweave.knowledge.digest.orientation import suggestions

PAGES = {
    "index.md": "# Acme\n\nAcme makes widgets.\n\n## Install the tool\n\nRun it.\n",
    "guide/start.md": "# Start\n\nBegin [here](../api/cli.md).\n\n## First run\n\nGo.\n",
    "api/cli.md": "# Command line\n\nFlags.\n\n## Options\n\nText.\n",
    "extra.md": "---\ngroup: api\n---\n# Extra\n\nMore [words](api/cli.md).\n",
}


@pytest.mark.holds("ask.overview.map")
def test_the_overview_names_every_id_once_below_its_group(digest_made: Callable[..., Digest]) -> None:
    digest = digest_made(PAGES)
    assert digest.overview == (
        "## Docs\n\n- Acme — `index`\n- Install the tool — `index#install-the-tool`\n\n"
        "## api\n\n- Command line — `api/cli`\n- Options — `api/cli#options`\n- Extra — `extra`\n\n"
        "## guide\n\n- Start — `guide/start`\n- First run — `guide/start#first-run`\n"
    )
    assert re.findall("`(.*?)`", digest.overview) == sorted(
        (section.id for section in digest.sections), key=lambda found: digest.overview.index(f"`{found}`")
    )


@pytest.mark.holds("ask.overview.context")
def test_the_context_says_what_the_corpus_is_its_groups_and_its_most_linked_pages(
    digest_made: Callable[..., Digest],
) -> None:
    assert digest_made(PAGES).context == (
        "Acme. Acme makes widgets. The documentation has 4 pages in 7 sections. Groups: api (2), guide (1). "
        "Most linked pages: Command line."
    )
    assert digest_made({}).context == "" == digest_made({}).overview


def _suggested(digest: Digest, finds: Callable[[str, str], bool]) -> list[str]:
    return suggestions(digest.sections, digest.edges, finds)


@pytest.mark.holds("ask.overview.suggestions")
def test_a_question_is_offered_only_if_searching_it_finds_its_own_section(digest_made: Callable[..., Digest]) -> None:
    tried = []

    def finds(question: str, section: str) -> bool:
        tried.append((question, section))
        return section != "api/cli"

    found = _suggested(digest_made(PAGES), finds)
    assert ("What is Command line?", "api/cli") in tried
    assert "What is Command line?" not in found
    assert 3 <= len(found) <= 5
    assert _suggested(digest_made(PAGES), lambda question, section: False) == []


@pytest.mark.holds("ask.overview.suggestions")
def test_one_page_alone_offers_several_questions(digest_made: Callable[..., Digest]) -> None:
    page = "# One\n\nText.\n\n" + "".join(f"## {name} things\n\nText.\n\n" for name in ("Red", "Blue", "Green", "Old"))
    found = _suggested(digest_made({"one.md": page + "## ...\n\nDots.\n"}), lambda question, section: True)
    assert len(found) == 5
    assert len(set(found)) == 5


@pytest.mark.holds("ask.overview.suggestions-of-people")
def test_questions_come_from_pages_that_others_link_to_and_in_the_words_of_people(
    digest_made: Callable[..., Digest],
) -> None:
    links = "".join(f"[x]({name}.md) " for name in ("gates", "return", "claim", "lone"))
    texts = {
        "gates": "# Feature Gates",
        "return": "# Return a response",
        "claim": "# ideas are seeds of thought",
        "lone": "# Volume of a pod",
        "KubeletConfiguration": "# KubeletConfiguration",
        "agent-cognition": "Text",
        "tutorial": "# Tutorial - User Guide",
        "unlinked": "# A plain page",
    }
    pages = {f"{name}.md": f"{text}\n\nWords.\n" for name, text in texts.items()}
    many = {f"from-{number}.md": f"{links} [k](KubeletConfiguration.md) [t](tutorial.md)" for number in range(3)}
    found = _suggested(digest_made(pages | many), lambda question, section: True)
    assert sorted(found[:4]) == [
        "How do I return a response?",
        "What are Feature Gates?",
        "What does it mean that ideas are seeds of thought?",
        "What is Volume of a pod?",
    ]
    assert found[4:] == ["What is a plain page?"]
