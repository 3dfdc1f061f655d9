"""Where in the workspace root a path leads, by its words alone; links are refused where they are met."""

import os
from pathlib import Path

from loreweave.contracts.workspace import LONGEST_PATH
from loreweave.errors import Forbidden, InvalidInput

FIELD = "workspace_path"
OWN_FOLDER = ".lore"  # the product's own, in the root
_LONGEST_NAME = 255  # bytes


def workspace_parts(root: Path, path: str) -> tuple[str, ...]:
    """The names on the way from the root to the folder; at least one."""
    _refuse_malformed(path)
    parts = _names(path)
    if path.startswith("/"):
        parts = _inside(root, parts)
    if not parts:
        raise Forbidden(f"{FIELD} must be strictly below the workspace root", field=FIELD)
    if any(part.casefold() == OWN_FOLDER for part in parts):
        raise Forbidden(f"{FIELD} must not lead into {OWN_FOLDER}", field=FIELD)
    return parts


def _refuse_malformed(path: str) -> None:
    if not path.strip():
        raise _refusal("must not be empty")
    if len(path) > LONGEST_PATH:
        raise _refusal(f"must have at most {LONGEST_PATH} characters")
    if "\0" in path:
        raise _refusal("must not contain the character NUL")
    if path.startswith("~"):
        raise _refusal("must not begin with ~")
    if ".." in path.split("/"):
        raise _refusal("must not contain ..")
    try:
        is_too_long = any(len(name.encode()) > _LONGEST_NAME for name in path.split("/"))
    except UnicodeEncodeError:
        raise _refusal("must be valid Unicode") from None
    if is_too_long:
        raise _refusal(f"must not contain a name of over {_LONGEST_NAME} bytes")


def _inside(root: Path, parts: tuple[str, ...]) -> tuple[str, ...]:
    """What is left below the root, as it is configured or as it really is."""
    for place in (_names(str(root.absolute())), _names(os.path.realpath(root))):
        if parts[: len(place)] == place:
            return parts[len(place) :]
    raise Forbidden(f"{FIELD} is outside the workspace root", field=FIELD)


def _names(path: str) -> tuple[str, ...]:
    return tuple(name for name in path.split("/") if name not in ("", "."))


def _refusal(fault: str) -> InvalidInput:
    return InvalidInput(f"{FIELD} {fault}", field=FIELD)
