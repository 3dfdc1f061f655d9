"""What an answer is made from: a question with its history, and sections to search and open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

TURNS_THAT_COUNT = 6
TURNS_SEARCHED = 2


@dataclass(frozen=True, slots=True)
class AnswerSection:
    """A section as an answer needs it; text is the raw slice of the source."""

    id: str
    url: str
    title: str
    heading: str | None
    group: str | None
    terms: tuple[str, ...]
    text: str


class SectionLibrary(Protocol):
    """All that answering knows of the documents. Called in threads."""

    def search(self, query: str, limit: int) -> Sequence[AnswerSection]:
        """Best first; empty where nothing fits."""
        ...

    def open(self, section_id: str) -> AnswerSection | None: ...


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    query: str
    answer: str


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What is asked, what was said before, and how the documents are laid out."""

    text: str
    history: tuple[EarlierTurn, ...] = ()
    overview: str = ""
    context: str = ""

    @property
    def turns(self) -> tuple[EarlierTurn, ...]:
        return self.history[-TURNS_THAT_COUNT:]

    @property
    def in_context(self) -> str:
        """The words to search: a follow-up ("and on Windows?") says little without what it follows."""
        return " ".join([*(turn.query for turn in self.turns[-TURNS_SEARCHED:]), self.text])


def search_question(sections: SectionLibrary, question: AskedQuestion, limit: int) -> list[AnswerSection]:
    """The best hits of the question itself and of the question in its context, in turn."""
    found = [list(sections.search(question.text, limit))]
    if question.turns:
        found.insert(0, list(sections.search(question.in_context, limit)))
    return distinct_by_rank(found)[:limit]


def distinct_by_rank(lists: Sequence[Sequence[AnswerSection]]) -> list[AnswerSection]:
    """The first of every list, then the second of every list; each section once."""
    longest = max(map(len, lists), default=0)
    ranked = [hits[rank] for rank in range(longest) for hits in lists if rank < len(hits)]
    return list({section.id: section for section in reversed(ranked)}.values())[::-1]
