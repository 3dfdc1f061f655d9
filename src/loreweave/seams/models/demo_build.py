"""The demo model as planner and as a team: four tasks for any spec, of which two run side by side and one tests.

What it makes works: a page with the goal as its title that can be played with, and for a board a program as well.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from loreweave.seams.models.language_model import ModelCall, ModelReply, ModelSaid, ToolCall

SECONDS = 1.2  # that it takes for an answer: a build is there to be watched
_CHARACTERS_A_TOKEN = 4
Kind = Literal["game", "site", "board"]
# Of each kind: the task's id, its name, its files, what it waits for.
_TASKS: dict[Kind, tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...]] = {
    "game": (
        ("page", "Lay out the page", ("index.html",), ()),
        ("game", "Write the game", ("game.js",), ("page",)),
        ("style", "Make it pretty", ("style.css",), ("page",)),
        ("tests", "Test it", ("tests/test_page.py",), ("game", "style")),
    ),
    "site": (
        ("page", "Write the page", ("index.html",), ()),
        ("lists", "Make the list work", ("list.js",), ("page",)),
        ("style", "Make it pretty", ("style.css",), ("page",)),
        ("tests", "Test it", ("tests/test_page.py",), ("lists", "style")),
    ),
    "board": (
        ("lamp", "Write the lamp's logic", ("lamp.py",), ()),
        ("program", "Write the board's program", ("main.py",), ("lamp",)),
        ("page", "Show it on a page", ("index.html",), ("lamp",)),
        ("tests", "Test it", ("tests/test_lamp.py",), ("program", "page")),
    ),
}


def build_reply(call: ModelCall) -> ModelReply:
    tokens = (len(call.system) + sum(len(str(message)) for message in call.messages)) // _CHARACTERS_A_TOKEN
    if call.purpose == "plan":
        return ModelReply("", (), "stop", _plan(call.brief["spec"], call.brief["team"]), tokens, 200)
    task = call.brief.get("task")
    if task is None:
        return ModelReply("PASS: nothing speaks against it.", (), "stop", None, tokens, 10)
    written = _files(task["id"].partition("-r")[0], call.brief["spec"])
    if written and not any(isinstance(message, ModelSaid) for message in call.messages):
        calls = tuple(
            ToolCall(f"demo-{number}", "write_file", {"path": path, "content": content})
            for number, (path, content) in enumerate(written.items(), 1)
        )
        return ModelReply(f"I begin: {task['name']}. ", calls, "tools", None, tokens, 300)
    text = f"I wrote {', '.join(written)}." if written else "Nothing had to be changed."
    return ModelReply(text, (), "stop", None, tokens, 40)


def _kind(spec: Mapping[str, Any]) -> Kind:
    named = str(spec["project"].get("type") or "")
    target = (spec.get("deployment") or {}).get("target")
    if spec.get("hardware") or named == "hardware" or target in ("esp32", "both"):
        return "board"
    return "site" if named in ("website", "story") else "game"


def _plan(spec: Mapping[str, Any], team: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Two who build and one who tests, of those there are."""
    names = {role: [agent["name"] for agent in team if agent["role"] == role] for role in ("builder", "tester")}
    builders, testers = (names[role] or [agent["name"] for agent in team] for role in ("builder", "tester"))
    builder, other, tester = builders[0], builders[1 % len(builders)], testers[0]
    workers = iter([builder, other, builder, tester])
    return {
        "tasks": [
            {
                "id": identity,
                "name": name,
                "description": f"{', '.join(made)} for: {_goal(spec)}",
                "agent_name": next(workers),
                "dependencies": list(after),
                "acceptance_criteria": [f"{path} is there and works." for path in made],
            }
            for identity, name, made, after in _TASKS[_kind(spec)]
        ],
        "agents": [],
        "plan_explanation": "First what everything rests on, then two things side by side, then tests of it all. "
        f"The goal: {_goal(spec)}",
    }


def _goal(spec: Mapping[str, Any]) -> str:
    return str(spec["project"]["goal"]).strip()


def _files(task_id: str, spec: Mapping[str, Any]) -> dict[str, str]:
    kind = _kind(spec)
    made = next((made for identity, _, made, _ in _TASKS[kind] if identity == task_id), ())
    title = html.escape(_goal(spec), quote=True)
    return {
        path: _template(kind, path).replace("THE-TITLE", title).replace('"A-TITLE"', json.dumps(title)) for path in made
    }


@cache
def _template(kind: str, path: str) -> str:
    """Programs lie here as texts: they are no part of this one."""
    name = f"{path}.txt" if path.endswith(".py") else path
    return (files("loreweave.seams.models") / "demo_files" / kind / name).read_text("utf-8")
