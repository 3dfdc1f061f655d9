"""A static site of somebody else on loopback: its own styles, shortcuts and policy, and a box for asking in it.

Below /hostile it also plays a server for asking that sends whatever a test gives it.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.pace import PATIENCE

STYLES = """
html { font-size: 62.5%; }
body { color: rgb(1, 2, 3); font: 20px serif; }
* { letter-spacing: 4px; text-transform: uppercase; }
div, section, dialog, input, lore-ask { display: none !important; color: red !important; }
input.own { display: block !important; }
"""
SCRIPT = """
window.heard = [];
for (const name of ["keydown", "keyup"]) document.addEventListener(name, (event) => heard.push(event.key));
document.addEventListener("keydown", (event) => {
  if (event.key === "g") document.querySelector("h1").textContent = "own shortcut";
});
"""


@dataclass
class ThirdPartySite:
    address: str = ""
    lore: str = ""  # where the script comes from
    attributes: str = ""
    policy: str | None = None
    events: list[tuple[str, Any]] = field(default_factory=list)  # what the hostile server streams
    suggestions: list[str] = field(default_factory=list)
    held: threading.Event = field(default_factory=threading.Event)  # queries with "slow" wait for it
    asked: list[dict[str, Any]] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)

    @property
    def html(self) -> str:
        script = f'<script src="{self.lore}/ask.js" {self.attributes} defer></script>' if self.lore else ""
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Site</title>'
            '<link rel="icon" href="data:,"><link rel="stylesheet" href="/site.css">'
            f'<script src="/site.js"></script>{script}'
            '</head><body><h1>Site</h1><p id="own">Own text</p><label>Own <input class="own"></label>'
            '<p contenteditable id="editable">x</p><a href="#" data-ask-open>Ask</a></body></html>'
        )

    def search(self, body: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(body)
        query = str(body["query"])
        if "slow" in query:
            self.held.wait(PATIENCE)
        result = {"title": f"About {query}", "url": "/docs/x", "snippet": query, "id": "x", "score": 1.0}
        return {"results": [result], "query": query, "model": "hostile", "mode": "keyword"}


def _handler(site: ThirdPartySite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/hostile/api/ask"):
                known = {"suggestions": site.suggestions, "model": "hostile"}
                return self._send("application/json", json.dumps(known))
            files = {"/site.css": ("text/css", STYLES), "/site.js": ("text/javascript", SCRIPT)}
            kind, text = files.get(self.path, ("text/html; charset=utf-8", site.html))
            return self._send(kind, text)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if body["mode"] == "keyword":
                self._send("application/json", json.dumps(site.search(body)))
                site.answered.append(str(body["query"]))
                return
            site.asked.append(body)
            frames = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in site.events)
            self._send("text/event-stream", frames)

        def _send(self, kind: str, text: str) -> None:
            payload = text.encode()
            try:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(payload)))
                if site.policy is not None and kind.startswith("text/html"):
                    self.send_header("Content-Security-Policy", site.policy)
                self.end_headers()
                self.wfile.write(payload)
            except OSError:  # whoever asked has gone, which is part of the tests
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@contextmanager
def running_site() -> Iterator[ThirdPartySite]:
    site = ThirdPartySite()
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(site)) as listening:
        listening.daemon_threads = True
        site.address = f"http://127.0.0.1:{listening.server_port}"
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        yield site
        site.held.set()
        listening.shutdown()
