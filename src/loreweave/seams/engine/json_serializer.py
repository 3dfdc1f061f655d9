"""How steps are written down: as JSON, since a database is no place for code."""

from __future__ import annotations

import json
from typing import Any

from dbos import Serializer

from loreweave.errors import Unavailable

REFUSED = "The engine's database refused."


class JsonSerializer(Serializer):
    def serialize(self, data: Any) -> str:
        if isinstance(data, BaseException):  # of the database: those of a step are recorded as its outcome
            return json.dumps({"refused": type(data).__name__})
        return json.dumps(data)  # ASCII only: PostgreSQL refuses some of the rest

    def deserialize(self, serialized_data: str) -> Any:
        found = json.loads(serialized_data)
        if isinstance(found, dict) and "refused" in found:
            return Unavailable(REFUSED, part="database")
        return found

    def name(self) -> str:
        return "loreweave_json"
