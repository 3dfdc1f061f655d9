"""What the page promises: the studio."""

from tests.requirements.requirement import Requirement

SOURCE = "the page: Studio"

SENTENCES: dict[str, Requirement] = {
    "page.studio.given": Requirement(
        "What a session was started with can be read: a spec, or a plan with its skills.", SOURCE
    ),
    "page.studio.outline": Requirement(
        "Steps to come are grey, branches not taken are struck through, and what a plan remembers is visible.", SOURCE
    ),
    "page.studio.needs-you": Requirement(
        "Questions and gates are cards in one tray, Needs you, with their whole text, and stand at the step or task "
        "that asks, from where one goes to the card.",
        SOURCE,
    ),
    "page.studio.tasks": Requirement(
        "A drawing of tasks shows what depends on what; a task opens in the inspector with what its work rests on.",
        SOURCE,
    ),
    "page.studio.board": Requirement(
        "The board of a build is drawn; its simulated buttons are pressed and its lines are read, and a real one is "
        "looked for before it is flashed.",
        SOURCE,
    ),
    "page.studio.replay": Requirement(
        "A slider goes over the log; a reload at any event shows exactly the same, and that is the fold of the log.",
        SOURCE,
    ),
    "page.studio.again": Requirement("What is over can be run again.", SOURCE),
    "page.studio.blocks": Requirement(
        "A plan is put together from blocks whose connections are typed, with faults and loose blocks shown, and run.",
        SOURCE,
    ),
    "page.studio.lossless": Requirement(
        "Blocks and JSON are the same document: nothing is lost either way, what nobody knows included.", SOURCE
    ),
    "page.studio.designs": Requirement("A design is saved, found again at its address, imported and exported.", SOURCE),
    "page.studio.fork": Requirement(
        "A plan run is forked from any event: what was answered so far is in its place.", SOURCE
    ),
    "page.studio.crash": Requirement(
        "A run begun from blocks goes on after a crash of the server, and is replayed.", SOURCE
    ),
    "page.studio.demo": Requirement(
        "Try the demo: one click, no key, and within a minute a preview that can be played with. `lore serve --demo` "
        "is enough for it: where no model is set, it has the demo's.",
        SOURCE,
    ),
    "page.studio.design-list": Requirement(
        "All saved designs are listed, saved last first, whichever browser saved them.", SOURCE
    ),
    "session.workspace.designs": Requirement(
        "Designs of the page are listed from `designs` below the workspace root: bounded, nothing behind a link, no "
        "other folder; where there is none, the list is empty.",
        SOURCE,
    ),
    "page.studio.flash": Requirement(
        "A connected board is flashed from the page, and its lines are read there.",
        SOURCE,
    ),
    "page.studio.rests-on": Requirement(
        "The notes, memories and skills of a task lead to where they are read, on the map and in memory.",
        SOURCE,
    ),
    "page.studio.lights": Requirement(
        "The same blocks light up in the run, live and in a replay: to come, at work, skipped and done; they are "
        "loaded when they are opened, and the list is there where they cannot be.",
        SOURCE,
    ),
}
