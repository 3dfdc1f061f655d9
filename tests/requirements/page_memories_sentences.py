"""What the page promises: memories."""

from tests.requirements.requirement import Requirement

SOURCE = "the page: Memory"

SENTENCES: dict[str, Requirement] = {
    "page.memory.changes": Requirement(
        "The history of all memories is listed newest first, page by page; each change names the call that takes it "
        "back for as long as its window lasts, and none once something else has become of it.",
        SOURCE,
    ),
    "page.memory.inbox-reads-nothing": Requirement(
        "Looking at the memories of a task is no access: a stale memory stays stale while its card is shown.", SOURCE
    ),
    "page.memory.origins": Requirement(
        "The preview of a merge names for each statement the memories that make it.", SOURCE
    ),
    "page.memory.list": Requirement(
        "Live memories are listed newest first, last changed first or most important first, those with all given tags, "
        "page by page.",
        SOURCE,
    ),
    "page.memory.reopened": Requirement(
        "A task that was dismissed can be asked again; so can what is not asked about since its merge was undone, "
        "which the page says.",
        SOURCE,
    ),
    "page.memory.copies-before": Requirement(
        "Which memories would still hold the text of one that is to be erased is told before it is.", SOURCE
    ),
    "page.memory.curated": Requirement(
        "The inbox shows each task as a card: the texts side by side with the words that differ, and what is suggested "
        "with what it would make; it is done, dismissed or put off there.",
        SOURCE,
    ),
    "page.memory.rationale": Requirement("There is no button to merge before there is a rationale.", SOURCE),
    "page.memory.undo": Requirement(
        "Every change on the page is said with Undo, which takes it back, an import at once where nobody else changed "
        "anything meanwhile; only erasing is for good.",
        SOURCE,
    ),
    "page.memory.trash": Requirement(
        "The trash shows how long each memory and each merge can come back, on the server's clock, and brings it back.",
        SOURCE,
    ),
    "page.memory.history": Requirement(
        "The history on the page has a row for every change, with Undo for as long as its window lasts.", SOURCE
    ),
    "page.memory.others": Requirement("What another process changes appears within five seconds.", SOURCE),
    "page.memory.keys": Requirement(
        "An inbox is worked off by keys alone: m does what is suggested, k keeps, n puts off, e edits, u takes back.",
        SOURCE,
    ),
    "page.memory.found": Requirement(
        "All memories can be searched by words and meaning, filtered by tag and ordered; a new one is written there.",
        SOURCE,
    ),
    "page.memory.faster": Requirement(
        "An edit is of the version that was opened; where somebody was faster both texts are shown side by side.",
        SOURCE,
    ),
    "page.memory.erased": Requirement(
        "Erasing asks for the name and lists the memories that still hold the text.", SOURCE
    ),
    "page.memory.record": Requirement(
        "A memory opens in the inspector: text, tags, importance, relations, validity, history with replaced texts.",
        SOURCE,
    ),
    "page.memory.carried": Requirement("Memories go out and come in as a ZIP from the page.", SOURCE),
    "page.memory.addresses": Requirement(
        "Views, searches and the opened memory have addresses: a reload shows the same.", SOURCE
    ),
    "page.memory.offline": Requirement(
        "While the server is away the place keeps what it shows, and goes on by itself when it is back.", SOURCE
    ),
    "page.memory.fit": Requirement(
        "The place for memory has no serious finding of axe in either theme and needs no sideways scroll at 390 px.",
        SOURCE,
    ),
}
