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
    "routes.page.choose": Requirement(
        "The place offers the example, a folder of one's own and the library's graphs, and says which route by rules.",
        "the page: Routes",
    ),
    "routes.page.walk": Requirement(
        "A message, a tool's result, a pick and answers step through the graph; one can go back and take another way.",
        "the page: Routes",
    ),
    "routes.page.why": Requirement(
        "The rule that won lights up, and a table says what lost and why.",
        "the page: Routes",
    ),
    "routes.page.link": Requirement(
        "The walk stands in the address: a link reproduces it, a slider goes through its trace.",
        "the page: Routes",
    ),
    "routes.page.save": Requirement(
        "A walk is saved as a test that `lore route replay` takes, and opened again.",
        "the page: Routes",
    ),
    "routes.page.marks": Requirement(
        "Cursor, active and reachable skills, entries, ends and findings are marked on the map, and said.",
        "the page: Routes",
    ),
    "routes.page.check": Requirement(
        "Each problem of the check-up leads to its place on the map and in its file.",
        "the page: Routes",
    ),
    "routes.page.skill": Requirement(
        "A skill opens on its body, its tools, who routes here and where it leads.",
        "the page: Routes",
    ),
    "routes.page.folder": Requirement(
        "A folder is dropped or chosen, looked at without being stored, and outlives a reload of its tab.",
        "the page: Routes",
    ),
    "routes.page.hostile": Requirement(
        "Nothing in a skill's text becomes markup, and its links lead to skills of the graph alone.",
        "the page: Routes",
    ),
    "routes.page.keys": Requirement(
        "Everything goes by keyboard: arrows walk along the edges.",
        "the page: Routes",
    ),
    "routes.page.twin": Requirement(
        "The map has a textual twin.",
        "the page: Routes",
    ),
    "routes.page.fits": Requirement(
        "Nothing serious keeps anybody out, in both schemes, and nothing is wider than a phone.",
        "the page: Routes",
    ),
    "routes.page.gone": Requirement(
        "A graph that is not there is said in words, with the way back.",
        "the page: Routes",
    ),
    "routes.page.live": Requirement(
        "The same map follows a live run: it marks the skills that a build's tasks have opened, in their order.",
        "the page: Routes",
    ),
}
