"""Sections as resources: each has an address, and its text is the very slice of its document."""

from urllib.parse import quote, unquote

import mcp_types as types

from loreweave.application import Application
from loreweave.errors import NotFound

ADDRESS = "ask://section/"
TEMPLATE = ADDRESS + "{+id}"
MARKDOWN = "text/markdown"
PAGE_SIZE = 200


class SectionResources:
    """Of the graph that is asked when none is named."""

    def __init__(self, application: Application) -> None:
        self._application = application

    def listed(self, start: int) -> tuple[list[types.Resource], int | None]:
        """A page of the list from `start`, and where the next begins."""
        sections = self._application.asking.sections().sections
        page = [
            types.Resource(
                uri=ADDRESS + quote(section.id, safe="/"),
                name=section.id,
                title=section.title + (f" › {section.heading}" if section.heading else ""),
                mime_type=MARKDOWN,
            )
            for section in sections[start : start + PAGE_SIZE]
        ]
        following = start + PAGE_SIZE
        return page, following if following < len(sections) else None

    def read(self, uri: str) -> types.TextResourceContents | None:
        if not uri.startswith(ADDRESS):
            return None
        try:
            text = self._application.pages.section_source(unquote(uri.removeprefix(ADDRESS)))
        except NotFound:
            return None
        return types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)


def template() -> types.ResourceTemplate:
    return types.ResourceTemplate(
        uri_template=TEMPLATE,
        name="section",
        description="The text of one section of the documents, by its id.",
        mime_type=MARKDOWN,
    )
