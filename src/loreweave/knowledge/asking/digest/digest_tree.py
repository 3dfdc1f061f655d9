"""A digest as a tree of Markdown files, for people and agents that read folders."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from loreweave.errors import Conflict, InvalidInput
from loreweave.knowledge.asking.digest.tree_folder import TreeFolder, is_confined
from loreweave.knowledge.asking.digest.tree_names import LLMS, META, TreeNames
from loreweave.knowledge.asking.digest.tree_text import read_entry, write_entry

_LISTED = ("terms", "facts", "edges")  # of a section: one item a line, after the rest


def write_tree(
    folder: Path, digest: Mapping[str, Any], sources: Mapping[str, str], list_pages: Callable[[Mapping[str, str]], str]
) -> None:
    """`digest` as it is in the file, `sources` by path; `list_pages` makes llms.txt, given the file of each source.

    What an earlier tree left behind is removed; files that are not ours are never touched.

    The list of our files is written first, with the old ones in it: a process that dies meanwhile leaves nothing of
    which nobody knows whose it is.
    """
    folder.mkdir(parents=True, exist_ok=True)
    place = TreeFolder(folder)
    names = TreeNames()
    files = dict(_entries(digest, names))
    places = {path: names.source(path) for path in sources}
    files[LLMS] = list_pages(places).encode()
    files |= {places[path]: text.encode() for path, text in sources.items()}
    before = _our_files(place)
    strangers = [path for path in (META, *files) if path not in before and place.holds(path)]
    if strangers:
        raise Conflict(
            f"{strangers[0][:200]} in {folder} was not written by a build; it would be lost.", file=strangers[0][:200]
        )
    left = [path for path in before if path not in files and path != META]
    place.write(META, _meta(digest, [*files, *left]))
    for path, data in files.items():
        place.write(path, data)
    for path in left:
        place.remove(path)
    place.write(META, _meta(digest, list(files)))


def _entries(digest: Mapping[str, Any], names: TreeNames) -> Iterator[tuple[str, bytes]]:
    edges: dict[str, list[dict[str, str]]] = {}
    for edge in digest["edges"]:
        edges.setdefault(edge["from"], []).append({"to": edge["to"], "kind": edge["kind"]})
    # The address of a page goes before that of a section that would have the same.
    paths = {
        node["id"]: names.section(node["id"]) for node in sorted(digest["nodes"], key=lambda node: "#" in node["id"])
    }
    for node in digest["nodes"]:
        fields = {key: node[key] for key in sorted(node) if key != "summary" and key not in _LISTED}
        fields |= {"terms": node["terms"], "facts": node["facts"], "edges": edges.get(node["id"], [])}
        yield paths[node["id"]], write_entry(fields, node["summary"])
    for entry in digest["glossary"]:
        fields = {key: entry[key] for key in sorted(entry, reverse=True) if key != "definition"}
        yield names.term(entry["term"]), write_entry(fields, entry["definition"])


def _meta(digest: Mapping[str, Any], files: list[str]) -> bytes:
    elsewhere = ("nodes", "glossary", "edges", "overview")
    fields = {key: digest[key] for key in sorted(digest) if key not in elsewhere}
    return write_entry({**fields, "files": files}, digest["overview"])


def _our_files(place: TreeFolder) -> list[str]:
    data = place.read(META)
    if data is None:
        return []
    try:
        files = read_entry(data, META)[0].get("files")
    except InvalidInput:
        return []
    named = [path for path in files if isinstance(path, str)] if isinstance(files, list) else []
    return [META, *filter(is_confined, named)]
