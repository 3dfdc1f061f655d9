"""Any value as plain JSON, so that what is carried along can be stored."""

from __future__ import annotations

import json
from typing import Any


def plain_json(value: Any) -> Any:
    """A copy made of JSON alone. What JSON cannot say is told as text, and as None where it has none."""
    try:
        return json.loads(json.dumps(value, allow_nan=False, default=str))
    except Exception:  # the value's own code runs here, and it may be too deep
        pass
    try:
        return str(value)
    except Exception:
        return None
