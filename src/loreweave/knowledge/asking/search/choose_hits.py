"""Which of the ranked sections are shown: spread over pages, best first."""

from __future__ import annotations

from collections.abc import Iterable

MOST_OF_A_PAGE = 2


def spread_over_pages(ranked: Iterable[tuple[int, int]], limit: int) -> tuple[list[int], bool]:
    """Of (place, page) in order, at most two a page while other pages have hits; the rest fills up.

    Also says whether other pages had hits enough.
    """
    shown: list[int] = []
    held_back: list[int] = []
    of_page: dict[int, int] = {}
    for section, page in ranked:
        if len(shown) == limit:
            break
        if of_page.get(page, 0) < MOST_OF_A_PAGE:
            of_page[page] = of_page.get(page, 0) + 1
            shown.append(section)
        elif len(held_back) < limit:
            held_back.append(section)
    return shown + held_back[: limit - len(shown)], len(shown) == limit
