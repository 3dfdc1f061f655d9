"""What the page promises: the shell round its places."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {
    "page.shell.nowhere": Requirement(
        "Old addresses redirect, unknown ones are a real 404 page; "
        "whoever calls instead of looking gets the usual error.",
        "the page: shell",
    ),
    "page.shell.faults": Requirement(
        "A place that cannot be loaded says so, leaves the rail to go elsewhere, and opens by itself when the server "
        "is back.",
        "the page: shell",
    ),
    "page.shell.find": Requirement(
        "One list, grouped Notes, Sections, Memories, Skills, Sessions, Actions; exact titles first; `>` for actions; "
        "a sentence or `?` asks; Enter opens what is marked, ⌘Enter asks; a chip says where is looked.",
        "the page: shell",
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
    "page.shell.keys": Requirement("`?` lists the keys.", "the page: shell"),
    "page.shell.inspector": Requirement(
        "One inspector for whatever is selected: not modal, resizable, pinnable; rendered markdown, links both ways, "
        "sections, raw text; on the map, as a page, copy for an agent.",
        "the page: shell",
    ),
    "page.shell.model": Requirement(
        "The top says which model there is, and how to have one where there is none; light and dark are chosen there.",
        "the page: shell",
    ),
}
