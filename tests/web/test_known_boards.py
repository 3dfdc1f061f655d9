"""The studio with a board on a pseudo-terminal, and a build whose agent has read notes and memories."""

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect
from tests import forked
from tests.faces.served import LORE
from tests.model_server import Asked, Turn, call, running_model_server, say
from tests.pace import PATIENCE
from tests.web.session_visits import SessionServer
from tests.web.tabs import Tabs
from tests.work.builds.build_desk import planned, task, wrote
from tests.work.hardware.board_desk import socket_in

MAIN = """import time
from machine import ADC, Pin

dial, push, was = ADC(Pin(34)), Pin(0, Pin.IN, Pin.PULL_UP), None
while True:
    now = (dial.read() // 1000, push.value())
    if now != was:
        print("dial", now[0], "push", now[1])
        was = now
    time.sleep(0.05)
"""
FIRMWARE = """class Pin:
    IN = PULL_UP = 1
    __init__ = lambda self, *_: None
    value = lambda self: 1

class ADC(Pin):
    read = lambda self: 2000
"""
NOTE = "---\ndescription: Buttons bounce\n---\n# Debounce\n\nA button is read twice, 20 milliseconds apart.\n"
SPEC = {
    "project": {"goal": "A dial with a button"},
    "knowledge": {"graphId": "workbench"},
    "hardware": {
        "target": "esp32",
        "components": [
            {"type": "potentiometer", "pin": 34, "name": "dial"}, {"type": "button", "pin": 0, "name": "push"},
        ],
    },
}  # fmt: skip


def looks_up_and_writes(asked: Asked) -> Turn:
    purpose = asked.headers["x-lore-purpose"]
    if purpose == "plan":
        return planned(task("dial", description="Read the dial, debounce the button"))
    if purpose == "narrate":
        return call(("final_result", {"text": "Once upon a time.", "mood": "excited"}))
    if wrote(asked):
        return say("The dial is read.")
    return call(
        ("search_docs", {"query": "debounce a button"}),
        ("recall", {"query": "how long a debounce"}),
        ("write_file", {"path": "main.py", "content": MAIN}),
    )


@pytest.mark.holds("page.studio.flash", "page.studio.rests-on", "page.studio.board")
def test_what_a_task_read_is_followed_and_its_program_runs_on_a_board_and_a_simulated_one(
    tabs: Tabs, tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Debounce.md").write_text(NOTE)
    ingest = [*LORE, "ingest", tmp_path / "notes", "--name", "workbench", "--data", tmp_path / "data"]
    forked.run(ingest, check=True, capture_output=True)
    with running_model_server() as model, socket_in(tmp_path) as socket:
        (socket.flash / "machine.py").write_text(FIRMWARE)
        socket.plug_in()
        model.script(*[looks_up_and_writes] * 100)
        settings = {"ANTHROPIC_API_KEY": "sk-x", "ANTHROPIC_BASE_URL": model.base_url, "NO_PROXY": "127.0.0.1"}
        ports = {"LORE_SERIAL_PORTS": str(socket.port)}
        served = SessionServer(tmp_path / "data", {**settings, **ports}).start()
        try:
            with httpx.Client(base_url=f"{served.address}/api", timeout=PATIENCE) as api:
                told = {"content": "A debounce takes 20 milliseconds.", "name": "How long to debounce"}
                assert api.post("/memory/store_memory", json=told).status_code == 200
                session_id = api.post("/sessions").json()["session_id"]
                assert api.post(f"/sessions/{session_id}/start", json={"spec": SPEC}).status_code == 200
            page = tabs.make(reduced_motion="reduce")
            page.goto(f"{served.address}/studio/run/{session_id}?task=dial")
            expect(page.get_by_role("region", name="Result")).to_be_visible()

            rests = page.get_by_role("complementary").get_by_role("region", name="What this rests on")
            expect(rests).to_contain_text("Given before it began")
            expect(rests).to_contain_text("Searched the notes debounce a button")
            rests.get_by_role("link", name="debounce on the map").first.click()
            expect(page).to_have_url(f"{served.address}/g/workbench/map?n=skill%3Adebounce")
            expect(page.get_by_role("complementary").get_by_role("heading", level=2)).to_have_text("Debounce")
            page.go_back()
            rests.get_by_role("link", name="skill:debounce", exact=True).first.click()
            expect(page.get_by_role("article")).to_contain_text("A button is read twice")
            expect(page).to_have_url(f"{served.address}/g/workbench/read/Debounce")
            page.go_back()
            rests.get_by_role("link", name="How long to debounce").first.click()
            record = page.get_by_role("complementary")
            expect(record).to_contain_text("A debounce takes 20 milliseconds.")
            page.go_back()
            expect(rests).to_be_visible()
            # What it came to is remembered, and what is remembered leads back; so does the map of its skills.
            task_page = page.url
            rests.get_by_role("link", name="see the memory").click()
            page.get_by_role("complementary").get_by_role("link", name="task dial of a build").click()
            expect(page).to_have_url(task_page)
            page.keyboard.press("Escape")
            page.get_by_role("link", name="follow on the map which skills it opens").click()
            expect(page.get_by_text("The session has opened no skill yet.")).to_be_visible()
            page.get_by_role("link", name="Back to it").click()

            board = page.get_by_role("region", name="Board")
            board.get_by_role("button", name="Flash the board").click()
            expect(board.get_by_role("status").first).to_have_text(f"1 file is on the board at {socket.port}.")
            assert (socket.flash / "main.py").read_text() == MAIN
            lines = board.get_by_role("log")
            expect(lines).to_contain_text("dial 2 push 1")
            expect(board).to_contain_text("connected, heard below")

            board.get_by_role("button", name="Simulate it").click()
            expect(lines).to_contain_text("dial 0 push 1")
            board.get_by_role("slider", name="dial, pin 34").fill("4000")
            expect(lines).to_contain_text("dial 4 push 1")
            board.get_by_role("button", name="Press push, pin 0").press("Enter")
            expect(lines).to_contain_text("dial 4 push 0\ndial 4 push 1")
            page.reload()
            expect(lines).to_contain_text("dial 4 push 0\ndial 4 push 1")
        finally:
            served.close()
