"""The house keeps its own rules: names, circles, sizes, and nothing that nobody uses."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest
from tests.architecture.source_tree import PAGE, circles, imports, modules

# These only ever fall.
MOST_FILES = 376
MOST_LINES = 51_380
FILES_OF_BUILDS, LINES_OF_BUILDS = 27, 6_526  # what builds and boards added: they came when the rest had been counted
FILES_OF_ONE_PRODUCT, LINES_OF_ONE_PRODUCT = 16, 4_048  # chat, knowledge in builds, provenance, what is outside
FILES_OF_THE_PAGE, LINES_OF_THE_PAGE = 8, 2_371  # what the page asks of the server beyond what every face has
MOST_READ_BY_ONE_NEIGHBOUR = 68
FULL_ROOM = 15
KNOWLEDGE, MOST_LINES_OF_KNOWLEDGE = ("loreweave.knowledge", "loreweave.index"), 12_000


@pytest.mark.holds("house.rules.one-file-one-name")
def test_no_two_files_share_a_name() -> None:
    names = Counter(module.path.name for module in modules().values() if not module.is_room)
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.holds("house.rules.no-circle")
def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports for types alone, and those made when first needed, count."""
    assert circles() == []


@pytest.mark.holds("house.rules.one-meaning-a-word")
def test_no_two_classes_share_a_name() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for module in modules().values():
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(module.name)
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


@pytest.mark.holds("house.rules.a-value-once")
def test_no_value_of_the_wire_is_defined_again_inside() -> None:
    """Two classes with the same three fields or more are one value with two names."""
    homes: dict[frozenset[str], list[str]] = defaultdict(list)
    for module in modules().values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                fields = [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
                names = frozenset(field.id for field in fields if isinstance(field, ast.Name))
                if len(names) >= 3:
                    homes[names].append(f"{module.name}.{node.name}")
    wire = "loreweave.contracts."
    twice = [
        found
        for found in homes.values()
        if any(name.startswith(wire) for name in found) and not all(name.startswith(wire) for name in found)
    ]
    assert twice == []


STAND_IN = "loreweave.work.hardware.simulated_board"  # what it offers is called by the programs of boards


def _defined() -> Iterator[tuple[str, str]]:
    """(name, module) of functions and classes, and of their methods; what a decorator hands on is used by it."""
    for module in modules().values():
        if module.name == STAND_IN:
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.decorator_list:
                yield node.name, module.name


CALLED_FROM_OUTSIDE = {
    *("handle_starttag", "send_400_response", "main_loop", "emit"),  # by a library, of whose classes ours are
    *("do_GET", "do_HEAD", "log_message", "handle_error", "process_request_thread"),
    *("get_toolset", "get_wrapper_toolset", "serialize", "deserialize"),
    "active_skills",  # by those who use the package
}


@pytest.mark.holds("house.rules.nothing-for-tests-alone")
def test_nothing_is_there_for_tests_alone() -> None:
    words: Counter[str] = Counter()
    for module in modules().values():
        words.update(re.findall(r"\w+", module.text))
    alone = [
        f"{module}.{name}"
        for name, module in _defined()
        if words[name] == 1 and not name.startswith("__") and name not in CALLED_FROM_OUTSIDE
    ]
    assert alone == []


@pytest.mark.holds("house.rules.a-file-is-a-story")
def test_files_and_lines_only_become_fewer() -> None:
    assert len(modules()) <= MOST_FILES + FILES_OF_BUILDS + FILES_OF_ONE_PRODUCT + FILES_OF_THE_PAGE
    lines = sum(len(module.text.splitlines()) for module in modules().values())
    assert lines <= MOST_LINES + LINES_OF_BUILDS + LINES_OF_ONE_PRODUCT + LINES_OF_THE_PAGE


@pytest.mark.holds("house.rules.a-file-is-a-story")
def test_the_rooms_of_knowledge_stay_small_with_the_index() -> None:
    rooms = [module for module in modules().values() if module.name.startswith(KNOWLEDGE)]
    assert sum(len(module.text.splitlines()) for module in rooms) < MOST_LINES_OF_KNOWLEDGE


@pytest.mark.holds("house.rules.a-file-is-a-story")
def test_fewer_and_fewer_files_are_read_by_one_neighbour_alone() -> None:
    readers: dict[str, list[str]] = defaultdict(list)
    for reader, targets in imports().items():
        for target in targets:
            readers[target].append(reader)
    known = modules()
    crumbs = [
        name
        for name, found in readers.items()
        if len(found) == 1 and not known[name].is_room and known[found[0]].room == known[name].room
    ]
    assert len(crumbs) <= MOST_READ_BY_ONE_NEIGHBOUR


@pytest.mark.holds("house.rules.a-file-is-a-story")
def test_a_room_holds_at_most_fifteen_files() -> None:
    rooms = Counter(module.room for module in modules().values() if not module.is_room)
    assert {room: count for room, count in rooms.items() if count > FULL_ROOM} == {}


@pytest.mark.holds("house.rules.a-file-is-a-story")
def test_a_folder_of_the_page_holds_at_most_fifteen_files() -> None:
    folders = Counter(path.parent.relative_to(PAGE).as_posix() for path in PAGE.rglob("*.*") if path.is_file())
    assert "map" in folders
    assert {folder: count for folder, count in folders.items() if count > FULL_ROOM} == {}
