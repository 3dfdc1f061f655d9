"""Which notes are loaded, and how much of each, under a hard ceiling of tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from loreweave.knowledge.graph.view_values import ViewNode


class Miss(Enum):
    """Why a note was passed over."""

    NO_TEXT = "no text"
    NO_ROOM = "no room"


@dataclass(frozen=True, slots=True)
class Loaded:
    level: Literal[3, 4]
    tokens: int
    lacking: int = 0  # at level 3: tokens that the full text would have needed beyond what was left


@dataclass(frozen=True, slots=True)
class Missed:
    why: Miss
    needed: int = 0
    left: int = 0


@dataclass(frozen=True, slots=True)
class Pack:
    loaded: dict[int, Loaded]  # in the order of loading
    missed: dict[int, Missed]  # passed over before enough were loaded
    tokens: int


def fill_budget(nodes: Sequence[ViewNode], order: Sequence[int], most: int, budget: int) -> Pack:
    """Two passes: sections of as many notes as fit, then full texts for those still within the rest."""
    levels: dict[int, int] = {}
    missed: dict[int, Missed] = {}
    left = budget
    for node in order:
        note = nodes[node]
        full = note.tokens_full <= note.tokens_sections or not note.tokens_sections  # an outline must say something
        cost = note.tokens_full if full else note.tokens_sections
        if len(levels) >= most:
            break
        if not note.tokens_full:
            missed[node] = Missed(Miss.NO_TEXT)
        elif cost > left:
            missed[node] = Missed(Miss.NO_ROOM, needed=cost, left=left)
        else:
            levels[node] = 4 if full else 3
            left -= cost
    loaded: dict[int, Loaded] = {}
    for node, level in levels.items():
        note = nodes[node]
        more = note.tokens_full - note.tokens_sections
        if level == 4:
            loaded[node] = Loaded(4, note.tokens_full)
        elif more <= left:
            loaded[node] = Loaded(4, note.tokens_full)
            left -= more
        else:
            loaded[node] = Loaded(3, note.tokens_sections, lacking=more - left)
    return Pack(loaded, missed, budget - left)
