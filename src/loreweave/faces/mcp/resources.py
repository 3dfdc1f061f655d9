"""What can be read by address: the skills that come with the product, and the sections of the documents."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any
from urllib.parse import quote, unquote

import mcp_types as types
from anyio import to_thread
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from loreweave.application import Application
from loreweave.errors import LoreError, NotFound
from loreweave.faces.mcp.fitted_text import start_of

SKILL_ADDRESS = "skill://{name}/SKILL.md"
SECTION_ADDRESS = "ask://section/"
MARKDOWN = "text/markdown"
PAGE_SIZE = 200
RESOURCE_NOT_FOUND = -32002
Context = ServerRequestContext[Any, Any]


@dataclass(frozen=True, slots=True)
class BundledSkill:
    name: str
    description: str
    text: str

    @property
    def uri(self) -> str:
        return SKILL_ADDRESS.format(name=self.name)


@cache
def bundled_skills() -> tuple[BundledSkill, ...]:
    """Every folder with a SKILL.md of its own, by name."""
    found = []
    for folder in sorted(files("loreweave.bundled_skills").iterdir(), key=lambda entry: entry.name):
        skill = folder / "SKILL.md"
        if folder.is_dir() and skill.is_file():
            found.append(_read(folder.name, skill))
    return tuple(found)


def _read(name: str, skill: Traversable) -> BundledSkill:
    """Our own files have one-line header fields; no more of the format is read here."""
    text = skill.read_text(encoding="utf-8")
    _, header, _ = text.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in header.splitlines() if ": " in line)
    return BundledSkill(name, fields.get("description", "").strip('"'), text)


class SectionResources:
    """Sections of the graph that is asked when none is named; the text is the very slice of its document."""

    def __init__(self, application: Application) -> None:
        self._application = application

    def listed(self, start: int) -> tuple[list[types.Resource], int | None]:
        """A page of the list from `start`, and where the next begins."""
        sections = self._application.asking.sections().sections
        page = [
            types.Resource(
                uri=SECTION_ADDRESS + quote(section.id, safe="/"),
                name=section.id,
                title=section.title + (f" › {section.heading}" if section.heading else ""),
                mime_type=MARKDOWN,
            )
            for section in sections[start : start + PAGE_SIZE]
        ]
        following = start + PAGE_SIZE
        return page, following if following < len(sections) else None

    def read(self, uri: str) -> types.TextResourceContents | None:
        if not uri.startswith(SECTION_ADDRESS):
            return None
        try:
            text = self._application.pages.section_source(unquote(uri.removeprefix(SECTION_ADDRESS)))
        except NotFound:
            return None
        return types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)


SECTION = types.ResourceTemplate(
    uri_template=SECTION_ADDRESS + "{+id}",
    name="section",
    description="The text of one section of the documents, by its id.",
    mime_type=MARKDOWN,
)


class Resources:
    def __init__(self, sections: SectionResources | None) -> None:
        self._sections = sections

    async def list(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """The skills come first; sections follow, page by page."""
        try:
            start = start_of(params.cursor if params else None)
        except LoreError as refusal:
            raise MCPError(code=types.INVALID_PARAMS, message=refusal.message) from None
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
        return types.ListResourceTemplatesResult(resource_templates=[SECTION] if self._sections else [])

    async def read(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        for skill in bundled_skills():
            if skill.uri == uri:
                contents = types.TextResourceContents(uri=skill.uri, mime_type=MARKDOWN, text=skill.text)
                return types.ReadResourceResult(contents=[contents])
        section = await to_thread.run_sync(self._sections.read, uri) if self._sections else None
        if section is None:
            raise MCPError(code=RESOURCE_NOT_FOUND, message="Resource not found", data={"uri": uri})
        return types.ReadResourceResult(contents=[section])


def _skill(skill: Any) -> types.Resource:
    return types.Resource(
        uri=skill.uri, name=skill.name, description=skill.description, mime_type=MARKDOWN, size=len(skill.text.encode())
    )
