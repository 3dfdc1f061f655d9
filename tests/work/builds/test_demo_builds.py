"""Builds by the demo model, from the first to the next wish: it does little, and says no more than it did."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.work.builds.build_desk import BuildDesk, OpenDesk, found

GAME = json.loads((Path(__file__).parents[3] / "examples" / "star-game.json").read_text("utf-8"))
SITE = json.loads((Path(__file__).parents[3] / "examples" / "club-website.json").read_text("utf-8"))
WISHES = (
    ("make it faster", "game.js", "PACE = 750;", "the pace in game.js is 750 now, it was 1500"),
    ("Stars should be bigger!", "style.css", "--size: 4.5rem;", "the size in style.css is 4.5 now, it was 3"),
    ("Make the star Blue", "style.css", "--colour: blue;", "the colour in style.css is blue now, it was #ffd166"),
    ("Add a <moon>", "index.html", "<p>Wished: Add a &lt;moon&gt;</p>", "the page shows it as a line"),
)


@pytest.fixture
def demo(open_desk: OpenDesk, monkeypatch: pytest.MonkeyPatch) -> Iterator[BuildDesk]:
    monkeypatch.setattr("loreweave.seams.models.demo_model.SECONDS", 0)
    with open_desk(model="demo") as desk:
        yield desk


def continued(desk: BuildDesk, session_id: str, wish: str) -> tuple[str, list[dict[str, Any]]]:
    value = {"continues": session_id, "spec": {"project": {"goal": wish}}}
    second = desk.application.builds.begin(value).session_id
    return second, desk.log(second)


def folder_of(desk: BuildDesk, session_id: str) -> Path:
    return Path(desk.application.sessions.get(session_id).nugget_dir or "")


@pytest.mark.holds("build.demo.wishes")
def test_each_next_wish_changes_one_thing_and_keeps_the_name(demo: BuildDesk) -> None:
    latest = demo.start(GAME)
    assert demo.log(latest)[-1]["outcome"] == "success"
    page = folder_of(demo, latest) / "index.html"
    name = "<h1>" + GAME["project"]["goal"] + "</h1>"
    assert name in page.read_text()
    for wish, path, held, said in WISHES:
        latest, log = continued(demo, latest, wish)
        assert log[-1]["outcome"] == "success"
        assert name in page.read_text()
        assert held in page.with_name(path).read_text()
        assert [event["files_changed"] for event in found(log, "commit_created")] == [[path]]
        (done,) = found(log, "task_completed")
        assert done["summary"].startswith(f"For “{wish}”: {said}")
        status = subprocess.run(
            ["git", "status", "--porcelain", "-b"], cwd=page.parent, capture_output=True, text=True, check=True
        )
        assert status.stdout == f"## lore/{latest[:8]}\n"


@pytest.mark.holds("build.demo.wishes")
def test_what_is_demanded_at_a_gate_is_on_the_page_and_nobody_is_asked_again(demo: BuildDesk) -> None:
    site = {**SITE, "workflow": {**SITE.get("workflow", {}), "human_gates": ["Is it good?"]}}
    session_id = demo.start(site)
    demo.log(session_id, "human_gate")
    demo.application.sessions.answer_gate(session_id, False, "Mention Wednesday!", None, None)
    log = demo.log(session_id)
    assert log[-1]["outcome"] == "success"
    assert len(found(log, "human_gate")) == 1
    assert "Wished: Mention Wednesday!" in (folder_of(demo, session_id) / "index.html").read_text()
    (revised,) = [event for event in found(log, "task_completed") if event["task_id"].endswith("-r1")]
    assert revised["summary"].startswith("For “Mention Wednesday!”: the page shows it as a line")


@pytest.mark.holds("build.demo.memories")
def test_the_same_build_again_adds_no_memory_and_each_says_what_was_made_for_what(demo: BuildDesk) -> None:
    kept, logs = [], []
    for _ in range(2):
        logs.append(demo.log(demo.start(GAME)))
        kept.append([memory.node_id for memory in demo.application.memory.list(None, ["build"], 100).items])
    assert kept[0] == kept[1]
    assert len(kept[0]) == 4
    told = [[event["summary"] for event in found(log, "task_completed")] for log in logs]
    assert sorted(told[0]) == sorted(told[1])
    assert all(f" for “{GAME['project']['goal']}”: " in text and ", by the task “" in text for text in told[0])
