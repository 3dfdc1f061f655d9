"""One entry in a text of settings, put in and taken out so that every other byte stays: comments, order, blanks.

No parser that writes its text anew keeps all of that (a comment below a table of TOML goes with the table), so the text
is cut at places that the parser names. What is made is read again before it is handed on.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

Form = Literal["json", "toml"]
CONTAINERS: dict[Form, str] = {"json": "mcpServers", "toml": "mcp_servers"}
_DECODER = json.JSONDecoder()
_SPACE = " \t\r\n"
_BLANKS = re.compile(r"[ \t\r\n]*")
_STRING = r'"(?:[^"\\]|\\.)*+"'
_COMMENTS = re.compile(rf"{_STRING}|(//[^\n]*|/\*.*?\*/|\ufeff)", re.DOTALL)
_LAST_COMMAS = re.compile(rf"{_STRING}|(,)(?=[ \t\r\n]*[}}\]])", re.DOTALL)
_BEFORE_BLANKS = "\n\n"  # between what was made and the blanks that were there
_DELETE = "\x7f"  # the one character that JSON may hold as it is and TOML may not


class BrokenSettings(ValueError):
    """The text cannot be read as settings, or has a shape in which no entry can be put or found."""


@dataclass(frozen=True, slots=True)
class _Member:
    key: str
    start: int
    value: int
    end: int


def read_entry(form: Form, text: str | None, name: str) -> Any:
    """What stands under the name; None where nothing does."""
    return _container(form, _data(form, text)).get(name)


def put_entry(form: Form, text: str | None, name: str, entry: dict[str, Any]) -> str:
    """The text with the entry under its name, in the place of one that stands there; `text` None is no file yet."""
    data = _data(form, text)
    expected = {**data, CONTAINERS[form]: {**_container(form, data), name: entry}}
    return next(_sound(form, (_put_json if form == "json" else _put_toml)(text, name, entry), expected))


def take_entry(form: Form, text: str, name: str) -> str | None:
    """The text as it was before `put_entry`; None: there was no file. Changed since, it loses the entry alone."""
    entry = read_entry(form, text, name)
    if not isinstance(entry, dict):
        raise BrokenSettings(f"{name} is no entry")
    if put_entry(form, None, name, entry) == text:
        return None
    without = _json_without if form == "json" else _toml_without
    for candidate in without(text, name):
        with suppress(BrokenSettings):
            if put_entry(form, candidate, name, entry) == text:
                return candidate
    data = _data(form, text)
    left = {key: value for key, value in _container(form, data).items() if key != name}
    expected = {**data, CONTAINERS[form]: left}
    return next(_sound(form, without(text, name), expected))


@lru_cache(maxsize=4)  # settings may be many megabytes, and are looked at several times
def _data(form: Form, text: str | None) -> dict[str, Any]:
    """Not to be changed."""
    if text is None or not text.strip("\ufeff" + _SPACE):
        return {}
    try:
        found = tomllib.loads(text.removeprefix("\ufeff")) if form == "toml" else json.loads(_plain(text))
    except (ValueError, RecursionError) as trouble:
        raise BrokenSettings(str(trouble)) from None
    if not isinstance(found, dict):
        raise BrokenSettings("an object was expected")
    return found


def _container(form: Form, data: dict[str, Any]) -> dict[str, Any]:
    found = data.get(CONTAINERS[form], {})
    if not isinstance(found, dict):
        raise BrokenSettings(f"{CONTAINERS[form]} is no {'object' if form == 'json' else 'table'}")
    return found


def _sound(form: Form, made: Iterator[str], expected: dict[str, Any]) -> Iterator[str]:
    """Of the texts those that say what is expected. If need be held as text: a number may be none and equal nothing."""
    if form == "toml" and not _container(form, expected):  # a table is there with what it holds
        expected = {key: value for key, value in expected.items() if key != CONTAINERS[form]}
    for text in made:
        with suppress(BrokenSettings):
            found = _data(form, text)
            if found == expected or repr(found) == repr(expected):
                yield text
    raise BrokenSettings("it is written in a way in which the entry cannot be changed safely: change it by hand")


# JSON, with the comments and last commas that some clients allow.


@lru_cache(maxsize=4)
def _plain(text: str) -> str:
    """The same text with blanks where comments and last commas stand: every place in it stays where it is."""
    with suppress(ValueError, RecursionError):
        json.loads(text)
        return text

    def blank(found: re.Match[str]) -> str:
        return found[0] if found[1] is None else re.sub(r"[^\n]", " ", found[0])

    return _LAST_COMMAS.sub(blank, _COMMENTS.sub(blank, text))


def _members(plain: str, start: int) -> list[_Member]:
    """Of the object whose brace is at `start`, in a text that was read before."""
    found: list[_Member] = []
    place = _skip(plain, start + 1)
    while plain[place] != "}":
        place = _skip(plain, place + 1) if found else place
        key, end = _DECODER.raw_decode(plain, place)
        value = _skip(plain, _skip(plain, end) + 1)
        found.append(_Member(key, place, value, _DECODER.raw_decode(plain, value)[1]))
        place = _skip(plain, found[-1].end)
    if len({member.key for member in found}) < len(found):
        raise BrokenSettings("a name is given twice")
    return found


def _skip(plain: str, place: int) -> int:
    return _BLANKS.match(plain, place).end()  # type: ignore[union-attr]


def _find(members: list[_Member], key: str) -> int | None:
    return next((place for place, member in enumerate(members) if member.key == key), None)


def _put_json(text: str | None, name: str, entry: dict[str, Any]) -> Iterator[str]:
    if text is None or not text.strip("\ufeff" + _SPACE):
        whole = json.dumps({CONTAINERS["json"]: {name: entry}}, ensure_ascii=False, indent=2)
        yield whole + ("\n" if text is None else _BEFORE_BLANKS + text)
        return
    plain = _plain(text)
    start = _skip(plain, 0)
    members = _members(plain, start)
    at = _find(members, CONTAINERS["json"])
    if at is None:
        yield _added(text, plain, start, members, CONTAINERS["json"], {name: entry})
        return
    inner = _members(plain, members[at].value)
    known = _find(inner, name)
    if known is None:
        yield _added(text, plain, members[at].value, inner, name, entry, is_inner=True)
        return
    old = inner[known]
    margin = _margin(text, old.start) if "\n" in text[old.value : old.end] else None
    yield text[: old.value] + _written(entry, margin, _unit(text, members), text) + text[old.end :]


def _added(
    text: str, plain: str, start: int, members: list[_Member], key: str, value: Any, *, is_inner: bool = False
) -> str:
    """After the last member, in its manner; a comment beside that one stays beside it."""
    label = json.dumps(key, ensure_ascii=False) + ": "
    top = members if not is_inner else _members(plain, _skip(plain, 0))
    if not members:  # on one line; the blanks tell a container that was made from one that was there
        blank = "" if is_inner else " "
        made = blank + label + _written(value, None, "", text) + blank
        return text[: start + 1] + made + text[start + 1 :]
    last = members[-1]
    margin = _margin(text, last.start)
    lead = " " if margin is None else _line_end(text) + margin
    made = lead + label + _written(value, margin, _unit(text, top), text)
    line = text[last.end :].partition("\n")[0].rstrip("\r")
    beside = "/" in line and not plain[last.end : last.end + len(line)].strip(_SPACE)
    place = last.end + (len(line) if beside else 0)
    between = text[last.end : place]
    if "," in re.sub(r"//.*|/\*.*?\*/", "", between):  # one that only comments and the end follow
        return text[:place] + made + "," + text[place:]
    return text[: last.end] + "," + between + made + text[place:]


def _margin(text: str, start: int) -> str | None:
    """What stands before a member on its line; None where others stand on the line."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return before if not before.strip(" \t") and "\n" in text[:start] else None


def _unit(text: str, top: list[_Member]) -> str:
    return (_margin(text, top[0].start) if top else None) or "  "


def _written(value: Any, margin: str | None, unit: str, text: str) -> str:
    if margin is None:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    return (_line_end(text) + margin).join(lines)


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _json_without(text: str, name: str) -> Iterator[str]:
    """Texts without all that was made for the entry, then without the entry."""
    plain = _plain(text)
    start = _skip(plain, 0)
    members = _members(plain, start)
    yield text[_DECODER.raw_decode(plain, start)[1] :].removeprefix(_BEFORE_BLANKS)
    at = _find(members, CONTAINERS["json"])
    assert at is not None  # the entry was found
    inner = _members(plain, members[at].value)
    place = _find(inner, name)
    assert place is not None
    if len(inner) == 1:
        yield from _cuts(text, members, at)
    yield from _cuts(text, inner, place)


def _cuts(text: str, members: list[_Member], at: int) -> Iterator[str]:
    """With one comma less, the one before or the one behind, and with or without the blanks there."""
    before, after = text[: members[at].start], text[members[at].end :]
    without_comma = re.sub(r"^[ \t\r\n]*,", "", after)
    if at < len(members) - 1:
        yield before + without_comma.lstrip(_SPACE)
    if at:
        end = members[at - 1].end
        joined = before[:end] + before[end:].replace(",", "", 1)
        yield joined.rstrip(_SPACE) + after
        yield joined + after
    yield before.rstrip(_SPACE) + without_comma
    yield before.rstrip(_SPACE) + after.removeprefix(" ")


# TOML: a table at the end of the file.


def _put_toml(text: str | None, name: str, entry: dict[str, Any]) -> Iterator[str]:
    lines = [f"[{CONTAINERS['toml']}.{name}]", *(f"{key} = {_toml_value(value)}" for key, value in entry.items()), ""]
    if text is None:
        yield "\n".join(lines)
        return
    block = _line_end(text).join(lines)
    for start, rest in _without_tables(text, name) if read_entry("toml", text, name) is not None else ():
        yield rest[:start] + block + rest[start:]
    yield text + _line_end(text) + block


def _toml_value(value: Any) -> str:
    """Texts, numbers and lists of them are written alike in both forms."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml_value(key)} = {_toml_value(inner)}" for key, inner in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False).replace(_DELETE, "\\u007f")


def _toml_without(text: str, name: str) -> Iterator[str]:
    for start, rest in _without_tables(text, name):
        for end in ("\r\n", "\n"):
            if rest[:start].endswith(end):
                yield rest[:start].removesuffix(end) + rest[start:]
        yield rest


def _without_tables(text: str, name: str) -> Iterator[tuple[int, str]]:
    """Without all that looks like tables of the entry; or without one, where others stand inside a text."""
    found = list(_tables(text, name))
    for tables in (found, *([table] for table in found[1:])) if found else ():
        rest = text
        for first, last in reversed(tables):
            rest = rest[:first] + rest[last:]
        yield tables[0][0], rest


def _tables(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Where the table of the entry and those below it begin, and where their last line ends that says something."""
    word = rf"[ \t]*(?:{re.escape(name)}|\"{re.escape(name)}\"|'{re.escape(name)}')[ \t]*"
    holder = CONTAINERS["toml"]
    header = re.compile(rf"[ \t]*\[[ \t]*[\"']?{holder}[\"']?[ \t]*\.{word}(?:\.[^\]\n]*)?\]")
    places = [0, *(found.end() for found in re.finditer("\n", text))]
    begun: int | None = None
    said = 0
    for place, end in zip(places, [*places[1:], len(text)], strict=True):
        line = text[place:end]
        if begun is not None and re.match(r"[ \t]*\[", line):
            yield begun, said
            begun = None
        if begun is None and header.match(line):
            begun = place
        if begun is not None and line.strip(_SPACE) and not line.lstrip(_SPACE).startswith("#"):
            said = end
    if begun is not None:
        yield begun, said
