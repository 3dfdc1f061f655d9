"""A large site out of a small one: its pages, over and over, each copy with words of its own."""

from pathlib import Path
from random import Random

RARE_WORDS = 60_000
REPLACED = 0.1  # of the plain words of a copy
_SYLLABLES = [first + vowel for first in "bcdfghjklmnprstvwz" for vowel in "aeiou"]
_NO_PROSE = ("#", "|", "---", "!!!", "import")


def write_site(pages: Path, target: Path, copies: int) -> int:
    """Copies of the pages below `target`, the first as it is; answers how many files there are."""
    random = Random(1)
    rare = ["".join(random.choices(_SYLLABLES, k=random.randint(2, 5))) for _ in range(RARE_WORDS)]
    files = sorted(file for file in pages.rglob("*") if file.suffix in (".md", ".mdx"))
    for number in range(copies):
        for file in files:
            place = target / f"copy{number}" / file.relative_to(pages)
            place.parent.mkdir(parents=True, exist_ok=True)
            text = file.read_text(encoding="utf-8")
            place.write_text(_altered(text, random, rare) if number else text, encoding="utf-8")
    return copies * len(files)


def _altered(text: str, random: Random, rare: list[str]) -> str:
    """Prose with some other words; headings, tables and code stay, so that links and anchors hold."""
    lines = text.split("\n")
    in_fence = False
    for place, line in enumerate(lines):
        in_fence ^= line.lstrip().startswith(("```", "~~~"))
        if in_fence or line.startswith(_NO_PROSE):
            continue
        words = line.split(" ")
        for at, word in enumerate(words):
            if word.isalpha() and random.random() < REPLACED:
                words[at] = rare[int(len(rare) * random.random() ** 3)]
        lines[place] = " ".join(words)
    return "\n".join(lines)
