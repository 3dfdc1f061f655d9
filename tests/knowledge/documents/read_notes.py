"""A note as the graph takes it, from the bytes of its file."""

from loreweave.entities.note import ParsedNote
from loreweave.knowledge.documents.read_document import read_document
from loreweave.knowledge.documents.read_note import note_of
from loreweave.language.markdown.decode_text import decode_text


def read_note(path: str, data: bytes) -> ParsedNote:
    source, oddity = decode_text(data)
    return note_of(read_document(path, source), oddity)
