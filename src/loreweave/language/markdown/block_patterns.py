"""What the lines of a markdown text can start with."""

import re

MARGIN = re.compile(r"[ \t]*+")
QUOTE = re.compile(r"(?:[ ]{0,3}>[ \t]?)++")
FENCE = re.compile(r"(?:(`{3,}+)[^`]*+|(~{3,}+).*)$")
MARKER = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)")
FENCE_END = {
    "`": re.compile(r"^ {0,3}(`{3,}+)[ \t]*$", re.MULTILINE),
    "~": re.compile(r"^ {0,3}(~{3,}+)[ \t]*$", re.MULTILINE),
}
HTML_START = re.compile(
    r"(?:<(pre|script|style|textarea)|</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir"
    r"|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li"
    r"|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|pre|script|search|section|style|summary|table"
    r"|tbody|td|textarea|tfoot|th|thead|title|tr|track|ul))(?=[\s/>]|$)",
    re.IGNORECASE,
)
RAW_ENDS = {tag: re.compile(rf"</{tag}>", re.IGNORECASE) for tag in ("pre", "script", "style", "textarea")}
DEFINITION = re.compile(
    r"[ \t>]*+\[((?:[^\[\]\\\n]|\\.){1,999}+)\]:[ \t]*+(?:\n[ \t>]*+)?(<[^<>\n]*+>|[^\s<]\S*+)"
    r"(?:[ \t]++(?:\"[^\"\n]*+\"|'[^'\n]*+'|\([^()\n]*+\)))?[ \t]*+(?:\n|$)"
)
MAX_MARKERS = 20
OPENERS = frozenset("`~#=-*_+<|:>0123456789")  # a line starting otherwise continues or opens a paragraph
