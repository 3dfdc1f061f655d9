"""Values of a header as YAML of the plainest kind: texts in double quotes or literal blocks, no flow style."""

from __future__ import annotations

import json
import re

_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_LITERAL = re.compile(r"[\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff\n]*")
_RULE = "---"  # some readers look for it anywhere, to find the end of a header


def json_text(text: str) -> str:
    """As JSON writes it, with nothing in it that anybody takes for the end of a line."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def quoted_text(text: str) -> str:
    """On one line, in double quotes."""
    return json_text(text).replace(_RULE, "--\\x2d")


def block_text(text: str, indent: str) -> str:
    """Several lines as they are where YAML allows it; else in quotes."""
    body = text.rstrip("\n")
    lines = body.split("\n")
    plain = _LITERAL.fullmatch(body) and _RULE not in body and lines[0].strip() and lines[0][0] != " "
    if not plain or any(line != line.rstrip() for line in lines):
        return quoted_text(text)
    return "|\n" + "\n".join(f"{indent}  {line}" if line else "" for line in lines)
