"""A map of 10,000 notes is moved without being drawn anew, and drawn anew for little. What counts is processor time:
other work on the machine makes a frame late, not dearer."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.pace import slowness

COUNT = 10_000
FRAME = 1 / 30  # seconds
TYPES = ("claim", "technique", "exploration", "framework", "moc")


def _graph(chance: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """A large graph in the place of the demo, and where its notes stand; reading it is measured elsewhere."""
    ids = [f"skill:n{number}" for number in range(COUNT)]
    nodes = [
        {"id": each, "name": each, "type": chance.choice(TYPES), "domain": "general", "description": "", "tags": []}
        | {"inDegree": 2, "outDegree": 2, "path": f"{each[6:]}.md"}
        for each in ids
    ]
    near = {"type": "REFERENCES", "count": 1, "contexts": [""]}
    edges = [near | {"source": each, "target": chance.choice(ids)} for each in ids for _ in range(2)]
    places = {each: [chance.gauss(0, 900), chance.gauss(0, 900), 0, 1] for each in ids}
    held = {"graphId": "demo", "revision": 1}
    return held | {"kind": "skill", "nodes": nodes, "edges": edges}, held | {"places": places}


@pytest.mark.holds("page.library.map-speed")
def test_ten_thousand_notes_are_panned_and_pointed_at_for_less_than_a_frame(
    browser: Browser, server: str, open_page: Callable[..., Page]
) -> None:
    graph, places = _graph(random.Random(7))
    meter = browser.new_browser_cdp_session()

    def spent() -> float:
        return sum(process["cpuTime"] for process in meter.send("SystemInfo.getProcessInfo")["processInfo"])

    def answer(route: Route) -> None:
        route.fulfill(json=graph if "/export" in route.request.url else places)

    page = open_page("", reduced_motion="reduce")
    page.route("**/api/skillgraph/export?*", answer)
    page.route("**/api/skillgraph/places*", answer)
    page.goto(f"{server}/g/demo/map")
    expect(page.locator(f"[data-settled=true][data-marks='{COUNT}']")).to_be_visible()
    page.evaluate(
        """() => { window.frames = 0;
            const next = () => { window.frames += 1; requestAnimationFrame(next); }; requestAnimationFrame(next); }"""
    )

    def per_frame(steps: list[tuple[int, int]]) -> float:
        frames, begun = page.evaluate("window.frames"), spent()
        for x, y in steps:
            page.mouse.move(x, y)
        page.wait_for_function("seen => window.frames > seen", arg=page.evaluate("window.frames"))
        return (spent() - begun) / (page.evaluate("window.frames") - frames)

    page.mouse.move(300, 140)
    page.mouse.down()
    panned = per_frame([(300 + 12 * step, 140 + 4 * step) for step in range(40)])  # past the edge of the drawing
    page.mouse.up()
    pointed = per_frame([(500 + 6 * step, 420) for step in range(10)])
    assert max(panned, pointed) < FRAME * slowness()
