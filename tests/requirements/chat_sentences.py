"""Conversations over all that the house knows."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {
    "chat.reads.all-rooms": Requirement(
        "A turn reads notes, sections, memories and skills by tools, and says what it read, with ids and reasons.",
        "one product, a chat over the product",
    ),
    "chat.reads.only": Requirement(
        "The tools read and never change; a call that makes no sense is told to the model and the turn goes on.",
        "one product, a chat over the product",
    ),
    "chat.reads.gate": Requirement(
        "A skill is read behind its gate: only where it can be reached from the skill that applies.",
        "one product, a chat over the product",
    ),
    "chat.cites.what-was-read": Requirement(
        "Citations are addresses of nodes, sections and memories that were read in this turn; others are taken out.",
        "one product, a chat over the product",
    ),
    "chat.budget": Requirement(
        "No request to the model holds more tokens than the budget, and those of a turn together not more than three "
        "times as many, by a count that shares no code with ours.",
        "one product, a chat over the product",
    ),
    "chat.injection": Requirement(
        "What a note demands changes no tools, targets or citations: it is boxed as data.",
        "one product, must show",
    ),
    "chat.streams": Requirement(
        "Events come in order: what was read, text as it is written, then one end, done or an error in the one shape.",
        "one product, a chat over the product",
    ),
    "chat.faults": Requirement(
        "A model that fails at first is replaced by the passages with a warning; a later fault ends in an error, never "
        "in done.",
        "one product, a chat over the product",
    ),
    "chat.no-model": Requirement(
        "Without a key it shows the passages it would read, and says so; the demo model answers by quoting.",
        "one product, a chat over the product",
    ),
    "chat.nothing-read": Requirement(
        "Where nothing fits, one fixed sentence says so, and no answer is asked of the model.",
        "asking, answers",
    ),
    "chat.conversation": Requirement(
        "What was said before comes with the question, bounded, and is searched with a follow-up; nothing is kept.",
        "one product, a chat over the product",
    ),
    "chat.refusals": Requirement(
        "Bad input is refused before anything is asked of a model, and the field is named.",
        "interfaces, HTTP",
    ),
    "chat.client-gone": Requirement(
        "A client that goes away ends the turn and what it asks of the model; its place is free again.",
        "asking, answers",
    ),
    "chat.places": Requirement(
        "Turns and answers share the places of LORE_ASK_CONCURRENCY; one more is 429 with Retry-After.",
        "asking, answers",
    ),
    "chat.everywhere": Requirement(
        "The same events over HTTP and on the command line, on SQLite and on PostgreSQL.",
        "interfaces, what every part must show",
    ),
    "chat.cli.once": Requirement(
        "`lore chat QUESTION`, or a question on stdin, prints text and sources; with --json one event a line.",
        "one product, a chat over the product",
    ),
    "chat.cli.conversation": Requirement(
        "On a terminal `lore chat` goes on until Ctrl-D; Ctrl-C stops an answer and its call, and the talk goes on.",
        "one product, a chat over the product",
    ),
}
