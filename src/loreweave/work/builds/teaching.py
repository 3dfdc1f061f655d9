"""Cards that explain a concept when a build comes to it, each once a session. They are shipped, not written anew."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from loreweave.contracts.session_events import TeachingMoment
from loreweave.work.builds.build import Build


@cache
def curriculum() -> dict[str, dict[str, Any]]:
    cards: dict[str, dict[str, Any]] = json.loads(
        (files("loreweave.work.builds") / "curriculum.json").read_text("utf-8")
    )
    return cards


async def teach(build: Build, concept: str) -> None:
    await build.tell(f"teach/{concept}", TeachingMoment(concept=concept, **curriculum()[concept]))


async def teach_of_spec(build: Build) -> None:
    """What the spec itself uses, once the plan shows where it leads."""
    spec = build.spec
    await teach(build, "plan")
    if spec.skills:
        await teach(build, "skill")
    if any(skill.category == "composite" for skill in spec.skills):
        await teach(build, "composite_skill")
    if any("{{" in skill.prompt for skill in spec.skills):
        await teach(build, "context_variable")
    if spec.rules:
        await teach(build, "rule")
