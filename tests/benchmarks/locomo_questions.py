"""Long conversations with questions and where their answers were said, as documents to be found.

The file is LoCoMo's (CC BY-NC 4.0): for evaluation alone, never shipped.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_SAID = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Conversation:
    ids: list[str]
    texts: list[str]
    questions: list[tuple[str, frozenset[str]]]  # (question, ids of the documents that answer it)


@dataclass(frozen=True, slots=True)
class Recall:
    at_five: float
    at_ten: float
    reciprocal: float  # mean of 1 / rank of the first document that answers, within ten
    questions: int


def read_conversations(path: Path, *, turns: bool, dated: bool) -> list[Conversation]:
    """Each session a document, or each turn; lines are `speaker: text`, a dated session begins with its date."""
    given = json.loads(path.read_text(encoding="utf-8"))
    return [_conversation(entry, turns, dated) for entry in given]


def _conversation(entry: dict[str, Any], turns: bool, dated: bool) -> Conversation:
    ids, texts = [], []
    said = entry["conversation"]
    for number in range(1, len(said)):
        lines = [(turn["dia_id"], f"{turn['speaker']}: {turn['text']}") for turn in said.get(f"session_{number}", ())]
        if turns:
            ids += [place for place, _ in lines]
            texts += [line for _, line in lines]
        elif lines:
            date = [said[f"session_{number}_date_time"]] if dated else []
            ids.append(f"D{number}")
            texts.append("\n".join([*date, *(line for _, line in lines)]))
    questions = []
    for question in entry["qa"]:
        places = {place for text in question.get("evidence", ()) for place in _SAID.findall(text)}
        answers = frozenset(places if turns else {place.partition(":")[0] for place in places})
        if answers:
            questions.append((question["question"], answers))
    return Conversation(ids, texts, questions)


def recall(conversations: Sequence[Conversation], found: Sequence[Sequence[list[int]]]) -> Recall:
    """`found`: for each conversation and question the places of the documents, best first."""
    fives, tens, ranks = [], [], []
    for conversation, answers in zip(conversations, found, strict=True):
        for (_, wanted), places in zip(conversation.questions, answers, strict=True):
            shown = [conversation.ids[place] for place in places[:10]]
            fives.append(len(wanted & set(shown[:5])) / len(wanted))
            tens.append(len(wanted & set(shown)) / len(wanted))
            ranks.append(next((1 / (rank + 1) for rank, one in enumerate(shown) if one in wanted), 0.0))
    count = max(1, len(ranks))
    return Recall(sum(fives) / count, sum(tens) / count, sum(ranks) / count, len(ranks))
