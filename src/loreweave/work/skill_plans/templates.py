"""Texts with `{{key}}` in them, filled in once from left to right."""

from __future__ import annotations

import re
from collections.abc import Callable

from loreweave.work.skill_plans.plan_failure import PlanFailure
from loreweave.work.skill_plans.plan_limits import MOST_FILLED

KEY = re.compile(r"\{\{([\w.-]+)\}\}")  # letters and digits of every script


def fill(template: str, find: Callable[[str], str]) -> str:
    """Every key replaced by what `find` says. What comes in that way is text: no key in it is looked for again."""
    parts: list[str] = []
    length = 0
    end = 0
    for match in KEY.finditer(template):
        found = find(match[1])
        parts += (template[end : match.start()], found)
        length += match.start() - end + len(found)
        end = match.end()
        if length > MOST_FILLED:  # at once: templates that double one another must not eat the memory
            break
    if length + len(template) - end > MOST_FILLED:
        raise PlanFailure(f"A text grew beyond {MOST_FILLED:,} characters when its templates were filled in.")
    return "".join([*parts, template[end:]])
