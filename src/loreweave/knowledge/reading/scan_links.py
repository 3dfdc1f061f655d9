"""The links of a note: one mention per target, each with the sentences it stands in."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from loreweave.entities.note import MAX_CONTEXTS, LinkMention
from loreweave.language.markdown.blocks import Block
from loreweave.language.markdown.contexts import MAX_CONTEXT, Sentences
from loreweave.language.markdown.inline_links import WIKI, Found, find_links
from loreweave.language.markdown.link_targets import split_destination, split_wikilink

_MAX_TRIED = 4 * MAX_CONTEXTS  # mentions whose sentence is looked up: a thousand equal ones cost no more

_MAX_SENTENCES = 5_000


@dataclass(slots=True)
class _Mention:
    """A target while it is being collected."""

    kind: str
    target: str
    raw: str
    line: int
    count: int = 0
    anchors: dict[str, None] = field(default_factory=dict)
    sentences: dict[int, None] = field(default_factory=dict)


class LinkCollector:
    """Gathers mentions and their sentences, equal ones once."""

    def __init__(self) -> None:
        self._mentions: dict[tuple[str, str], _Mention] = {}
        self._sentences: dict[str, int] = {}

    def add(self, kind: str, target: str, raw: str, anchors: Iterable[str], line: int) -> _Mention:
        """Count one mention of a target."""
        mention = self._mentions.get((kind, target))
        if mention is None:
            mention = self._mentions[kind, target] = _Mention(kind, target, raw, line)
        mention.count += 1
        for anchor in anchors:
            mention.anchors[anchor] = None
        return mention

    def wants_sentence(self, mention: _Mention) -> bool:
        """Whether another sentence may be kept for a mention."""
        return mention.count <= _MAX_TRIED and len(mention.sentences) < MAX_CONTEXTS

    def is_full(self) -> bool:
        """Whether so many sentences are held that further links are shown without theirs."""
        return len(self._sentences) >= _MAX_SENTENCES

    def add_sentence(self, mention: _Mention, sentence: str) -> None:
        """Remember that a mention stands in a sentence."""
        mention.sentences[self._sentences.setdefault(sentence, len(self._sentences))] = None

    def mentions(self) -> tuple[LinkMention, ...]:
        """Every target in the order of its first mention."""
        return tuple(
            LinkMention(one.kind, one.target, one.raw, tuple(one.anchors), one.line, one.count, tuple(one.sentences))
            for one in self._mentions.values()
        )

    def sentences(self) -> tuple[str, ...]:
        """Distinct sentences, in the order of the indexes that mentions hold."""
        return tuple(self._sentences)


class LinkScan:
    """Reads the links of a note's blocks; `source` counts the lines, `text` has its comments masked."""

    def __init__(self, source: str, text: str, definitions: dict[str, str], collector: LinkCollector) -> None:
        self._source = source
        self._text = text
        self._definitions = definitions
        self._collector = collector
        self._line, self._counted = 1, 0
        self._split: dict[tuple[str, str], tuple[str, tuple[str, ...]]] = {}

    def read_block(self, block: Block) -> None:
        """Collect the links of one block; blocks come in order."""
        if self._text.find("[", block.start, block.end) < 0:
            return
        sentences: Sentences | None = None
        for found in find_links(self._text, block, self._definitions):
            target, anchors = self._split_once(found)
            if not target:
                continue
            mention = self._collector.add(found.kind, target, found.raw, anchors, self._line_of(found))
            if not self._collector.wants_sentence(mention):
                continue
            if self._collector.is_full():
                self._collector.add_sentence(mention, self._text[found.start : found.end][:MAX_CONTEXT])
                continue
            sentences = sentences or Sentences(self._text, block)
            self._collector.add_sentence(mention, sentences.around(found.start, found.end))

    def _split_once(self, found: Found) -> tuple[str, tuple[str, ...]]:
        key = found.kind, found.raw
        parts = self._split.get(key)
        if parts is None:
            split = split_wikilink if found.kind == WIKI else split_destination
            parts = self._split[key] = split(found.raw)
        return parts

    def _line_of(self, found: Found) -> int:
        """Lines are counted on from the last link; a link that ends later but starts earlier is recounted."""
        if found.start < self._counted:
            return self._line - self._source.count("\n", found.start, self._counted)
        self._line += self._source.count("\n", self._counted, found.start)
        self._counted = found.start
        return self._line
