"""What the page promises: asking."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {
    "page.asking.threads": Requirement(
        "Threads are kept: an answer has an address and a history, can be asked once more, and can be deleted.",
        "the page: Ask",
    ),
}
