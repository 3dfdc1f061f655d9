"""Every figure that ordering passages depends on, in one place: fitted together, so changed together.

They were chosen where their neighbours do as well (questions of documentation, notes and skills, and headings,
links and sentences of a site, one half fitted and the other half looked at).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from loreweave.index.weigh_entries import Weights


@dataclass(frozen=True, slots=True)
class NameWeights:
    """How far names and single sentences speak for a row, where the best by words has 1."""

    name: float = 1.3  # that says just the query
    sentence: float = 0.8  # with many words of the query: it may say in passing what a name stands for
    same: float = 0.5  # a name that is the query word for word, beside those that only come near
    opening: float = 0.05  # a page's opening beside its parts: who names a page means all of it


@dataclass(frozen=True, slots=True)
class Expansion:
    """What the best rows speak of beside the question is asked for as well."""

    least_words: int = 3  # of a question that is worth expanding
    read_rows: int = 10
    most_keys: int = 15
    weight: float = 0.35  # of the most telling one, beside a word that was asked for
    common_share: float = 0.2  # of the rows: a word in more of them tells nothing


@dataclass(frozen=True, slots=True)
class Lifts:
    """What puts rows above others whatever their words: `first` goes before `named` goes before `alike`."""

    first: float = 20.0  # holders of a typed identifier
    named: float = 10.0  # what is called just as was typed
    opening: float = 1.0  # a page of that name, above a section of that name
    alike: float = 5.0  # what is called so in other forms or another order of the words


@dataclass(frozen=True, slots=True)
class RankingWeights:
    words: Weights = field(default_factory=Weights)
    names: NameWeights = field(default_factory=NameWeights)
    expansion: Expansion = field(default_factory=Expansion)
    lifts: Lifts = field(default_factory=Lifts)
    cover: float = 0.3  # of a row that holds every word
    cover_power: float = 4.0
    meaning: float = 1.0  # of the nearest row, beside 1 for the best by words
    said_meaning: float = 0.2  # the same where one row holds all the words: the question decides
    said_from: float = 0.8  # of the words, from where on a row begins to say the question
    said_lift: float = 0.03  # of what a page adds, where the question is said by one row
    similarity_floor: float = 0.1  # cosine above the usual that a row without any of the words needs
    evidence: tuple[float, ...] = (1.0, 1 / 2, 1 / 3, 1 / 4, 1 / 5)  # a page is as good as its passages
    page_meaning: float = 0.5  # of meaning in what speaks for a page
    page_lift: float = 6.0  # of a section among results by its page
    pack_page_lift: float = 0.3  # of a passage in a pack: more would fill a pack with one note
    link_lift: float = 0.1  # of a passage in a pack by the links to its note
    long_discount: float = 0.3  # a passage of twice the usual length must say more to be worth its tokens
    least_cover: float = 0.35  # what the best note has, however few of the words it holds: it may say them otherwise


RANKING = RankingWeights()
