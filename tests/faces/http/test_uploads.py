"""Archives over the wire: bounded, counted, refused by name."""

from collections.abc import Callable, Iterator

import pytest
from starlette.testclient import TestClient

URL = "/api/skillgraph/ingest"
BOUNDARY = "x-boundary-x"
FORM = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


def part(name: str, value: bytes, filename: str | None = None) -> bytes:
    named = f'Content-Disposition: form-data; name="{name}"' + (f'; filename="{filename}"' if filename else "")
    return f"--{BOUNDARY}\r\n{named}\r\n\r\n".encode() + value + b"\r\n"


def form(*parts: bytes) -> bytes:
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


def send(client: TestClient, *parts: bytes):
    return client.post(URL, content=form(*parts), headers=FORM)


ZIP = part("sourceType", b"zip")


@pytest.mark.holds("graph.ingest.multipart-zip", "graph.ingest.answer-shape", "graph.ingest.optional-name")
def test_a_zip_arrives_as_a_form(client: TestClient, archive: bytes) -> None:
    answer = client.post(URL, files={"file": ("notes.zip", archive)}, data={"sourceType": "zip", "name": "My Notes"})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert (body["graphId"], body["kind"], body["revision"]) == ("my-notes", "skill", 1)
    assert body["metrics"]["nodeCount"] == 3


def test_the_order_of_the_fields_does_not_matter(client: TestClient, archive: bytes) -> None:
    answer = send(client, part("file", archive, "notes.zip"), part("name", b"late"), ZIP)
    assert answer.status_code == 200, answer.text
    assert answer.json()["graphId"] == "late"


def test_the_archives_name_names_the_graph(client: TestClient, archive: bytes) -> None:
    answer = send(client, ZIP, part("file", archive, "Wörter & mehr.zip"))
    assert answer.json()["graphId"] == "wörter-mehr"


def test_a_field_may_arrive_in_single_bytes(client: TestClient, archive: bytes) -> None:
    body = form(part("file", archive, "n.zip"), ZIP, part("headingDepth", b"4"))
    answer = client.post(URL, content=(body[i : i + 1] for i in range(len(body))), headers=FORM)
    assert answer.status_code == 200, answer.text


@pytest.mark.holds("graph.ingest.unknown-source-type", "house.http.unknown-fields", "house.errors.names-field")
@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ([ZIP], "file"),
        ([part("file", b"x", "a.zip")], "sourceType"),
        ([part("sourceType", b"tar"), part("file", b"x", "a.zip")], "sourceType"),
        ([part("sourceType", b"github"), part("file", b"x", "a.zip")], "sourceType"),
        ([ZIP, part("file", b"x", "a.zip"), part("file", b"y", "b.zip")], "file"),
        ([ZIP, part("attachment", b"x", "a.zip")], "file"),
        ([ZIP, ZIP, part("file", b"x", "a.zip")], "sourceType"),
        ([ZIP, part("colour", b"red"), part("file", b"x", "a.zip")], "colour"),
        ([ZIP, part("headingDepth", b"9"), part("file", b"x", "a.zip")], "headingDepth"),
        ([ZIP, part("headingDepth", b"three"), part("file", b"x", "a.zip")], "headingDepth"),
        ([ZIP, part("subdirectory", b"../up"), part("file", b"x", "a.zip")], "subdirectory"),
        ([ZIP, part("name", b"\xff\xfe"), part("file", b"x", "a.zip")], "name"),
        ([ZIP, part("name", b"x" * 70_000), part("file", b"x", "a.zip")], "name"),
    ],
)
def test_a_wrong_form_is_refused_by_field(client: TestClient, parts: list[bytes], field: str) -> None:
    answer = send(client, *parts)
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] == "invalid_input"
    assert answer.json()["field"] == field


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"garbage",
        form(),
        form(ZIP, part("file", b"x", "a.zip"))[:-8],
        part("sourceType", b"zip"),
        f"--{BOUNDARY}\r\nno colon here\r\n\r\nx\r\n--{BOUNDARY}--\r\n".encode(),
        f"--{BOUNDARY}\r\n\r\nx\r\n--{BOUNDARY}--\r\n".encode(),
        f"--{BOUNDARY}\r\n".encode() + b"A: b\r\n" * 10_000,
        f"--{BOUNDARY}\r\nX-Long: ".encode() + b"y" * 200_000,
        form(*[part(f"f{i}", b"") for i in range(40)]),
    ],
)
def test_a_broken_form_is_a_clear_refusal(client: TestClient, body: bytes) -> None:
    answer = client.post(URL, content=body, headers=FORM)
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] == "invalid_input"


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        'multipart/form-data; boundary="' + "b" * 300 + '"',
    ],
)
def test_a_form_without_a_usable_boundary_is_refused(client: TestClient, kind: str) -> None:
    assert client.post(URL, content=form(ZIP), headers={"Content-Type": kind}).status_code == 400


@pytest.mark.holds("graph.ingest.json-github", "graph.ingest.unknown-source-type")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"sourceType": "zip", "source": "x"}, "sourceType"),
        ({"sourceType": "svn", "source": "x"}, "sourceType"),
        ({"source": "https://github.com/a/b"}, "sourceType"),
        ({"sourceType": "github"}, "source"),
        ({"sourceType": "github", "source": "https://example.com/a/b"}, "source"),
        ({"sourceType": "github", "source": "https://github.com/a/b", "branch": "-x"}, "branch"),
        (
            {"sourceType": "github", "source": "https://github.com/a/b", "subdirectory": "/etc"},
            "subdirectory",
        ),
        ({"sourceType": "github", "source": "https://github.com/a/b", "depth": 1}, "depth"),
    ],
)
def test_a_wrong_github_request_is_refused_by_field(client: TestClient, body: dict, field: str) -> None:
    answer = client.post(URL, json=body)
    assert answer.status_code == 400, answer.text
    assert answer.json()["field"] == field


@pytest.mark.holds("graph.ingest.zip-size-limit", "graph.sources.limits-inclusive", "graph.sources.limits-name-facts")
def test_an_upload_at_the_limit_is_read_and_one_byte_more_is_not(make_client, archive: bytes) -> None:
    at_limit = make_client(max_zip_bytes=len(archive))
    assert send(at_limit, ZIP, part("file", archive, "n.zip")).status_code == 200
    below = make_client(max_zip_bytes=len(archive) - 1)
    answer = send(below, ZIP, part("file", archive, "n.zip"))
    assert answer.status_code == 413
    shape = answer.json()
    assert (shape["code"], shape["what"], shape["limit"]) == ("too_large", "zip_bytes", len(archive) - 1)


@pytest.mark.holds("graph.sources.length-header-first")
def test_an_announced_length_above_the_limit_is_refused_unread(make_client) -> None:
    client = make_client(max_zip_bytes=1000)
    read = 0

    def body() -> Iterator[bytes]:
        nonlocal read
        read += 1
        yield b"x"

    headers = {**FORM, "Content-Length": str(10**9)}
    assert client.post(URL, content=body(), headers=headers).status_code == 413
    assert read <= 1  # whoever sends may offer a first piece; nobody asked for a second


@pytest.mark.holds("graph.sources.counted-while-receiving")
def test_an_upload_without_a_length_is_cut_off_at_the_limit(make_client) -> None:
    client = make_client(max_zip_bytes=100_000)
    body = form(ZIP, part("file", b"PK" + b"\0" * 5_000_000, "bomb.zip"))
    answer = client.post(URL, content=(body[i : i + 65536] for i in range(0, len(body), 65536)), headers=FORM)
    assert answer.status_code == 413
    padded = form(ZIP) + b" " * 5_000_000  # an endless epilogue is no way round
    answer = client.post(URL, content=(padded[i : i + 65536] for i in range(0, len(padded), 65536)), headers=FORM)
    assert answer.status_code == 413


@pytest.mark.holds("graph.ingest.refusal-leaves-old-graph")
def test_a_refused_archive_leaves_the_graph_as_it_was(
    client: TestClient, graph: str, make_zip: Callable[[dict], bytes]
) -> None:
    before = client.get("/api/skillgraph/graphs").text
    named = part("name", graph.encode())
    for wrong, status, code in (
        (b"no zip", 400, "bad_archive"),
        (make_zip({}), 400, "empty_archive"),
        (make_zip({"a.txt": "x"}), 422, "no_markdown"),
        (make_zip({f"{i}.md": "" for i in range(501)}), 413, "too_large"),
    ):
        answer = send(client, ZIP, named, part("file", wrong, "n.zip"))
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert client.get("/api/skillgraph/graphs").text == before


@pytest.mark.holds("graph.ingest.multipart-zip")
def test_a_branch_is_taken_and_means_nothing_to_an_archive(client: TestClient, archive: bytes) -> None:
    for branch in (b"main", b""):
        answer = send(client, ZIP, part("branch", branch), part("file", archive, "n.zip"))
        assert answer.status_code == 200, answer.text
    assert answer.json()["unchanged"] is True
