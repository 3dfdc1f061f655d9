"""What the page promises: asking."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {
    "page.asking.threads": Requirement(
        "Threads are kept: an answer has an address and a history, can be asked once more, and can be deleted.",
        "the page: Ask",
    ),
    "page.asking.answer": Requirement(
        "The answer streams with numbered citations; without a model the same screen shows passages.",
        "the page: Ask",
    ),
    "page.asking.citation": Requirement(
        "Clicking a citation opens its section in the inspector, at the line it was cited from.",
        "the page: Ask",
    ),
    "page.asking.small-map": Requirement(
        "Hovering a citation lights its note on a small map.",
        "the page: Ask",
    ),
    "page.asking.pack": Requirement(
        "Below every answer, folded: how many notes and tokens, which sections, why, what was left out, budget slider, "
        "pack or walk, copy for an agent.",
        "the page: Ask",
    ),
    "page.asking.nothing": Requirement(
        "Nothing matched: said, with nearest titles.",
        "the page: Ask",
    ),
}
