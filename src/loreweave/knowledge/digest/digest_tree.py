"""A digest as a tree of Markdown files, for people and agents that read folders."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from loreweave.errors import Conflict, InvalidInput, LoreError
from loreweave.seams.host.confined_folder import ConfinedFolder

GLOSSARY, SOURCES, META, LLMS = "_glossary", "_source", "_meta.md", "llms.txt"
_LONGEST = 150  # bytes of a name before it is cut; file systems take 255, some fewer
_OBJECTED = re.compile('[\x00-\x1f\x7f-\x9f<>:"/\\\\|?*%#\ud800-\udfff]')
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?\Z", re.IGNORECASE | re.DOTALL)


class TreeNames:
    """Deals out paths; one that would meet another on a file system that folds letters is spelled another way."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def section(self, identity: str) -> str:
        """`guide#install` → guide/install.md."""
        page, _, anchor = identity.partition("#")
        folders = page.split("/")
        ways = [[*folders, anchor], [*folders[:-1], identity.rpartition("/")[2]]] if anchor else [folders]
        if "/" in anchor:
            ways = [[*folders, *anchor.split("/")]]
        return self._dealt([_apart(_safe_path(way)) for way in ways], ".md", identity)

    def term(self, term: str) -> str:
        return self._dealt([[GLOSSARY, _safe(term)]], ".md", term)

    def source(self, path: str) -> str:
        return self._dealt([[SOURCES, *_safe_path(path.split("/"))]], "", path)

    def _dealt(self, ways: list[list[str]], ending: str, meant: str) -> str:
        spelled = _shortened("".join(f"%{byte:02X}" for byte in meant.encode("utf-8", "surrogatepass")))
        for way in (*ways, [*ways[0][:-1], spelled]):
            path = "/".join(way) + ending
            folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKD", path).casefold())
            if folded not in self._taken:
                self._taken.add(folded)
                return path
        raise InvalidInput(f"No file can be named after {meant[:200]!r}.")


def _safe_path(parts: Sequence[str]) -> list[str]:
    return [*map(_safe_folder, parts[:-1]), _safe(parts[-1])]


def _apart(parts: list[str]) -> list[str]:
    """Not among the names that are ours."""
    return [_percent_first(parts[0]), *parts[1:]] if parts[0].startswith("_") else parts


def _safe(name: str) -> str:
    """What a file system would object to is written as %XX."""
    text = _OBJECTED.sub(
        lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass")), name
    )
    if text.startswith((".", " ")) or _DEVICES.match(text):
        text = _percent_first(text)
    if text.endswith((".", " ")):
        text = text[:-1] + f"%{ord(text[-1]):02X}"
    return _shortened(text or "%")


def _safe_folder(name: str) -> str:
    """A folder never looks like one of our files."""
    text = _safe(name)
    stem, dot, ending = text.rpartition(".")
    return f"{stem}%2E{ending}" if dot and ending.casefold() in ("md", "mdx", "markdown", "txt") else text


def _shortened(text: str) -> str:
    if len(text.encode()) <= _LONGEST:
        return text
    cut = text.encode()[: _LONGEST - 30].decode("utf-8", "ignore")
    cut = cut[: cut.rindex("%")] if "%" in cut[-2:] else cut
    return f"{cut}%7E{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _percent_first(text: str) -> str:
    return f"%{ord(text[0]):02X}{text[1:]}"


_FOLDED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")  # YAML would read them as breaks, or not at all


def write_entry(fields: dict[str, Any], body: str) -> bytes:
    """Lists stand one item a line: a change is one line of a diff."""
    lines = ["---"]
    for name, value in fields.items():
        if isinstance(value, list) and value:
            lines += [f"{name}:", *(f"- {_one_line(item)}" for item in value)]
        else:
            lines.append(f"{name}: {_one_line(value)}")
    return "\n".join([*lines, "---", "", body, ""]).encode()


def _one_line(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return _FOLDED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_LARGEST = 1 << 30  # bytes of a file of ours
_LEADS_ELSEWHERE = re.compile(r"(?:\A|/)\.{0,2}(?:/|\Z)|[\\\0]")
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
    place = ConfinedFolder(folder, field="tree", lasting=False)
    names = TreeNames()
    files = dict(_entries(digest, names))
    places = {path: names.source(path) for path in sources}
    files[LLMS] = list_pages(places).encode()
    files |= {places[path]: text.encode() for path, text in sources.items()}
    before = _our_files(place)
    strangers = [path for path in (META, *files) if path not in before and _holds(place, path)]
    if strangers:
        raise Conflict(
            f"{strangers[0][:200]} in {folder} was not written by a build; it would be lost.", file=strangers[0][:200]
        )
    left = [path for path in before if path not in files and path != META]
    _write(place, META, _meta(digest, [*files, *left]))
    for path, data in files.items():
        _write(place, path, data)
    for path in left:
        place.remove_file(path)
    _write(place, META, _meta(digest, list(files)))


def _holds(place: ConfinedFolder, path: str) -> bool:
    """Whether anything stands there, or in the way: a file, a folder, a link."""
    try:
        return place.kind_of(path) is not None
    except LoreError:
        return True


def _read(place: ConfinedFolder, path: str) -> bytes | None:
    with suppress(LoreError):
        return place.read_bytes(path, _LARGEST)
    return None


def _write(place: ConfinedFolder, path: str, data: bytes) -> None:
    """An equal file is left alone."""
    try:
        if _read(place, path) != data:
            place.write_bytes(path, data)
    except LoreError as trouble:
        raise Conflict(f"{path[:200]} cannot be written: {trouble.message}", file=path[:200]) from trouble


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


def _our_files(place: ConfinedFolder) -> list[str]:
    """What a tree says of its files is believed where it can only lead below the folder."""
    listed = (_read(place, META) or b"").partition(b"\nfiles:\n")[2].partition(b"\n---\n")[0]
    try:
        named = [json.loads(line[2:]) for line in listed.split(b"\n") if line]
    except ValueError:
        return []
    texts = (path for path in named if isinstance(path, str))
    return [META, *(path for path in texts if not _LEADS_ELSEWHERE.search(path))] if named else []
