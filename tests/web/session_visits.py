"""A server with sessions in it, as the tests of the page need one: started at a port, killed, started again."""

import os
import signal
import subprocess
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Locator, Page
from tests import forked
from tests.faces.served import LORE
from tests.laid_tables import lay_tables
from tests.pace import PATIENCE
from tests.waits import line_with


@dataclass
class SessionServer:
    """`lore serve` over one data folder; after `kill` a new `start` takes the same port."""

    data: Path
    settings: dict[str, str] = field(default_factory=dict)
    address: str = ""
    process: subprocess.Popen[str] | None = None
    reader: threading.Thread | None = None

    def start(self) -> "SessionServer":
        port = self.address.rpartition(":")[2] or "0"
        command = [*LORE, "serve", "--port", port, "--data", lay_tables(self.data)]
        environment = {**os.environ, "LORE_EMBEDDER": "none", **self.settings}
        self.process = forked.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        assert self.process.stderr is not None
        self.address = line_with("listens on", self.process, self.process.stderr)[-1].split()[-1]
        # Whatever it says later must not fill the pipe and halt it.
        self.reader = threading.Thread(target=self.process.stderr.read, daemon=True)
        self.reader.start()
        return self

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def close(self) -> None:
        if self.process is not None:
            self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        assert self.process is not None
        assert self.process.stderr is not None
        assert self.reader is not None
        self.process.send_signal(how)
        self.process.wait(PATIENCE)
        self.reader.join()
        self.process.stderr.close()
        self.process = None

    def run(self, name: str, *steps: dict[str, Any], skills: tuple[dict[str, Any], ...] = ()) -> str:
        body = {"plan": {"skillName": name, "steps": steps}, "allSkills": skills}
        answer = httpx.post(f"{self.address}/api/skills/run", json=body, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["session_id"])

    def answer(self, session_id: str, step_id: str, **answers: Any) -> int:
        body = {"step_id": step_id, "answers": answers}
        return httpx.post(f"{self.address}/api/skills/{session_id}/answer", json=body, timeout=PATIENCE).status_code

    def get(self, path: str) -> Any:
        return httpx.get(f"{self.address}/api{path}", timeout=PATIENCE).json()


def ask(step_id: str, question: str = "Which one?", *options: str, header: str = "Choice") -> dict[str, Any]:
    named = {"id": step_id, "type": "ask_user", "question": question, "header": header}
    return {**named, "options": list(options), "storeAs": step_id}


def output(step_id: str, template: str) -> dict[str, Any]:
    return {"id": step_id, "type": "output", "template": template}


def flow(*blocks: dict[str, Any]) -> dict[str, Any]:
    """Blocks of an editor, one after the other behind the start block."""
    first: dict[str, Any] | None = None
    for block in reversed(({"type": "skill_flow_start", "id": "start"}, *blocks)):
        first = {**block, "next": {"block": first}} if first else dict(block)
    return {"blocks": {"blocks": [first]}}


def composite(skill_id: str, name: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    return {"id": skill_id, "name": name, "prompt": "", "category": "composite", "workspace": flow(*blocks)}


def steps(page: Page) -> Locator:
    return page.get_by_role("list", name="Steps", exact=True).get_by_role("listitem")


def form(page: Page, step_id: str) -> Locator:
    return page.get_by_role("form", name=f"Question of step {step_id}", exact=True)
