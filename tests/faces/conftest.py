"""What tests of the faces share: a small vault, archives made of notes, and the app over a real store."""

import importlib.util
import io
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.laid_tables import lay_tables

from loreweave.application import Application, open_application
from loreweave.faces.one_port import one_port_app
from loreweave.settings import Settings

NOTES = {
    "index.md": (
        "---\ntype: moc\ndescription: The map.\ndomain: therapy\n---\n# Index\n\nSee [[reframing]] and [[grounding]].\n"
    ),
    "reframing.md": (
        "---\nname: Reframing\ntype: technique\ndescription: Turning a thought round.\ndomain: therapy\n"
        "tags: [core]\n---\n# Reframing\n\nIt rests on [[grounding]] and on [[thought-journals]].\n"
    ),
    "grounding.md": (
        "---\ntype: technique\ndomain: therapy\n---\n# Grounding\n\nFive senses.\n\n## When\n\nBefore [[reframing]].\n"
    ),
}

MakeClient = Callable[..., TestClient]


def zip_of(notes: Mapping[str, str | bytes]) -> bytes:
    """An archive of these notes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in notes.items():
            archive.writestr(path, text)
    return buffer.getvalue()


@pytest.fixture
def make_zip() -> Callable[[Mapping[str, str | bytes]], bytes]:
    return zip_of


@pytest.fixture
def archive() -> bytes:
    return zip_of(NOTES)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """The same notes as a folder."""
    folder = tmp_path / "vault"
    folder.mkdir()
    for path, text in NOTES.items():
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def make_client(tmp_path: Path) -> Iterator[MakeClient]:
    """A running app with the settings a test asks for; on SQLite, as protocols know no database."""
    opened: list[tuple[TestClient, Application]] = []

    def make(address: str = "http://127.0.0.1:8000", peer: str = "10.1.2.3", **settings: Any) -> TestClient:
        changed = replace(Settings(data_dir=tmp_path / "data", embedder="none"), **settings)
        lay_tables(changed.data_dir)
        application = open_application(changed, start_method="forkserver")
        client = TestClient(one_port_app(application), base_url=address, client=(peer, 50000))
        client.__enter__()
        client.app_state["application"] = application
        opened.append((client, application))
        return client

    yield make
    for client, application in opened:
        client.__exit__(None, None, None)
        application.close()


@pytest.fixture
def client(make_client: MakeClient) -> TestClient:
    return make_client()


@pytest.fixture
def graph(client: TestClient, vault: Path) -> str:
    """The id of the sample graph, ingested."""
    answer = client.app_state["application"].graphs.ingest_folder(vault, name="sample")
    return answer.graphId


@pytest.fixture
def serve() -> Any:
    """`lore serve` in a process of its own: `with serve(data, *options) as address`."""
    spec = importlib.util.spec_from_file_location("served", Path(__file__).with_name("served.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.served
