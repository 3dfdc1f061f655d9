"""The one parse of a file: its header, its text as it was parsed, and everything that was found in it.

The graph, asking, the page and `verify` are made of this value; nobody reads the text with a grammar of its own.
"""

import re
from dataclasses import dataclass

from loreweave.language.headers.header_fields import HeaderFields
from loreweave.language.headers.read_header import Header, read_header
from loreweave.language.markdown.note_names import title_from_path
from loreweave.language.markdown.outline_page import read_outline
from loreweave.language.markdown.page_outline import PageOutline
from loreweave.language.markdown.prepare_text import PreparedText

_PLACES = re.compile(r"^\(([\w:./-]++)\)=$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class DocumentReading:
    """What a document says, before anybody asked."""

    path: str
    source: str
    header: Header
    fields: HeaderFields
    prepared: PreparedText
    outline: PageOutline

    @property
    def first_title(self) -> str | None:
        """The first heading of the first level."""
        return next((heading.text for heading in self.outline.headings if heading.level == 1), None)

    @property
    def aliases(self) -> tuple[str, ...]:
        """What it is called besides, and the places in it that MyST names for all documents."""
        return (*self.fields.names("aliases"), *_PLACES.findall(self.source))

    @property
    def name(self) -> str:
        """What the document is called: by its header, its first heading of the first level, its file."""
        written = self.fields.text("name") or self.fields.text("title")
        return " ".join(written.split()) if written else self.first_title or title_from_path(self.path)


def read_document(path: str, source: str, *, shown: bool = False) -> DocumentReading:
    """`shown`: for a page to look at, which frames blocks by marks that are no text."""
    header = read_header(source)
    prepared, outline = read_outline(path, source, header.end, shown=shown)
    return DocumentReading(path, source, header, HeaderFields(header), prepared, outline)
