"""From the links of one note to its edges, its broken links and its warnings."""

import json
import re
from array import array
from collections import Counter
from collections.abc import Callable, Sequence, Set

from loreweave.contracts.skill_graph import IngestWarning
from loreweave.entities.note import MAX_CONTEXTS, LinkMention
from loreweave.entities.note_rows import EdgeRow
from loreweave.knowledge.graph.stored_notes import NoteLinks, pack_warnings
from loreweave.language.markdown.note_slugs import DOCUMENT_ENDINGS
from loreweave.language.markdown.resolve_link import Names, resolve
from loreweave.language.slug import slug

REFERENCES, CLUSTERS, EXTENDS, CONTRADICTS, CROSS_DOMAIN = range(5)  # positions in graph_rows.EDGE_TYPES

_HEADER_TYPES = {"extends": EXTENDS, "contradicts": CONTRADICTS}
_MEDIA = (
    "png jpg psd m4v opus wma wmv mpg mpeg aiff rtf key numbers pages docm xlsm pptm odg "
    "jpeg gif svg webp bmp ico tif tiff avif heic mp3 wav ogg flac m4a aac mp4 mov mkv webm avi "
    "ogv 3gp pdf doc docx xls xlsx ppt pptx odt ods odp csv tsv zip canvas base excalidraw epub"
)
_FILES = frozenset(_MEDIA.split())
_NUMBERED = re.compile(r"[-_]\d+$")  # the second heading of a name is `#name-1`

SITE_LINK, DEAD_SITE_LINK = "site_link", "dead_site_link"  # how many of a note's links begin alike; added up at last

Headings = Callable[[int], Set[str]]


def link_note(
    note_key: int, path: str, note_type: str, note: NoteLinks, names: Names, site_roots: Sequence[str],
    headings_of: Headings,
) -> EdgeRow:  # fmt: skip
    """Resolves every link of a note. `headings_of` gives the letters of a target's headings, where a link names one."""
    edges: dict[tuple[int, int], list] = {}
    broken: dict[str, list] = {}
    warnings: list[IngestWarning] = []
    rooted: Counter[tuple[str, str]] = Counter()
    for link in note.links:
        found = resolve(link.target, path, names, site_roots)
        if link.target.startswith("/") and not is_no_note(link.target):
            rooted[SITE_LINK if found else DEAD_SITE_LINK, _beginning(link.target)] += link.count
        if found is None:
            _note_unresolved(link, path, note.sentences, broken, warnings)
            continue
        if found.rivals:
            written = f"({link.raw})" if link.kind == "markdown" else f"[[{link.raw}]]"
            message = f"{written} could mean {found.rivals + 1} notes; {found.path} is nearest"
            warnings.append(IngestWarning("ambiguous_link", path, message, link.line))
        if link.anchors:
            warnings += _missing_headings(link, path, headings_of(found.note_key))
        if found.note_key != note_key:
            edge_type = _HEADER_TYPES.get(link.kind, CLUSTERS if note_type == "moc" else REFERENCES)
            edge = edges.setdefault((found.note_key, edge_type), [0, {}])
            edge[0] += link.count
            edge[1].update(dict.fromkeys(link.sentences))
    warnings += [IngestWarning(code, path, start, count) for (code, start), count in rooted.items()]
    return _row(note_key, edges, broken, warnings)


def _beginning(target: str) -> str:
    """The first folder of an address from the root."""
    first, slash, _ = target[1:].partition("/")
    return f"/{first}/" if slash else "/"


def is_no_note(target: str) -> bool:
    """Whether the target is none of a note: of media or an office file, or the mark where contents are put in."""
    stem, _, ending = target.rpartition(".")
    return (bool(stem) and ending.casefold() in _FILES) or target.casefold() in ("toc", "_toc_")


def _note_unresolved(
    link: LinkMention, path: str, sentences: Sequence[str], broken: dict[str, list], warnings: list[IngestWarning]
) -> None:
    if link.kind == "markdown":
        if link.target.lower().endswith(DOCUMENT_ENDINGS):
            message = f"({link.raw}) leads to no note"
            warnings.append(IngestWarning("broken_markdown_link", path, message, link.line))
        return
    if is_no_note(link.target):
        return
    target = slug(link.target) or link.target
    if target not in broken:
        broken[target] = [target, link.raw, link.line, context_of(link, sentences)]


def context_of(link: LinkMention, sentences: Sequence[str]) -> str:
    if link.kind in _HEADER_TYPES:
        return f"frontmatter: {link.kind}"
    return sentences[link.sentences[0]] if link.sentences else ""


def _missing_headings(link: LinkMention, path: str, known: Set[str]) -> list[IngestWarning]:
    return [
        IngestWarning("missing_heading", path, f"{link.target} has no heading “{anchor}”", link.line)
        for anchor in link.anchors
        if known.isdisjoint((letters_of(anchor), letters_of(_NUMBERED.sub("", anchor))))
    ]


def letters_of(heading: str) -> str:
    """What every generator keeps of a heading in its anchor: `fs.open()` is `#fsopen` to one, `#fs-open` to another."""
    return slug(heading).replace("-", "")


def _row(note_key: int, edges: dict, broken: dict[str, list], warnings: list[IngestWarning]) -> EdgeRow:
    row = EdgeRow(
        note_key,
        broken=json.dumps(list(broken.values()), ensure_ascii=False) if broken else None,
        warnings=pack_warnings(warnings),
    )
    for (target, edge_type), (count, sentences) in sorted(edges.items()):
        numbers = list(sentences)[:MAX_CONTEXTS]
        row.targets.append(target)
        row.types.append(edge_type)
        row.counts.append(count)
        row.sentence_counts.append(len(numbers))
        row.sentences.extend(array("q", numbers))
    return row
