"""Reads a drawn flowchart back, so that what is drawn can be held against what was declared."""

import re
from dataclasses import dataclass

_NODE = re.compile(
    r'^  (?P<name>\w+)(?:\["(?P<box>[^"]*)"\]|\(\["(?P<end>[^"]*)"\]\)|\{"(?P<diamond>[^"]*)"\})$', re.ASCII
)
_EDGE = re.compile(
    r'^  (?P<from>\w+) (?P<arrow>-->|-\.->)(?:\|(?:"(?P<quoted>[^"|]*)"|(?P<plain>[^"|]*))\|)? (?P<to>\w+)$', re.ASCII
)


@dataclass(frozen=True)
class Drawn:
    """Nodes by name: shape and text. Edges: from, arrow, label, to."""

    nodes: dict[str, tuple[str, str]]
    edges: list[tuple[str, str, str | None, str]]
    rest: list[str]


def read_mermaid(text: str) -> Drawn:
    head, start, *lines = text.split("\n")
    assert head == "flowchart TD"
    assert start == "  __start__([▶ start])"
    nodes: dict[str, tuple[str, str]] = {}
    edges: list[tuple[str, str, str | None, str]] = []
    rest: list[str] = []
    for line in lines:
        if node := _NODE.match(line):
            assert not edges, "nodes come before edges"
            assert node["name"] not in nodes, "no name twice"
            shape = next(kind for kind in ("box", "end", "diamond") if node[kind] is not None)
            nodes[node["name"]] = (shape, unescape(node[shape]))
        elif edge := _EDGE.match(line):
            label = edge["quoted"] if edge["quoted"] is not None else edge["plain"]
            edges.append((edge["from"], edge["arrow"], None if label is None else unescape(label), edge["to"]))
        else:
            rest.append(line)
    return Drawn(nodes, edges, rest)


def unescape(text: str) -> str:
    return text.replace("#124;", "|").replace("#quot;", '"').replace("#35;", "#")
