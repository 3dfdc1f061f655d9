"""The links of a body in the order of their mention, each with the sentence around it. Code holds none."""

from __future__ import annotations

from dataclasses import dataclass

from loreweave.language.markdown.blocks import BlockScanner
from loreweave.language.markdown.contexts import Sentences
from loreweave.language.markdown.inline_links import WIKI, find_links
from loreweave.language.markdown.link_targets import split_destination, split_wikilink
from loreweave.language.markdown.mask_comments import mask_comments


@dataclass(frozen=True, slots=True)
class BodyLink:
    """`line` counts from 0 in the body; `reason` is None for a target that was mentioned before."""

    is_wiki: bool
    target: str
    line: int
    start: int
    reason: str | None


def find_body_links(body: str) -> list[BodyLink]:
    if "[" not in body:
        return []
    text = mask_comments(body, 0)
    scanner = BlockScanner(text, 0)
    blocks = list(scanner)
    found: list[BodyLink] = []
    met: set[tuple[bool, str]] = set()
    line, counted = 0, 0
    for block in blocks:
        if text.find("[", block.start, block.end) < 0:
            continue
        sentences = Sentences(text, block)
        links = sorted(find_links(text, block, scanner.definitions), key=lambda link: link.start)
        for link in links:
            is_wiki = link.kind == WIKI
            target = (split_wikilink if is_wiki else split_destination)(link.raw)[0]
            if not target:
                continue
            line += body.count("\n", counted, link.start)
            counted = link.start
            known = (is_wiki, target) in met
            met.add((is_wiki, target))
            reason = None if known else sentences.around(link.start, link.end)
            found.append(BodyLink(is_wiki, target, line, link.start, reason))
    return found
