"""The demo model as planner and as a team: four tasks for any spec, of which two run side by side and one tests."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from typing import Any

from loreweave.seams.models.language_model import ModelCall, ModelReply, ModelSaid, ToolCall

_CHARACTERS_A_TOKEN = 4


def build_reply(call: ModelCall) -> ModelReply:
    tokens = (len(call.system) + sum(len(str(message)) for message in call.messages)) // _CHARACTERS_A_TOKEN
    if call.purpose == "plan":
        return ModelReply("", (), "stop", _plan(call.brief["spec"]), tokens, 200)
    task = call.brief.get("task")
    if task is None:
        return ModelReply("PASS: nothing speaks against it.", (), "stop", None, tokens, 10)
    files = _files(task["id"].partition("-r")[0], call.brief["spec"])
    done = sum(isinstance(message, ModelSaid) for message in call.messages)
    if done == 0 and files:
        calls = tuple(
            ToolCall(f"demo-{number}", "write_file", {"path": path, "content": content})
            for number, (path, content) in enumerate(files.items(), 1)
        )
        return ModelReply(f"I begin with {task['name'].lower()}.", calls, "tools", None, tokens, 300)
    text = f"{task['name']} is done: {', '.join(files) or 'nothing had to be changed'}."
    return ModelReply(text, (), "stop", None, tokens, 40)


def _plan(spec: Mapping[str, Any]) -> dict[str, Any]:
    goal = _goal(spec)
    names = _names(spec)
    return {
        "tasks": [
            _task("page", "Lay out the page", f"An index.html for: {goal}", names["builder"], []),
            _task("game", "Write the game", "The logic in game.js.", names["builder"], ["page"]),
            _task("style", "Make it pretty", "The looks in style.css.", names["builder"], ["page"]),
            _task("tests", "Test it", "Tests of the files in tests.", names["tester"], ["game", "style"]),
        ],
        "agents": [
            {"name": name, "role": role, "persona": ""} for role, name in names.items() if role in ("builder", "tester")
        ],
        "plan_explanation": f"First the page, then its logic and its looks side by side, then tests. Goal: {goal}",
    }


def _task(identity: str, name: str, description: str, agent: str, dependencies: list[str]) -> dict[str, Any]:
    return {
        "id": identity,
        "name": name,
        "description": description,
        "agent_name": agent,
        "dependencies": dependencies,
        "acceptance_criteria": [f"{name}: it is there and works."],
    }


def _names(spec: Mapping[str, Any]) -> dict[str, str]:
    names = {"builder": "Builder", "tester": "Tester"}
    agents = [agent for agent in spec.get("agents") or [] if isinstance(agent, Mapping) and agent.get("name")]
    for role in names:
        named = [agent["name"] for agent in agents if agent.get("role", "builder") == role]
        names[role] = named[0] if named else (agents[0]["name"] if agents else names[role])
    return names


def _goal(spec: Mapping[str, Any]) -> str:
    return str(spec["project"]["goal"]).strip()


def _files(task_id: str, spec: Mapping[str, Any]) -> dict[str, str]:
    goal = _goal(spec)
    title = html.escape(goal)
    return {
        "page": {"index.html": _PAGE.replace("TITLE", title)},
        "game": {"game.js": _GAME},
        "style": {"style.css": _STYLE},
        "tests": {"tests/test_page.py": _TESTS.replace("TITLE", json.dumps(title))},
    }.get(task_id, {})


_PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>TITLE</title>
  <link rel="stylesheet" href="style.css">
</head>
<body>
  <main>
    <h1>TITLE</h1>
    <p>Catch the star: click it, or press the space bar while it is in the circle.</p>
    <button id="star" aria-label="star">★</button>
    <p>Score: <output id="score">0</output></p>
  </main>
  <script src="game.js"></script>
</body>
</html>
"""
_GAME = """const star = document.getElementById('star');
const score = document.getElementById('score');
let points = 0;

function move() {
  star.style.left = Math.round(Math.random() * 80) + '%';
  star.style.top = Math.round(20 + Math.random() * 60) + '%';
}

star.addEventListener('click', () => {
  points += 1;
  score.textContent = String(points);
  move();
});

move();
setInterval(move, 1500);
"""
_STYLE = """body { margin: 0; min-height: 100vh; font-family: system-ui, sans-serif; background: #101828; }
main { position: relative; color: #f5f7fa; min-height: 100vh; padding: 1rem; text-align: center; }
#star { position: absolute; font-size: 3rem; background: none; border: 0; color: #ffd166; cursor: pointer; }
#star:focus-visible { outline: 3px solid #f5f7fa; }
"""
_TESTS = """from pathlib import Path

PAGE = Path(__file__).parent.parent / "index.html"


def test_the_page_has_its_title():
    assert TITLE in PAGE.read_text("utf-8")


def test_the_page_loads_its_game_and_its_looks():
    text = PAGE.read_text("utf-8")
    assert "game.js" in text and "style.css" in text
    assert (PAGE.parent / "game.js").is_file() and (PAGE.parent / "style.css").is_file()
"""
