"""The headers most notes have, read without a YAML parser and exactly as one would read them."""

import re
from typing import TypeAlias

from loreweave.language.headers.header_tree import NULLS

Value: TypeAlias = "str | list[Value] | dict[str, Value] | None"
Pairs = list[tuple[str, Value, int]]  # key as written, value, line counted from 0 inside the header

# Anything else (tabs, control characters, line ends that only YAML knows) goes to the parser.
_ORDINARY = re.compile(r"[\n -~\u00a1-\u1fff\u2010-\u2027\u2030-\ud7ff\uf900-\ufaff]*+")

# A plain scalar: no indicator in front, no ": " or final ":" inside, no " #" (that starts a comment).
_PLAIN = r"(?P<plain>[^\s\-?:,\[\]{}#&*!|>'\"%@`=<](?:[^\s:#]|:(?=\S)|(?<=\S)#|[ ]++(?=[^\s#]))*+)"
_QUOTED = r"\"(?P<double>[^\"\\]*+)\"|'(?P<single>[^']*+)'"
_FLOW_ITEM = r"[ ]*+(?:[^\W_][\w./+()-]*+(?:[ ]++[\w./+()-]++)*+|\"[^\"\\]*+\")[ ]*+"
_FLOW = rf"\[(?P<flow>[ ]*+|{_FLOW_ITEM}(?:,{_FLOW_ITEM})*+)\]"
_WIKILINK = r"\[\[(?P<wikilink>[^\W_][\w./+()-]*+(?:[ ]++[\w./+()-]++)*+)\]\]"  # to YAML a list in a list
_VALUE = rf"(?:{_PLAIN}|{_QUOTED}|{_FLOW}|{_WIKILINK})"
_TAIL = r"(?:[ ]*+|[ ]++#.*)$"
_PAIR = re.compile(rf"(?P<key>[A-Za-z_][\w.]*+(?:-[\w.]++)*+):(?:[ ]++{_VALUE})?{_TAIL}")
_ITEM = re.compile(rf"(?P<indent>[ ]*+)-[ ]++{_VALUE}{_TAIL}")
_IGNORED = re.compile(r"[ ]*+(?:#.*)?$")
_FLOW_ITEMS = re.compile(r"[ ]*+(?:\"([^\"]*+)\"|([^,\"]++))[^,]*+(?:,|$)")


def read_plain_header(inner: str) -> Pairs | None:
    """Key, value and line (from 0) of each pair; None when a line needs the real parser."""
    if not _ORDINARY.fullmatch(inner):
        return None
    pairs: Pairs = []
    items: list[Value] | None = None  # of a key that was followed by nothing so far
    indent: str | None = None
    for number, line in enumerate(inner.split("\n")):
        if _IGNORED.match(line):
            continue
        if pair := _PAIR.match(line):
            value = _value(pair)
            pairs.append((pair["key"], value, number))
            items, indent = ([] if value is None and pair["plain"] is None else None), None
            continue
        item = _ITEM.match(line)
        if item is None or items is None or indent not in (None, item["indent"]):
            return None
        indent = item["indent"]
        items.append(_value(item))
        pairs[-1] = (pairs[-1][0], items, pairs[-1][2])
    return pairs


def _value(match: re.Match[str]) -> Value:
    plain, double, single, flow = match["plain"], match["double"], match["single"], match["flow"]
    if plain is not None:
        return None if plain in NULLS else plain
    if double is not None:
        return double
    if single is not None:
        return single
    if (wikilink := match["wikilink"]) is not None:
        return [[None if wikilink in NULLS else wikilink]]
    if flow is None:
        return None
    return [_flow_item(*item) for item in _FLOW_ITEMS.findall(flow)] if flow.strip() else []


def _flow_item(quoted: str, plain: str) -> str | None:
    plain = plain.strip()
    return quoted if not plain else None if plain in NULLS else plain
