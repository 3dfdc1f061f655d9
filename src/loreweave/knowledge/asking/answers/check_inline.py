"""The text of a paragraph: code spans, links, images, tags and addresses, one after the other."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from loreweave.knowledge.asking.answers.check_links import LinkChecker
from loreweave.knowledge.asking.answers.citation_sources import CitationSources
from loreweave.knowledge.asking.answers.citation_syntax import LIMIT, MORE, FoundReference, read_tag
from loreweave.knowledge.asking.answers.held_text import HeldText
from loreweave.knowledge.asking.answers.spoken_text import SpokenText

_ENDS_PARAGRAPH = re.compile(r"\n[ \t]*+(?:\n|>|[-*+][ \t\n]|\d{1,9}[.)][ \t\n]|#|```|~~~)")
_BLOCK_LIKE = re.compile(r"#{1,6}(?=\s|\Z)|>|~~~|```|[-+*](?=\s|\Z)|(?:-{3}|={3})")
_MEANINGLESS = r"[^\\`\[\]\n<>!]"
_AWAITED_IN_TAG = "<>\"'`= \n"


@cache
def _plain(line_begins: bool, brackets: str, closing_angle: bool, goes_on: bool) -> re.Pattern[str]:
    """What means nothing by itself, as much of it as stands together: the less it means, the faster it goes."""
    parts = [
        rf"{_MEANINGLESS}++|\\[^\n]|<(?![A-Za-z/!?]|\Z)|!(?!\[|\Z)",
        "" if brackets == "open" else r"\]",  # closes nothing
        "" if brackets else rf"\[{_MEANINGLESS}{{0,200}}+\](?=[^(\[:])",  # refers to nothing
        "" if closing_angle else ">",
        "" if line_begins else r"<(?=[A-Za-z][A-Za-z0-9-]{0,40}+[ \t]{0,40}+<)",  # no tag
        r"\n(?=[A-Za-z])" if goes_on else "",  # the paragraph goes on
    ]
    return re.compile(f"(?:{'|'.join(filter(None, parts))})*+")


class InlineChecker:
    """Takes from the front of a text what it can decide, and says the checked text."""

    def __init__(self, sources: CitationSources, held: HeldText, list_unverified: Callable[[str], None]) -> None:
        self.spoken = SpokenText(held)
        self.links = LinkChecker(sources, held, self.spoken)
        self._sources = sources
        self._list_unverified = list_unverified
        self.awaited = ""  # characters without which looking again is in vain

    def end_block(self) -> None:
        """Nothing inline reaches beyond its block."""
        self.links.end_block()
        self.spoken.end_block()

    def check(self, text: str, final: bool, *, goes_on: bool) -> tuple[str, bool]:
        """The rest that cannot be decided yet or begins a line, and whether a line end was passed.

        Where the paragraph goes on, a line end before a letter is text like any other.
        """
        self.awaited = ""
        spoken = self.spoken
        while text:
            plain = _plain(spoken.only_openers, self.links.known, spoken.angle == "changed", goes_on).match(text)
            if plain and (end := plain.end()):
                spoken.say(text[:end])
                text = text[end:]
                continue
            if text[0] == "\n":
                spoken.end_line()
                return text[1:], True
            rest = _STEPS[text[0]](self, text, final or len(text) >= LIMIT)
            if rest is None:
                return text, False
            text = rest
            if spoken.emptied:
                return text, False
        return text, False

    # each step gives the rest of the text, or None where more must be seen

    def _escape(self, text: str, final: bool) -> str | None:
        return self._taken(text, 1) if final or len(text) > 1 else None

    def _code(self, text: str, final: bool) -> str | None:
        run = len(text) - len(text.lstrip("`"))
        if run == len(text) and not final:
            return None
        window = text[:LIMIT]
        closer = _closing_ticks(run).search(window, run) if run < len(window) else None
        if closer and closer.end() == len(window) and not final:
            return None
        if closer is None:
            decided = final or _ENDS_PARAGRAPH.search(window, run)
            if not decided:
                near_line_end = "\n" in window[-12:]
                self.awaited = "" if near_line_end else "`\n"
                return None
        elif not _ENDS_PARAGRAPH.search(window, run, closer.start()):
            return self._decide_code(text, run, closer.start(), closer.end())
        return self._taken(text, run)

    def _decide_code(self, text: str, run: int, end: int, after: int) -> str:
        content = text[run:end]
        if self._sources.has_code(content):
            self.spoken.say(text[:after], raw=True)
            return text[after:]
        if content[:1] in " \n" and content[-1:] in " \n" and content.strip():
            content = content[1:-1]
        self._list_unverified(" ".join(content.split()) or content)
        self.spoken.leave_out()
        if self.spoken.line_is_empty and _BLOCK_LIKE.match(content.lstrip()):
            content = "\\" + content.lstrip()  # what was code must not become a heading, a list or a fence
        return content + text[after:]

    def _angle_bracket(self, text: str, final: bool) -> str | None:
        kind, found = read_tag(text)
        if found is MORE and not final:
            inert = text.startswith(("<!", "<?"))  # only its end counts
            self.awaited = "" if len(text) < 12 else ">" if inert else _AWAITED_IN_TAG
            return None
        if not isinstance(found, FoundReference):
            like_a_tag = text[1:2].isalpha() or text[1:2] in ("/", "!", "?")
            too_long = found is MORE and len(text) >= LIMIT
            self.spoken.say("\\<" if like_a_tag and (self.spoken.only_openers or too_long) else "<")
            return text[1:]
        if kind == "autolink" and self._sources.has_url(found.url):
            self.spoken.say(text[: found.length], raw=True)
        else:
            self.spoken.leave_out()
        return text[found.length :]

    def _closing_angle(self, text: str, final: bool) -> str | None:
        # A lone `<` and this would be a tag, now that what stood between them is gone.
        self.spoken.say("&gt;")
        return text[1:]

    def _exclamation(self, text: str, final: bool) -> str | None:
        if len(text) < 2 and not final:
            return None
        return self.links.open(text) if text[1:2] == "[" else self._taken(text, 1)

    def _bracket(self, text: str, final: bool) -> str | None:
        return self.links.open(text)

    def _closing_bracket(self, text: str, final: bool) -> str | None:
        rest = self.links.close(text, final)
        self.awaited = self.links.awaited
        return rest

    def _taken(self, text: str, length: int) -> str:
        self.spoken.say(text[:length])
        return text[length:]


@lru_cache(maxsize=64)
def _closing_ticks(run: int) -> re.Pattern[str]:
    return re.compile(rf"(?<!`)`{{{run}}}(?!`)")


_STEPS: dict[str, Callable[[InlineChecker, str, bool], str | None]] = {
    "\\": InlineChecker._escape,
    "`": InlineChecker._code,
    "<": InlineChecker._angle_bracket,
    ">": InlineChecker._closing_angle,
    "!": InlineChecker._exclamation,
    "[": InlineChecker._bracket,
    "]": InlineChecker._closing_bracket,
}
