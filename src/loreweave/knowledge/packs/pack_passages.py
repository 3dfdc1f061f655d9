"""What goes into a pack under a hard ceiling of tokens: passages of a question, or openings without one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import Literal

from loreweave.knowledge.graph.graph_view import ViewNode
from loreweave.knowledge.packs.note_pages import NotePage
from loreweave.language.tokens import count_tokens


class Miss(Enum):
    """Why a note was passed over."""

    NO_TEXT = "no text"
    NO_ROOM = "no room"


@dataclass(frozen=True, slots=True)
class Loaded:
    level: Literal[3, 4]
    tokens: int
    lacking: int = 0  # at level 3: tokens that the full text would have needed beyond what was left
    page: NotePage | None = None  # at level 3 of a question: which of its passages


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
        more = 0 if level == 4 else note.tokens_full - note.tokens_sections
        if more <= left:
            loaded[node] = Loaded(4, note.tokens_full)
            left -= more
        else:
            loaded[node] = Loaded(3, note.tokens_sections, lacking=more - left)
    return Pack(loaded, missed, budget - left)


UNSEEN_TOKENS = 100  # of comments that a whole text would show: as many are not worth it, nor is half of what it says
LEAST = 12  # tokens below which nothing worth showing fits
TELLING = 40  # tokens from which the same words under the same heading of another note say nothing more

RankedPassage = tuple[int, int, int]  # (node, place among its passages, tokens)
ReadPages = Callable[[Iterable[int]], dict[int, NotePage]]


@dataclass(slots=True)
class _Filling:
    nodes: Sequence[ViewNode]
    most: int
    budget: int
    used: int = 0
    pages: dict[int, NotePage] = field(default_factory=dict)
    opened: dict[int, NotePage] = field(default_factory=dict)  # in the order of opening
    missed: dict[int, Missed] = field(default_factory=dict)
    told: set[tuple[str, bytes]] = field(default_factory=set)  # headings and texts that are in the pack

    def repeats(self, node: int, place: int) -> bool:
        """Whether another note has shown the same already, as generated pages and copies do."""
        page = self.pages[node]
        return page.passages[place].tokens >= TELLING and page.said(place) in self.told

    def take(self, node: int, place: int) -> bool:
        """Whether the passage is in the pack now."""
        page = self.pages[node]
        if place in page.taken:
            return True
        cost = page.cost_of(place)
        if node not in self.opened and len(self.opened) >= self.most:
            return False
        if self.used + cost > self.budget:
            self.pass_over(node, cost)
            return False
        page.take(place)
        self.told.add(page.said(place))
        self.used += cost
        self.opened[node] = page
        self.missed.pop(node, None)
        return True

    def pass_over(self, node: int, cost: int) -> None:
        if node not in self.opened:
            self.missed.setdefault(node, Missed(Miss.NO_ROOM, needed=cost, left=self.budget - self.used))

    def join_neighbours(self, node: int, place: int) -> None:
        """A passage between two that were taken, and the lead of a section whose middle was."""
        page = self.pages[node]
        for between, other in ((place - 1, place - 2), (place + 1, place + 2)):
            if other in page.taken and page.passages[between].heading == page.passages[place].heading:
                self.take(node, between)
        lead = place
        while lead and page.passages[lead - 1].heading == page.passages[place].heading:
            lead -= 1
        if lead != place:
            self.take(node, lead)


def pack_passages(
    nodes: Sequence[ViewNode], ranked: Sequence[RankedPassage], read_pages: ReadPages, most: int, budget: int
) -> Pack:
    """Down the order what fits is taken, then the rest of the notes that were opened, then whole texts."""
    filling = _Filling(nodes, most, budget)
    best = {node: place for node, place, _ in reversed(ranked)}
    order = list(dict.fromkeys([node for node, _, _ in ranked]))
    repeated: list[tuple[int, int]] = []
    for number, (node, place, size) in enumerate(ranked):
        if filling.opened and budget - filling.used < LEAST:
            break
        if node not in filling.opened and len(filling.opened) >= most:
            continue
        if number and filling.used + size > budget:
            filling.pass_over(node, size)
            continue
        if not nodes[node].tokens_full:
            filling.missed.setdefault(node, Missed(Miss.NO_TEXT))
            continue
        if node not in filling.pages:
            unread = (other for other in order[order.index(node) :] if other not in filling.pages)
            filling.pages |= read_pages(islice(unread, max(2, most)))
        page = filling.pages.get(node)
        if page is None or place >= len(page.passages):
            continue
        if filling.repeats(node, place):
            repeated.append((node, place))
            continue
        if node in filling.opened and page.tokens + page.cost_of(place) > budget // 2:
            _let_next_in(filling, order, best)
        if filling.take(node, place):
            filling.join_neighbours(node, place)
        elif not number:
            _lead_otherwise(filling, node, [other for found, other, size in ranked if found == node and size])
    for again in (False, True):
        for node, place in repeated if again else ():
            filling.take(node, place)
        for node, page in filling.opened.items():
            for place, passage in enumerate(page.passages):
                if filling.used + passage.tokens <= budget and (again or not filling.repeats(node, place)):
                    filling.take(node, place)
    return _leveled(filling)


def _lead_otherwise(filling: _Filling, node: int, places: Sequence[int]) -> None:
    """The note that a search has first leads a pack, too, where its best passage does not fit under its headings: by
    the next of its passages that does, else by its opening."""
    for place in (*places, 0):
        if filling.take(node, place):
            filling.join_neighbours(node, place)
            return


def _let_next_in(filling: _Filling, order: Sequence[int], best: dict[int, int]) -> None:
    """No note takes more than half the budget before the best passage of the next note is in."""
    if len(filling.opened) > 1:
        return
    for node in order:
        says_something = node in filling.pages and filling.nodes[node].tokens_full
        if node in filling.opened or not says_something or filling.repeats(node, best[node]):
            continue
        if filling.take(node, best[node]):
            return


def _leveled(filling: _Filling) -> Pack:
    """Whole texts where nothing of a note is missing and they fit; a text as it is written hardly costs more."""
    loaded: dict[int, Loaded] = {}
    left = filling.budget - filling.used
    for node, page in filling.opened.items():
        full = filling.nodes[node].tokens_full
        unseen = full - page.tokens > max(UNSEEN_TOKENS, page.tokens // 2)
        if page.is_whole and full - page.tokens <= left and not unseen:
            left -= full - page.tokens
            loaded[node] = Loaded(4, full)
        else:
            loaded[node] = Loaded(3, count_tokens(page.content()), lacking=max(0, full - page.tokens - left), page=page)
    return Pack(loaded, filling.missed, sum(found.tokens for found in loaded.values()))
