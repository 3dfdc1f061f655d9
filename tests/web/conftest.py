"""A real server with the demo graph, a real Chromium, and a watch over everything the page does."""

import asyncio
import io
import os
import shutil
import subprocess
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright
from playwright.sync_api import Error as BrowserError
from tests import forked
from tests.faces.served import LORE
from tests.laid_tables import lay_tables
from tests.pace import STRETCH
from tests.web.ask_box import Visits
from tests.web.tabs import Tabs

# A busy machine may take its time; nothing here waits longer than it must.
expect.set_options(timeout=60_000 * STRETCH)  # below a test's own limit, so that a failure says what it saw

PAGE = Path(__file__).resolve().parents[2] / "src/loreweave/faces/http/static/index.html"
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def running_server(data: Path, *options: str, **settings: str) -> Iterator[str]:
    """The address of `lore serve` over an empty data folder."""
    assert PAGE.exists(), "The page is not built: run `make install`."
    command = [*LORE, "serve", "--port", "0", "--data", lay_tables(data), *options]
    environment = {**os.environ, "LORE_INGESTS_PER_HOUR": "0", "LORE_MODEL": "none", **settings}
    with forked.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        told = []
        for line in process.stderr:
            told.append(line)
            if "listens on" in line:
                break
        else:
            pytest.fail("The server did not start: " + "".join(told))
        # Whatever it says later must not fill the pipe and halt it.
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield told[-1].split()[-1]
        process.terminate()


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def server(data_folder: Path) -> Iterator[str]:
    with running_server(data_folder, "--demo") as address:
        yield address


@pytest.fixture
def server_with(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Starts a server of its own for a test that needs other settings."""
    with ExitStack() as running:
        yield lambda **settings: running.enter_context(running_server(tmp_path, **settings))


@pytest.fixture
def archive_site() -> Iterator[tuple[str, dict[str, bytes]]]:
    """A site on loopback that gives out archives: its address, and what lies under which path."""
    archives: dict[str, bytes] = {}

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = archives.get(self.path)
            self.send_response(200 if found is not None else 404)
            self.send_header("Content-Length", str(len(found or b"")))
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}", archives
        site.shutdown()


@pytest.fixture
def empty_server(tmp_path: Path) -> Iterator[str]:
    with running_server(tmp_path) as address:
        yield address


@pytest.fixture(scope="module")
def kept_tabs(browser: Browser) -> Tabs:
    return Tabs(browser)


@pytest.fixture
def tabs(kept_tabs: Tabs) -> Iterator[Tabs]:
    yield kept_tabs
    kept_tabs.give_back()


@pytest.fixture
def visits(tabs: Tabs) -> Visits:
    return Visits(tabs)


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """The system's Chromium where there is one, else the one Playwright installs; and the event loop it is led by."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first draws for less
    found = next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        launched = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
        yield launched, loop
        asyncio._set_running_loop(loop)
        launched.close()


@pytest.fixture(scope="module")
def browser(chromium: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """As good as new for each file of tests, and begun once for all that a worker takes.

    Between two of its calls its event loop stands still but counts as running in this thread: other files, which have
    loops of their own, must not see it.
    """
    launched, loop = chromium
    asyncio._set_running_loop(loop)
    yield launched
    for context in launched.contexts:
        context.close()
    asyncio._set_running_loop(None)


@dataclass
class Watch:
    """What must not happen on the page: errors, warnings of the policy, requests to anywhere else."""

    origin: str
    troubles: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    pages: list[Page] = field(default_factory=list)

    def over(self, page: Page) -> None:
        self.pages.append(page)
        page.on("console", self._hear)
        page.on("pageerror", self._catch)
        page.on("request", self._see)

    def end(self) -> None:
        """Whatever a page does when it is left, or for a later test, is nothing to us."""
        for page in self.pages:
            page.remove_listener("console", self._hear)
            page.remove_listener("pageerror", self._catch)
            page.remove_listener("request", self._see)

    def forgive(self, words: str) -> None:
        self.troubles = [trouble for trouble in self.troubles if words not in trouble]

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "GL Driver Message" not in message.text:  # software drawing is slow
            self.troubles.append(f"{message.type}: {message.text}")

    def _catch(self, error: BrowserError) -> None:
        self.troubles.append(f"error: {error}")

    def _see(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self.origin, "data:")):
            self.troubles.append(f"request to {request.url}")


@pytest.fixture
def watch(server: str) -> Iterator[Watch]:
    watching = Watch(server)
    yield watching
    assert watching.troubles == []


@pytest.fixture
def open_page(server: str, tabs: Tabs, watch: Watch) -> Iterator[Callable[..., Page]]:
    """Opens the page at an address (colour scheme, width, …)."""

    def open_at(search: str = "", **settings: Any) -> Page:
        page = tabs.take(**settings)
        watch.over(page)
        page.goto(f"{server}/{search}")
        return page

    yield open_at
    watch.end()


@pytest.fixture
def ingest_folder(server: str, data_folder: Path) -> Callable[[Path, str], None]:
    """Reads a folder into the server's library from another process, without the limits of uploads."""

    def ingest(folder: Path, name: str) -> None:
        command = [*LORE, "ingest", folder, "--name", name, "--data", data_folder]
        forked.run(command, check=True, capture_output=True)

    return ingest


@pytest.fixture
def api(server: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{server}/api/skillgraph") as client:
        yield client


@pytest.fixture
def zipped() -> Callable[[dict[str, str]], bytes]:
    """An archive of notes, in memory."""

    def archive(notes: dict[str, str]) -> bytes:
        memory = io.BytesIO()
        with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as target:
            for path, text in notes.items():
                target.writestr(path, text)
        return memory.getvalue()

    return archive
