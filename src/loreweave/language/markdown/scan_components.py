"""Where tags, expressions, comments and statements of MDX end. One purse pays for every scan in vain."""

import re

_NAME = rb"[A-Za-z_$\x80-\xff][\w$.\x80-\xff-]*+(?::[A-Za-z_$\x80-\xff][\w$.\x80-\xff-]*+)?"
_OPENING = re.compile(rb"<(/?)(" + _NAME + rb")?(?=[\s/>{])")
_BLANKS = re.compile(rb"\s*+")
_ATTRIBUTE = re.compile(rb"(" + _NAME + rb")(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|(?=\{)))?")
_SIMPLE_EXPRESSION = re.compile(rb"\{[^{}\n]{0,200}+\}")
_CODE_MARK = re.compile(rb"[{}\"'`/]")
_STATEMENT_MARK = re.compile(rb"[{}()\[\]\"'`/\n]")
_STATEMENT = re.compile(
    rb"import(?:\s*+[\"'{]|\s++(?:type\s++)?(?:[\"'{*]|[\w$]++\s*+,\s*+[{*]|[\w$]++\s++from\s*+[\"']))"
    rb"|export\s++(?:[{*]|default\s++(?:[({\[<\"'`]|(?:async\s++)?function\b|class\b|new\s"
    rb"|[\w$.]++[ \t]*+(?:\(|;|=>|(?=\n|$)))"
    rb"|(?:const|let|var)\s++(?:[\w$]++|\{[^}\n]*+\}|\[[^\]\n]*+\])\s*+(?::[^=\n]++)?="
    rb"|(?:async\s++)?function\s*+\*?\s*+[\w$]*+\s*+\("
    rb"|(?:abstract\s++)?class\s++[\w$]++[^.\n{]*+\{|(?:type|enum|interface)\s++[\w$]++[^.\n{=]*+[={])"
)
_CONTINUES = (b"=", b",", b"=>", b"+", b"&&", b"||", b"?", b":", b".")

_LINKED = re.compile(rb"\s(href|to|src)=(?:\"([^\"<>\n]++)\"|'([^'<>\n]++)'|\{[\"'`]([^\"'`<>\n{}]++)[\"'`]\})")
_OUTWARD = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*+:|//")
_NAMED_PLACE = re.compile(rb"<a\s(?:[^>]*?\s)?(?:id|name)=[\"']([^\"'<>]++)[\"']")


class ComponentScanner:
    """Finds ends in one text; None where something never ends and therefore is plain text."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._purse = 2 * len(data) + 4096  # bytes that may be read in vain, so that hostile text stays cheap

    def tag_end(self, start: int) -> tuple[int, str, str] | None:
        """End, name and kind ("open", "close", "alone") of the tag that begins here."""
        data = self._data
        opening = _OPENING.match(data, start)
        if opening is None:
            return None
        name = (opening[2] or b"").decode("utf-8", "replace")
        at, limit = opening.end(), self._limit(start)
        while at < limit:
            blanks = _BLANKS.match(data, at)
            at = blanks.end() if blanks else at
            if data.startswith(b">", at):
                return at + 1, name, "close" if opening[1] else "open"
            if data.startswith(b"/>", at):
                return at + 2, name, "close" if opening[1] else "alone"
            end = self._part_end(at, limit) if name and not opening[1] else None
            if end is None:
                break
            at = end
        self._pay(start, at)
        return None

    def _part_end(self, at: int, limit: int) -> int | None:
        """End of an attribute or of a spread."""
        if self._data.startswith(b"{", at):
            return self.expression_end(at)
        attribute = _ATTRIBUTE.match(self._data, at, limit)
        if attribute is None:
            return None
        if attribute[0].rstrip().endswith(b"="):
            return self.expression_end(attribute.end())
        return attribute.end()

    def expression_end(self, start: int) -> int | None:
        """Where the brace that opens here is closed again; strings and comments hide braces."""
        data, limit = self._data, self._limit(start)
        if self._purse <= 0:
            simple = _SIMPLE_EXPRESSION.match(data, start)
            return simple.end() if simple else None
        depth, at = 1, start + 1
        while found := _CODE_MARK.search(data, at, limit):
            mark, at = found[0], found.end()
            if mark == b"{":
                depth += 1
            elif mark == b"}":
                depth -= 1
                if not depth:
                    return at
            else:
                at = self._hidden_end(mark, at, limit)
        self._pay(start, limit)
        return None

    def _hidden_end(self, mark: bytes, at: int, limit: int) -> int:
        """What follows a string or a comment; a mark that opens neither hides nothing."""
        data = self._data
        if mark == b"/":
            if data.startswith(b"*", at):
                end = data.find(b"*/", at + 1, limit)
                return end + 2 if end >= 0 else limit
            if data.startswith(b"/", at) and data[at - 2 : at - 1] != b":":
                end = data.find(b"\n", at, limit)
                return end if end >= 0 else limit
            return at
        end = data.find(mark, at, limit)
        while end > 0 and data[end - 1 : end] == b"\\":
            end = data.find(mark, end + 1, limit)
        if end < 0 or (mark != b"`" and data.find(b"\n", at, end) >= 0):
            return at  # an apostrophe
        return end + 1

    def comment_end(self, start: int) -> int | None:
        """End of an HTML comment."""
        end = self._data.find(b"-->", start + 4, self._limit(start))
        if end >= 0:
            return end + 3
        self._pay(start, self._limit(start))
        return None

    def statement_end(self, start: int) -> int | None:
        """End of an import or export; prose that begins with the word is none."""
        if _STATEMENT.match(self._data, start) is None:
            return None
        data, limit = self._data, self._limit(start)
        depth, at = 0, start
        while self._purse > 0 and (found := _STATEMENT_MARK.search(data, at, limit)):
            mark, at = found[0], found.end()
            if mark in b"{([":
                depth += 1
            elif mark in b"})]":
                depth -= 1
            elif mark != b"\n":
                at = self._hidden_end(mark, at, limit)
            elif depth <= 0 and not data[max(start, at - 100) : at].rstrip().endswith(_CONTINUES):
                return found.start()
        if self._purse > 0 and depth <= 0:
            return limit
        self._pay(start, limit)
        paragraph = data.find(b"\n\n", start)  # no valid statement: its paragraph goes
        return paragraph if paragraph >= 0 else len(data)

    def _limit(self, start: int) -> int:
        return len(self._data) if self._purse > 0 else min(len(self._data), start + 200)

    def _pay(self, start: int, end: int) -> None:
        self._purse -= end - start


def kept_of_tag(tag: bytes) -> bytes:
    """What a component leads to, as a link without words, and the place it names."""
    kept = b""
    for name, *values in _LINKED.findall(tag):
        target = next((value for value in values if value), b"")
        is_page = name != b"src" or target.partition(b"#")[0].endswith((b".md", b".mdx", b".markdown"))
        if is_page and target[:1] != b"#" and not _OUTWARD.match(target):
            kept += b"[](<" + target + b">)"
    anchor = _NAMED_PLACE.match(tag)
    return kept + (b'<a id="' + anchor[1] + b'"></a>' if anchor else b"")
