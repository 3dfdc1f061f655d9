"""What the page promises: the shell round its places."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {
    "page.shell.nowhere": Requirement(
        "Old addresses redirect, unknown ones are a real 404 page; "
        "whoever calls instead of looking gets the usual error.",
        "the page: shell",
    ),
}
