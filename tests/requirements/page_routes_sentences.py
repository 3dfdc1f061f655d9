"""What the page promises: routes."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {
    "routes.walk.words": Requirement(
        "Each step of a walk says in words why the graph moved or stayed.",
        "the page: Routes",
    ),
    "routes.walk.lost": Requirement(
        "Of each edge a step looked at it is said whether it won, and if not, what it missed or what went before it.",
        "the page: Routes",
    ),
    "routes.walk.turns": Requirement(
        "A message begins a turn anew; tool results, picks and answers belong to their own step.",
        "the page: Routes",
    ),
    "routes.walk.expected": Requirement(
        "A walk that was saved as a test says of each step whether it still leads where it did.",
        "the page: Routes",
    ),
    "routes.rules.parts": Requirement(
        "Every edge says what it waits for, in words and in parts that a form suggests from.",
        "the page: Routes",
    ),
    "routes.wires": Requirement(
        "A graph's outline, its rules and a walk through it are asked over HTTP like every other question of routing.",
        "the page: Routes",
    ),
    "routes.replay": Requirement(
        "`lore route replay` walks as a saved test says, and exits 1 if a step leads elsewhere.",
        "the page: Routes",
    ),
    "routes.example": Requirement(
        "A small routed folder comes with the product, and its check-up finds no error.",
        "the page: Routes",
    ),
}
