"""A memory as a Markdown file: front matter, the content exactly as it is, and one newline."""

from collections.abc import Iterable

from loreweave.clock import format_instant
from loreweave.entities.memory import Memory, Relation
from loreweave.memory.markdown.yaml_values import write_number, write_text
from loreweave.memory.states import shown

RULE = "---"


def write_memory_file(memory: Memory, relations: Iterable[Relation]) -> bytes:
    """`relations`: the outgoing ones."""
    lines = [
        RULE,
        f"node_id: {write_text(memory.node_id)}",
        f"name: {write_text(memory.name)}",
        f"scope: {write_text(memory.scope)}",
        f"importance: {write_number(memory.importance)}",
        *_list("tags", [f"- {write_text(tag)}" for tag in sorted(memory.tags)]),
        f"source: {write_text(memory.source)}",
        f"created_at: {write_text(format_instant(memory.created_at))}",
        f"version: {memory.version}",
        f"valid_from: {write_text(shown(memory.valid_from))}",
        f"valid_until: {write_text(shown(memory.valid_until))}",
        *_list("relations", _relations(relations)),
        RULE,
        "",
    ]
    return ("\n".join(lines) + memory.content + "\n").encode()


def _list(name: str, entries: list[str]) -> list[str]:
    return [f"{name}:", *(f"  {entry}" for entry in entries)] if entries else [f"{name}: []"]


def _relations(relations: Iterable[Relation]) -> list[str]:
    lines = []
    for each in sorted(relations, key=lambda relation: (relation.target_id, relation.type)):
        lines += [
            f"- target_id: {write_text(each.target_id)}",
            f"  type: {write_text(each.type)}",
            f"  weight: {write_number(each.weight)}",
        ]
    return lines
