"""What the page promises: the shell round its places."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {
    "page.shell.nowhere": Requirement(
        "Old addresses redirect, unknown ones are a real 404 page; "
        "whoever calls instead of looking gets the usual error.",
        "the page: shell",
    ),
    "page.shell.find": Requirement(
        "One list, grouped Notes, Sections, Memories, Skills, Sessions, Actions; exact titles first; `>` for actions; "
        "a sentence or `?` asks; Enter opens what is marked, ⌘Enter asks.",
        "the page: shell",
        gap="There is no chip to change the scope.",
    ),
    "page.everywhere.axe": Requirement(
        "axe without a serious finding in both themes, and nothing wider than the screen.",
        "the page: craft",
    ),
    "page.shell.everybody": Requirement(
        "No view of any place has a serious finding of axe in either theme, and every control has a name.",
        "the page: shell",
    ),
    "page.shell.narrow": Requirement("Every view fits 390 px without sideways scroll.", "the page: shell"),
    "page.shell.light": Requirement(
        "The first view of any place travels in less than 300 KB, fonts and answers counted.", "the page: shell"
    ),
}
