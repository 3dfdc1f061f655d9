"""The demo model as planner and as a team: four tasks for any spec, of which two run side by side and one tests.

What it makes works: a page with the goal as its title that can be played with, and for a board a program as well.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from loreweave.seams.models.language_model import ModelCall, ModelReply, ModelSaid, ToolCall, ToolSaid

SECONDS = 1.2  # that it takes for an answer: a build is there to be watched
_CHARACTERS_A_TOKEN = 4
_READ = ("index.html", "style.css", "game.js", "lamp.py")  # where a wish may change something
_DIFFERENT = "What should be different: "  # said with a rejection, behind what the task was
_Calls = list[tuple[str, dict[str, str]]]


def build_reply(call: ModelCall) -> ModelReply:
    tokens = (len(call.system) + sum(len(str(message)) for message in call.messages)) // _CHARACTERS_A_TOKEN
    if call.purpose == "plan":
        return ModelReply("", (), "stop", _plan(call.brief), tokens, 200)
    task = call.brief.get("task")
    if task is None:
        return ModelReply("PASS: nothing speaks against it.", (), "stop", None, tokens, 10)
    goal, wish = _goal(call.brief["spec"]), task["description"].partition(_DIFFERENT)[2]
    is_wish = wish or task["id"] == "wish"
    given, text = _wished(call, " ".join((wish or goal).split())) if is_wish else _made(call, task, goal)
    if given:
        calls = tuple(ToolCall(f"demo-{tool}-{place}", tool, words) for place, (tool, words) in enumerate(given, 1))
        return ModelReply(f"I begin: {task['name']}. ", calls, "tools", None, tokens, 300)
    return ModelReply(text, (), "stop", None, tokens, 40)


def _made(call: ModelCall, task: Mapping[str, Any], goal: str) -> tuple[_Calls, str]:
    """The files of a task, and once they are written what it came to: the same again is remembered once."""
    written, what = _files(task["id"].partition("-r")[0], call.brief["spec"])
    if written and not any(isinstance(message, ModelSaid) for message in call.messages):
        return [("write_file", {"path": path, "content": content}) for path, content in written.items()], ""
    told = f"{what} for “{goal}”: {', '.join(written)}, by the task “{task['name']}”."
    return [], told if written else f"“{task['name']}” changed nothing for “{goal}”."


def _wished(call: ModelCall, wish: str) -> tuple[_Calls, str]:
    """First it reads what is there, then it changes a constant of it or adds the wish to the page, then it says so."""
    heard = [message for message in call.messages if isinstance(message, ToolSaid)]
    if not heard:
        return [("read_file", {"path": path}) for path in _READ], ""
    told = {path: said.text for path, said in zip(_READ, heard, strict=False) if not said.failed}
    edits, changes = _edits(wish, told)
    if any(said.failed for said in heard[len(_READ) :]) or not edits:
        return [], f"The demo model could not follow “{wish}”: there is no place for it in the files."
    return [] if heard[len(_READ) :] else edits, f"For “{wish}”: {'; '.join(changes)}."


def _edits(wish: str, told: Mapping[str, str]) -> tuple[_Calls, list[str]]:
    edits: _Calls = []
    changes = []
    for words, name, constant, times in json.loads(_template("wishes.json")):
        said = re.search(words, wish, re.IGNORECASE)
        for path, held in [(path, held) for path in told if said and (held := re.search(constant, told[path]))][:1]:
            new = f"{float(held[1]) * times:g}" if times else said[1].lower() if said else ""
            if new != held[1]:
                edits.append(("edit_file", {"path": path, "old": held[0], "new": held[0].replace(held[1], new)}))
                changes.append(f"the {name} in {path} is {new} now, it was {held[1]}")
    if not edits and told.get("index.html", "").count("</h1>") == 1:
        line = {"old": "</h1>", "new": f"</h1>\n    <p>Wished: {html.escape(wish)}</p>"}
        edits = [("edit_file", {"path": "index.html", **line})]
        changes = ["the page shows it as a line; the demo model itself changes only pace, size and colour"]
    return edits, changes


def _kind(spec: Mapping[str, Any]) -> str:
    named = str(spec["project"].get("type") or "")
    target = (spec.get("deployment") or {}).get("target")
    if spec.get("hardware") or named == "hardware" or target in ("esp32", "both"):
        return "board"
    return "site" if named in ("website", "story") else "game"


def _plan(brief: Mapping[str, Any]) -> dict[str, Any]:
    """Two who build and one who tests, of those there are; what is wished of a build before is one task."""
    team, goal, kind = brief["team"], _goal(brief["spec"]), "wish" if brief.get("before") else _kind(brief["spec"])
    names = {role: [agent["name"] for agent in team if agent["role"] == role] for role in ("builder", "tester")}
    builders, testers = (names[role] or [agent["name"] for agent in team] for role in ("builder", "tester"))
    workers = iter([builders[0], builders[1 % len(builders)], builders[0], testers[0]])
    order = "First what everything rests on, then two things side by side, then tests of it all."
    return {
        "tasks": [
            {**task, "agent_name": next(workers), "description": f"{', '.join(made) or 'A change'} for: {goal}"}
            for task, made, _ in _tasks()[kind]
        ],
        "agents": [],
        "plan_explanation": f"{order if kind != 'wish' else 'One change of what is there.'} The goal: {goal}",
    }


def _goal(spec: Mapping[str, Any]) -> str:
    return str(spec["project"]["goal"]).strip()


def _files(task_id: str, spec: Mapping[str, Any]) -> tuple[dict[str, str], str]:
    """With what they are."""
    kind, title = _kind(spec), html.escape(_goal(spec), quote=True)
    made, what = next(((made, what) for task, made, what in _tasks()[kind] if task["id"] == task_id), ((), ""))
    filled = {path: _template(f"{kind}/{path}").replace("THE-TITLE", title) for path in made}
    return {path: text.replace('"A-TITLE"', json.dumps(title)) for path, text in filled.items()}, what


@cache
def _tasks() -> Any:
    """Of each kind: each task as it is planned, its files, and what they are."""
    return json.loads(_template("tasks.json"))


@cache
def _template(path: str) -> str:
    """Programs lie here as texts: they are no part of this one."""
    name = f"{path}.txt" if path.endswith(".py") else path
    return (files("loreweave.seams.models") / "demo_files" / name).read_text("utf-8")
