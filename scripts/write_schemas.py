"""Writes the files of schema/ from the code; a test holds the committed files to it.

python scripts/write_schemas.py [--check]
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from loreweave.application import open_application
from loreweave.contracts.session_events import SessionEvent
from loreweave.faces.http.openapi_document import openapi_document
from loreweave.faces.mcp.toolsets import described, open_toolsets
from loreweave.operations.table import OPERATIONS
from loreweave.settings import Settings

FOLDER = Path(__file__).resolve().parents[1] / "schema"


def generated() -> dict[str, str]:
    """The text of every schema file, by name."""
    with tempfile.TemporaryDirectory() as data:
        application = open_application(Settings(data_dir=Path(data), embedder="none"))
        try:
            tools = open_toolsets(application)
            documents = {
                "openapi.json": openapi_document(OPERATIONS),
                "mcp-tools.json": [_tool(described(tool.operation, structured=False)) for tool in tools],
                "mcp-tools-structured.json": [_tool(described(tool.operation, structured=True)) for tool in tools],
                "session_events.json": _events(),
            }
        finally:
            application.close()
    return {name: _text(document) for name, document in documents.items()}


def _tool(tool: Any) -> Any:
    return tool.model_dump(by_alias=True, mode="json", exclude_none=True)


def _events() -> dict[str, Any]:
    """What a WebSocket sends: each event as it is recorded, with the number and the time it was stored under."""
    schema = TypeAdapter(SessionEvent).json_schema(mode="serialization", by_alias=True)
    for reference in schema["discriminator"]["mapping"].values():
        event = schema["$defs"][reference.rpartition("/")[2]]
        event["properties"]["seq"] = {"type": "integer", "minimum": 1}
        event["properties"]["ts"] = {"type": "string", "format": "date-time"}
        event["required"] = ["type", *event.get("required", []), "seq", "ts"]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "SessionEvent", **schema}


def _text(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    texts = generated()
    if "--check" in sys.argv:
        stale = [name for name, text in texts.items() if (FOLDER / name).read_text(encoding="utf-8") != text]
        sys.exit(f"run scripts/write_schemas.py: {', '.join(stale)}" if stale else 0)
    for name, text in texts.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"schema/{name}: {len(text)} characters")
