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
    "page.memory.reopened": Requirement("A task that was dismissed can be asked again.", SOURCE),
    "page.memory.copies-before": Requirement(
        "Which memories would still hold the text of one that is to be erased is told before it is.", SOURCE
    ),
}
