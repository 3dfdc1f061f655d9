"""A digest read back from its tree, which shows that nothing is lost on the way."""

from pathlib import Path
from typing import Any

from loreweave.knowledge.digest.digest_tree import META, read_entry


def read_tree(folder: Path) -> dict[str, Any]:
    """The digest as it is in the file."""
    fields, overview = read_entry((folder / META).read_bytes(), META)
    names = fields.pop("files")
    digest = {**fields, "overview": overview, "nodes": [], "glossary": [], "edges": []}
    for name in names:
        if name.endswith(".md") and not name.startswith("_source/"):
            _take_entry(digest, *read_entry((folder / name).read_bytes(), name))
    digest["edges"].sort(key=lambda edge: (edge["from"], edge["to"], edge["kind"]))
    return digest


def _take_entry(digest: dict[str, Any], fields: dict[str, Any], body: str) -> None:
    if "term" in fields:
        digest["glossary"].append({**fields, "definition": body})
        return
    edges = fields.pop("edges")
    digest["nodes"].append({**fields, "summary": body})
    digest["edges"] += [{"from": fields["id"], "to": edge["to"], "kind": edge["kind"]} for edge in edges]
