"""Many sections in the language of a small site: its own, over and over, each copy with words of its own."""

from collections.abc import Iterator, Sequence
from random import Random

from loreweave.entities.digest import SearchedSection

RARE_WORDS = 60_000
REPLACED = 0.1  # of the words of a copy
QUERIES = 60  # of each kind
_SYLLABLES = [first + vowel for first in "bcdfghjklmnprstvwz" for vowel in "aeiou"]


def many_sections(sections: Sequence[SearchedSection], count: int) -> list[SearchedSection]:
    """So many sections of the usual length, with a vocabulary that grows as that of a real site does."""
    random = Random(1)
    rare = ["".join(random.choices(_SYLLABLES, k=random.randint(2, 5))) for _ in range(RARE_WORDS)]
    short = [section for section in sections if 80 < len(section.text) < 6000]
    return [_copy(short[number % len(short)], number, random, rare) for number in range(count)]


def _copy(section: SearchedSection, number: int, random: Random, rare: list[str]) -> SearchedSection:
    round_number = number // 1000
    words = section.text.split()
    for place in range(len(words)):
        if random.random() < REPLACED:
            words[place] = rare[int(len(rare) * random.random() ** 3)]
    heading = section.heading and f"{section.heading} {rare[number % len(rare)]}"
    text = " ".join(words)
    return SearchedSection(
        f"{section.id}-{number}", f"{section.page}-{round_number}", section.title, heading, section.terms,
        section.literals, text, text[:220],
    )  # fmt: skip


def speed_queries(sections: Sequence[SearchedSection]) -> Iterator[tuple[str, str]]:
    """(kind, query): as people type them, and the kinds that cost most."""
    for section in sections[:: max(1, len(sections) // QUERIES)]:
        words = (section.heading or section.title).split()
        yield "words", " ".join(words) + " "
        yield "unfinished", " ".join([*words[:-1], words[-1][:3]])
        yield "misspelt", " ".join(word[:-2] + word[-1] + word[-2] if len(word) > 4 else word for word in words) + "q "
        yield "question", f"how do I use the {' '.join(section.text.split()[3:9])} in my application "
        if section.literals:
            yield "literal", section.literals[0][:80]
