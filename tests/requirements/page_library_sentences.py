"""What the page promises: the library and its spaces."""

from tests.requirements.requirement import Requirement

SOURCE = "the page: Library"

SENTENCES: dict[str, Requirement] = {
    "page.library.read-api": Requirement(
        "A document is read laid out and clean, with its headings and the pages around it; its links lead on inside "
        "the space.",
        SOURCE,
    ),
    "page.library.read": Requirement(
        "Read shows a document in the shell with a tree (maps of content, else folders, else hubs), a table of "
        "contents and the sentences that link to it.",
        SOURCE,
    ),
}
