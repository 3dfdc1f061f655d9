"""How steps are written down: as JSON, since a database is no place for code."""

from __future__ import annotations

import json
from typing import Any

from dbos import Serializer


class JsonSerializer(Serializer):
    def serialize(self, data: Any) -> str:
        if isinstance(data, BaseException):
            return json.dumps({"failed": type(data).__name__})
        return json.dumps(data)  # ASCII only: PostgreSQL refuses some of the rest

    def deserialize(self, serialized_data: str) -> Any:
        return json.loads(serialized_data)

    def name(self) -> str:
        return "loreweave_json"
