"""The texts of some notes in one row, numbered together: what is indexed and counted of them."""

from collections.abc import Sequence

from loreweave.entities.note import ParsedNote
from loreweave.knowledge.graph.note_pack import render_sections
from loreweave.knowledge.graph.segment_reader import ALIAS, BODY, DESCRIPTION, HEADING, NAME, TAG
from loreweave.language.count_numbered import count_numbered
from loreweave.language.numbered_texts import NumberedTexts, number_texts

OUTLINE = 0  # the sections text: counted, but no field of the index, whose fields are bits

LAYOUT = (NAME, DESCRIPTION, BODY, ALIAS, TAG, HEADING, OUTLINE)
_WIDTH = len(LAYOUT)


class ChunkTexts:
    """`LAYOUT` for each note, and behind them the sentences of all notes."""

    def __init__(self, notes: Sequence[ParsedNote]) -> None:
        self._count = len(notes)
        self._texts = [text for note in notes for text in _laid_out(note)]
        self.first_sentence = len(self._texts)
        self.sentence_documents = [document for document, note in enumerate(notes) for _ in note.sentences]
        self._texts += [sentence for note in notes for sentence in note.sentences]
        self.numbered: NumberedTexts = number_texts(self._texts)

    def tokens(self) -> list[tuple[int, int]]:
        """For each note those of its sections text and of its body."""
        outline, body = LAYOUT.index(OUTLINE), LAYOUT.index(BODY)
        places = [first + field for first in range(0, self.first_sentence, _WIDTH) for field in (outline, body)]
        counts = count_numbered(self._texts, self.numbered, places)
        return list(zip(counts[::2], counts[1::2], strict=True))


def _laid_out(note: ParsedNote) -> tuple[str, ...]:
    return (
        note.name,
        note.description or "",
        note.body,
        "\n".join(note.aliases),
        "\n".join(note.tags),
        "\n".join(note.headings),
        render_sections(note.sections),
    )
