"""A digest read back from its tree, which shows that nothing is lost on the way."""

import json
from pathlib import Path
from typing import Any

from loreweave.knowledge.digest.digest_tree import META


def read_tree(folder: Path) -> dict[str, Any]:
    """The digest as it is in the file."""
    fields, overview = read_entry((folder / META).read_bytes())
    names = fields.pop("files")
    digest = {**fields, "overview": overview, "nodes": [], "glossary": [], "edges": []}
    for name in names:
        if name.endswith(".md") and not name.startswith("_source/"):
            _take_entry(digest, *read_entry((folder / name).read_bytes()))
    digest["edges"].sort(key=lambda edge: (edge["from"], edge["to"], edge["kind"]))
    return digest


def _take_entry(digest: dict[str, Any], fields: dict[str, Any], body: str) -> None:
    if "term" in fields:
        digest["glossary"].append({**fields, "definition": body})
        return
    edges = fields.pop("edges")
    digest["nodes"].append({**fields, "summary": body})
    digest["edges"] += [{"from": fields["id"], "to": edge["to"], "kind": edge["kind"]} for edge in edges]


def read_entry(data: bytes) -> tuple[dict[str, Any], str]:
    """What write_entry was given."""
    text = data.decode()
    assert text.startswith("---\n")
    header, separator, body = text[4:].partition("\n---\n\n")
    assert separator
    assert body.endswith("\n")
    return _fields(header), body[:-1]


def _fields(header: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    last: list[Any] = []
    for line in header.split("\n"):
        if line.startswith("- "):
            last.append(json.loads(line[2:]))
            continue
        name, colon, value = line.partition(":")
        assert colon
        last = []
        fields[name] = json.loads(value) if value else last
    return fields
