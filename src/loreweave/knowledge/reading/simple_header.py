"""What can be saved of a header that is no YAML: `key: value` lines, lists, folded text."""

import re

from loreweave.knowledge.reading.header_values import NULLS, Pairs, Value

_PAIR = re.compile(r"([^\W\d][\w .-]{0,63}?)[ \t]*+:(?:[ \t]++(.*))?$")
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+(.*))?$")
_BLOCK_TEXT = re.compile(r"[|>][+-]?\d?[ \t]*$")


def read_simple_header(inner: str) -> Pairs | None:
    """Key, value and line (from 0) of each pair; None when the text is rather prose than a header."""
    entries: list[tuple[str, str, list[str], int]] = []
    strange = 0
    for number, line in enumerate(inner.split("\n")):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        pair = _PAIR.match(line)
        if pair:
            entries.append((pair[1], (pair[2] or "").strip(), [], number))
        elif entries and (line[0] in " \t" or _ITEM.match(line)):
            entries[-1][2].append(line)
        else:
            strange += 1
    if strange > len(entries) or not entries:
        return None
    return [(key, _value(text, more), number) for key, text, more, number in entries]


def _value(text: str, more: list[str]) -> Value:
    if _BLOCK_TEXT.match(text):
        return ("\n" if text[0] == "|" else " ").join(line.strip() for line in more)
    if more and not text and all(_ITEM.match(line) for line in more):
        return [_scalar(match[1] or "") for line in more if (match := _ITEM.match(line))]
    if more:
        text = " ".join([text, *(line.strip() for line in more)]).strip()
    if len(text) >= 2 and text[0] == "[" and text[-1] == "]" and text[1] != "[":
        return [_scalar(item) for item in text[1:-1].split(",") if item.strip()]
    return _scalar(text)


def _scalar(text: str) -> str | None:
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return None if text in NULLS else text
