"""The digest file that travels with documents: whether it can be read at all, before anybody takes from it."""

import json
from typing import Any

from loreweave.errors import InvalidInput

DIGEST_VERSION = 1


def read_digest(data: bytes) -> dict[str, Any]:
    """The parsed file; refused where it is none of ours or of another version."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise InvalidInput("The digest is no JSON.", field="digest") from None
    if not isinstance(found, dict) or found.get("version") != DIGEST_VERSION:
        raise InvalidInput(f"The digest is not of version {DIGEST_VERSION}; build it anew.", field="digest")
    return found
