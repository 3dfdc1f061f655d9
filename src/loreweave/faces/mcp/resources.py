"""What can be read by address: the bundled skills, and the sections of the documents."""

from typing import Any

import mcp_types as types
from anyio import to_thread
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from loreweave.errors import LoreError
from loreweave.faces.mcp.bundled_skills import bundled_skills
from loreweave.faces.mcp.section_resources import SectionResources, template

RESOURCE_NOT_FOUND = -32002
Context = ServerRequestContext[Any, Any]


class Resources:
    def __init__(self, sections: SectionResources | None) -> None:
        self._sections = sections

    async def list(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """The skills come first; sections follow, page by page."""
        start = _start(params.cursor if params else None)
        skills = [] if start else [_skill(skill) for skill in bundled_skills()]
        if self._sections is None:
            return types.ListResourcesResult(resources=skills)
        try:
            sections, following = await to_thread.run_sync(self._sections.listed, start)
        except LoreError as refusal:
            raise MCPError(code=types.INTERNAL_ERROR, message=refusal.message) from None
        cursor = None if following is None else str(following)
        return types.ListResourcesResult(resources=[*skills, *sections], next_cursor=cursor)

    async def templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[template()] if self._sections else [])

    async def read(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        for skill in bundled_skills():
            if skill.uri == uri:
                contents = types.TextResourceContents(uri=skill.uri, mime_type="text/markdown", text=skill.text)
                return types.ReadResourceResult(contents=[contents])
        section = await to_thread.run_sync(self._sections.read, uri) if self._sections else None
        if section is None:
            raise MCPError(code=RESOURCE_NOT_FOUND, message="Resource not found", data={"uri": uri})
        return types.ReadResourceResult(contents=[section])


def _skill(skill: Any) -> types.Resource:
    return types.Resource(
        uri=skill.uri,
        name=skill.name,
        description=skill.description,
        mime_type="text/markdown",
        size=len(skill.text.encode()),
    )


def _start(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise MCPError(code=types.INVALID_PARAMS, message="cursor is not one of ours")
    return int(cursor)
