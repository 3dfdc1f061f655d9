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
    "page.library.places-kept": Requirement(
        "Where notes stand on the map is kept with the graph, bounded, on both databases; it goes with the graph and "
        "is carried by a backup.",
        SOURCE,
    ),
    "page.library.read-again": Requirement(
        "A graph that was read from a folder or from GitHub is read again with one press.",
        SOURCE,
    ),
    "page.library.cards": Requirement(
        "Cards show a small picture of each map in its colours, source, last read, and the score with its two best "
        "repairs.",
        SOURCE,
    ),
    "page.library.map-stable": Requirement(
        "A changed note does not move the others; a note is dragged, not the map, and stays pinned where it is put.",
        SOURCE,
    ),
    "page.library.map-follows": Requirement(
        "An open map, list or note shows what was read again meanwhile, without moving the others.",
        SOURCE,
    ),
    "page.library.map-looks": Requirement(
        "The map shows a local graph of one to three steps, a card on hover, names of the selection's neighbours, "
        "filters in its legend, orphans in a tray, and colours by type, folder, tag or cluster; Enter in Find flies to "
        "the best hit.",
        SOURCE,
    ),
    "page.library.map-speed": Requirement(
        "10,000 nodes are panned and pointed at for less processor time than a thirtieth of a second a frame, also "
        "without a graphics card; 420 settle within a second of it.",
        SOURCE,
    ),
    "page.library.axe": Requirement("No view of the library has a serious finding of axe, in both themes.", SOURCE),
    "page.library.folder": Requirement(
        "A folder is dropped or chosen; its notes alone are sent, and what was left out is said.",
        SOURCE,
    ),
    "page.library.health-repair": Requirement(
        "Each finding of Health is one click from its line, with the mended line to copy.",
        SOURCE,
    ),
    "page.library.health-warnings": Requirement(
        "Health repeats what reading warned of, each at its line.",
        SOURCE,
    ),
    "page.library.delete-undo": Requirement("A graph that is deleted can be had back for a while.", SOURCE),
    "page.library.rename": Requirement("A graph is renamed from its card and from ⌘K; its address stays.", SOURCE),
    "page.library.watch": Requirement(
        "A folder is watched from its card: changes are read, after a restart too, and it is said when it is gone.",
        SOURCE,
    ),
    "page.library.history-diffs": Requirement(
        "History shows revisions with text diffs.",
        SOURCE,
    ),
    "page.library.mapped-root": Requirement(
        "Links that start below an address of the site are told of, with a button that maps them.",
        SOURCE,
    ),
}
