"""Design files are saved and loaded strictly below the workspace root; the root is a wall."""

import json
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loreweave.contracts.session import WorkspaceSaveRequest
from loreweave.contracts.wire import to_json
from loreweave.errors import Forbidden, InvalidInput, LoreError, NotFound, TooLarge
from loreweave.work.workspaces.workspace_service import LARGEST, MOST_VALUES, WorkspaceService

DESIGN: dict[str, Any] = {
    "workspace_json": {"blocks": {"blocks": [{"type": "goal", "fields": {"TEXT": "ein Spiel für zwei"}}]}},
    "skills": [{"id": "s", "name": "S", "prompt": "{{x}}", "category": "agent"}],
    "rules": [{"id": "r", "name": "R", "prompt": "p", "trigger": "always"}],
    "portals": [{"id": "p"}],
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "workspaces"


@pytest.fixture
def service(root: Path) -> WorkspaceService:
    return WorkspaceService(root)


def save(service: WorkspaceService, path: str, **given: Any) -> None:
    answer = service.save(WorkspaceSaveRequest(workspace_path=path, **given))
    assert to_json(answer) == b'{"status":"saved"}\n'


def outside(root: Path) -> list[str]:
    return sorted(str(path) for path in root.parent.rglob("*") if not path.is_relative_to(root))


@pytest.mark.holds("session.workspace.save-load")
@pytest.mark.parametrize("shape", ["relative", "absolute", "deep", "slashes"])
def test_what_was_saved_is_loaded(service: WorkspaceService, root: Path, shape: str) -> None:
    paths = {"relative": "game", "absolute": f"{root}/game", "deep": "a/b/c d/ü", "slashes": f"/{root}//a/./b/"}
    save(service, paths[shape], **DESIGN)
    loaded = json.loads(to_json(service.load(paths[shape])))
    assert loaded == {"workspace": DESIGN["workspace_json"], **{name: DESIGN[name] for name in list(DESIGN)[1:]}}


@pytest.mark.holds("session.workspace.save-load")
def test_only_the_files_given_are_written(service: WorkspaceService, root: Path) -> None:
    save(service, "game", **DESIGN)
    save(service, "game", rules=[], skills=None)
    assert service.load("game").rules == []
    assert service.load("game").skills == DESIGN["skills"]
    save(service, "other", skills=[])
    assert os.listdir(root / "other") == ["skills.json"]
    save(service, "empty")
    assert os.listdir(root / "empty") == []


@pytest.mark.holds("session.workspace.save-load")
def test_what_is_absent_loads_empty(service: WorkspaceService) -> None:
    save(service, "game")
    assert json.loads(to_json(service.load("game"))) == {"workspace": {}, "skills": [], "rules": [], "portals": []}
    with pytest.raises(NotFound):
        service.load("absent")
    with pytest.raises(NotFound):
        service.load("absent/deeper")


@pytest.mark.holds("session.workspace.save-load")
def test_a_file_of_the_person_stays(service: WorkspaceService, root: Path) -> None:
    (root / "game").mkdir(parents=True)
    (root / "game" / "README.md").write_text("mine")
    save(service, "game", **DESIGN)
    assert (root / "game" / "README.md").read_text() == "mine"


UNREADABLE = {
    "no JSON": b"{",
    "empty": b"",
    "no text": b"\xff\xfe\xff",
    "wrong kind": b'"text"',
    "nested": b"[" * 100_000,
    "number": b'{"a": [NaN]}',
    "great number": b'{"a": 1e999}',
    "long number": b'{"a": ' + b"9" * 10_000 + b"}",
    "half a character": b'{"a": "\\ud800"}',
    "large": b'{"a": "' + b"x" * LARGEST + b'"}',
}


@pytest.mark.holds("session.workspace.unreadable")
@pytest.mark.parametrize("file", ["workspace.json", "skills.json", "rules.json", "portals.json"])
@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_an_unreadable_file_is_named(service: WorkspaceService, root: Path, file: str, data: bytes) -> None:
    save(service, "game", **DESIGN)
    (root / "game" / file).write_bytes(data if file == "workspace.json" or not data else b"[" + data + b"]")
    with pytest.raises(InvalidInput, match=file.replace(".", "[.]")) as refused:
        service.load("game")
    assert refused.value.facts["file"] == file


@pytest.mark.holds("session.workspace.unreadable")
def test_a_folder_or_a_pipe_in_place_of_a_file_is_named(service: WorkspaceService, root: Path) -> None:
    save(service, "game", **DESIGN)
    (root / "game" / "rules.json").unlink()
    (root / "game" / "rules.json").mkdir()
    with pytest.raises(InvalidInput, match="rules"):
        service.load("game")
    with pytest.raises(InvalidInput, match="rules"):
        save(service, "game", rules=[])
    (root / "game" / "rules.json").rmdir()
    os.mkfifo(root / "game" / "rules.json")
    with pytest.raises(InvalidInput, match="rules"):
        service.load("game")


UP = ["..", "../x", "a/../b", "a/..", "/../x"]
MALFORMED = ["", " ", *UP, "~", "~/x", "~root/x", "a\0b", "a" * 501, "a" * 256, "\ud800"]
OWN = [".lore", ".lore/scratch", "a/.lore/b", ".LORE/x"]
FORBIDDEN = ["/", "/etc", "/tmp/x", ".", "./", *OWN, "{root}", "{root}/", "{root}x"]


@pytest.mark.holds("session.workspace.wall")
@pytest.mark.parametrize("path", [*MALFORMED, *FORBIDDEN])
def test_paths_that_lead_nowhere_or_outside_are_refused(service: WorkspaceService, root: Path, path: str) -> None:
    root.mkdir()
    (root.parent / "workspacesx").mkdir()
    before = outside(root)
    refusal = InvalidInput if path in MALFORMED else Forbidden
    path = path.replace("{root}", str(root))
    with pytest.raises(refusal) as refused:
        service.load(path)
    assert refused.value.facts["field"] == "workspace_path"
    assert ("LORE_WORKSPACE_ROOT" in refused.value.message) == (path not in [*MALFORMED, *OWN])
    with pytest.raises(refusal):
        service.save(WorkspaceSaveRequest.model_construct(workspace_path=path, **DESIGN))
    assert outside(root) == before
    assert list(root.iterdir()) == []


@pytest.mark.holds("session.workspace.wall")
def test_a_path_may_have_500_characters(service: WorkspaceService) -> None:
    path = "/".join(["a" * 123] * 4) + "/b"
    longest = path + "c" * (500 - len(path))
    save(service, longest, **DESIGN)
    assert service.load(longest).skills == DESIGN["skills"]


@pytest.mark.holds("session.workspace.wall")
def test_a_file_in_place_of_a_folder_is_refused(service: WorkspaceService, root: Path) -> None:
    root.mkdir()
    (root / "file").write_text("x")
    for path in ("file", "file/below", "file/below/it"):
        for call in (lambda path=path: service.load(path), lambda path=path: save(service, path, **DESIGN)):
            with pytest.raises(InvalidInput) as refused:
                call()
            assert refused.value.facts["field"] == "workspace_path"
    assert (root / "file").read_text() == "x"


@pytest.mark.holds("session.workspace.wall")
@pytest.mark.parametrize("path", ["link", "link/below", "real/link", "real/link/below", "inner", "dangling"])
def test_a_link_anywhere_on_the_way_is_forbidden(service: WorkspaceService, root: Path, path: str) -> None:
    target = root.parent / "elsewhere"
    (target / "below").mkdir(parents=True)
    (root / "real").mkdir(parents=True)
    (root / "link").symlink_to(target)
    (root / "real" / "link").symlink_to(target)
    (root / "inner").symlink_to("real")  # one that stays inside is a link all the same
    (root / "dangling").symlink_to(root / "nowhere")
    before = outside(root)
    with pytest.raises(Forbidden):
        save(service, path, **DESIGN)
    with pytest.raises(Forbidden):
        service.load(path)
    assert outside(root) == before
    assert not (root / "nowhere").exists()


@pytest.mark.holds("session.workspace.wall")
def test_a_design_file_that_is_a_link_is_neither_read_nor_replaced(service: WorkspaceService, root: Path) -> None:
    secret = root.parent / "secret.json"
    secret.write_text("[]")
    save(service, "game", skills=[])
    (root / "game" / "rules.json").symlink_to(secret)
    with pytest.raises(Forbidden):
        service.load("game")
    with pytest.raises(Forbidden):
        save(service, "game", **DESIGN)
    assert secret.read_text() == "[]"
    assert sorted(os.listdir(root / "game")) == ["rules.json", "skills.json"]  # nothing else was begun


@pytest.mark.holds("session.workspace.wall")
def test_a_root_that_is_reached_through_a_link_works_by_both_names(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "root").symlink_to(tmp_path / "real")
    service = WorkspaceService(tmp_path / "root")
    save(service, str(tmp_path / "root" / "game"), **DESIGN)
    assert service.load(f"{tmp_path}/real/game") == service.load("game")


@pytest.mark.holds("session.workspace.wall")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["..", ".", "", "a", "b", ".lore", "~", "link", "elsewhere", "\0"]), max_size=6))
def test_no_path_of_any_words_leaves_the_root(service: WorkspaceService, root: Path, names: list[str]) -> None:
    target = root.parent / "elsewhere"
    target.mkdir(exist_ok=True)
    root.mkdir(exist_ok=True)
    with suppress(FileExistsError):
        (root / "link").symlink_to(target)
    before = outside(root)
    for path in ("/".join(names), f"{root}/" + "/".join(names)):
        with suppress(LoreError, ValueError):
            save(service, path, skills=[])
        with suppress(LoreError):
            service.load(path)
    assert outside(root) == before
    assert not (root / "skills.json").exists()
    assert not (root / ".lore").exists()


@pytest.mark.holds("session.workspace.race")
def test_five_hundred_saves_past_a_folder_that_turns_into_a_link(service: WorkspaceService, root: Path) -> None:
    target = root.parent / "elsewhere"
    (target / "inner").mkdir(parents=True)
    (root / "game").mkdir(parents=True)
    is_over = threading.Event()
    swaps = 0

    def swap() -> None:
        nonlocal swaps
        while not is_over.is_set():
            parked = root / f"parked-{swaps}"
            with suppress(OSError):
                os.rename(root / "game", parked)
                os.symlink(target, root / "game")
                os.unlink(root / "game")
            with suppress(OSError):
                os.rename(parked, root / "game")
            swaps += 1

    before = outside(root)
    swapper = threading.Thread(target=swap)
    swapper.start()
    saved = 0
    try:
        for number in range(500):
            with suppress(LoreError):
                save(service, "game/inner", skills=[{"id": str(number)}])
                saved += 1
    finally:
        is_over.set()
        swapper.join()
    assert outside(root) == before
    assert min(swaps, saved) > 0


@pytest.mark.holds("session.workspace.atomic")
def test_a_reader_beside_writers_sees_one_whole_version(service: WorkspaceService) -> None:
    versions = [[{"id": str(number), "filler": "x" * 50_000 * number}] for number in (1, 2, 3)]
    save(service, "game", skills=versions[0])
    is_over = threading.Event()

    def write(version: list[dict[str, Any]]) -> None:
        while not is_over.is_set():
            save(service, "game", skills=version)

    writers = [threading.Thread(target=write, args=(version,)) for version in versions]
    for writer in writers:
        writer.start()
    try:
        for _ in range(200):
            assert service.load("game").skills in versions
    finally:
        is_over.set()
        for writer in writers:
            writer.join()
    assert os.listdir(service.folder_for("game").path) == ["skills.json"]


@pytest.mark.holds("session.workspace.limits")
def test_hostile_values_are_refused_and_nothing_is_written(service: WorkspaceService, root: Path) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    hostile = [
        {"workspace_json": {"a": deep}},
        {"skills": [{"a": deep}]},
        {"workspace_json": {"a": float("nan")}},
        {"workspace_json": {"a": "\ud800"}},
        {"workspace_json": {"\ud800": 1}},
        {"workspace_json": {"a": object()}},
        {"workspace_json": {"a": [0] * MOST_VALUES}},
    ]
    for given_value in hostile:
        with pytest.raises(InvalidInput) as refused:
            save(service, "game", portals=[], **given_value)
        assert refused.value.facts["field"] in given_value
    with pytest.raises(TooLarge):
        save(service, "game", portals=[], workspace_json={"a": "x" * LARGEST})
    assert not root.exists()


@pytest.mark.holds("session.workspace.limits")
def test_a_long_chain_of_blocks_is_saved_and_loaded(service: WorkspaceService) -> None:
    """Each block of a stack nests two levels deeper than the one above it."""
    block: dict[str, Any] = {"type": "skill_output"}
    for _ in range(95):
        block = {"type": "skill_set_context", "next": {"block": block}}
    chain = {"blocks": {"blocks": [block]}}
    save(service, "game", workspace_json=chain)
    assert json.loads(to_json(service.load("game")))["workspace"] == chain


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.holds("session.workspace.save-load")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text(), JSON, max_size=4), st.lists(st.dictionaries(st.text(), JSON, max_size=2), max_size=3))
def test_any_json_comes_back_as_it_went(service: WorkspaceService, workspace: Any, rules: Any) -> None:
    with suppress(InvalidInput):  # a text that no file can hold
        save(service, "game", workspace_json=workspace, rules=rules)
        loaded = service.load("game")
        assert (loaded.workspace, loaded.rules) == (workspace, rules)


@pytest.mark.holds("session.workspace.designs", "page.studio.design-list")
def test_saved_designs_are_listed_newest_first_and_nothing_behind_a_link(service: WorkspaceService, root: Path) -> None:
    assert to_json(service.designs(10)) == b'{"designs":[],"total":0}\n'
    plan = {"kind": "plan", "document": {"plan": {"skillName": " Picnic ", "steps": []}}}
    build = {"kind": "build", "document": {"project": {"goal": "G" * 300}}}
    for number, (name, design) in enumerate({"one": plan, "two": build, "ünamed": {"document": {}}}.items()):
        save(service, f"designs/{name}", workspace_json=design)
        os.utime(root / "designs" / name / "workspace.json", (1_700_000_000 + number, 1_700_000_000 + number))
    save(service, "elsewhere/game", workspace_json=plan)
    save(service, "designs/blocks", **DESIGN)  # no design of the page
    (root / "designs" / "broken").mkdir()
    (root / "designs" / "broken" / "workspace.json").write_text("{")
    (root / "designs" / "linked").symlink_to(root / "elsewhere" / "game")
    (root / "designs" / "file").mkdir()
    (root / "designs" / "file" / "workspace.json").symlink_to(root / "elsewhere" / "game" / "workspace.json")
    listed = service.designs(10)
    assert [(each.id, each.kind, each.name) for each in listed.designs] == [
        ("ünamed", "plan", ""), ("two", "build", "G" * 200), ("one", "plan", "Picnic"),
    ]  # fmt: skip
    assert listed.designs[-1].saved_at == "2023-11-14T22:13:20.000Z"
    assert listed.total == 5
    assert [each.id for each in service.designs(1).designs] == ["ünamed"]
    (root / "designs").rename(root.parent / "designs")
    (root / "designs").symlink_to(root.parent / "designs")
    with pytest.raises(Forbidden, match="link"):
        service.designs(10)
