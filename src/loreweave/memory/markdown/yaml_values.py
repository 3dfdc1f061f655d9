"""Values of front matter as YAML writes them. Text stands bare only where every version of YAML reads it as text."""

import re

_BARE = re.compile(r"[A-Za-z](?:[A-Za-z0-9 _./-]*[A-Za-z0-9_/-])?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_WORDS = {"true", "false", "yes", "no", "on", "off", "y", "n", "null"}  # which some readers take for other than text
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NULLS = {"", "~", "null", "Null", "NULL"}
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_WHOLE = re.compile(r"[-+]?[0-9]+")
_REAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NO_NUMBERS = {".inf": "inf", "+.inf": "inf", "-.inf": "-inf", ".nan": "nan"}
_MOST_DIGITS = 400  # more than any number has that is in bounds anywhere

Scalar = str | int | float | bool | None


def write_text(text: str | None) -> str:
    if text is None:
        return "null"
    if _BARE.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def write_number(value: float) -> str:
    """So that it reads back as the same number; with a point, without which some readers take it for text."""
    mantissa, exponent, power = repr(value).partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{exponent}{power}"


def read_bare(text: str) -> Scalar:
    """What a value without quotes stands for."""
    if text in _NULLS:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if _WHOLE.fullmatch(text):
        return int(text) if len(text) <= _MOST_DIGITS else float("inf")
    if _REAL.fullmatch(text):
        return float(text)
    return float(_NO_NUMBERS[text.lower()]) if text.lower() in _NO_NUMBERS else text


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
