"""For agents outside: clients that are connected, skills as folders for them, and a project that moves."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {
    "outside.connect.places": Requirement(
        "`lore connect claude-code|cursor|codex` writes the MCP entry into the settings that the client reads, of the "
        "user or of the project, with the absolute path of the `lore` that runs, the data folder and the toolsets.",
        "one product, for agents outside",
    ),
    "outside.connect.shown": Requirement(
        "What would be written is shown first and asked for; `--yes` answers; with nobody to be asked nothing is "
        "written.",
        "one product, for agents outside",
    ),
    "outside.connect.reversible": Requirement(
        "`--remove` takes out exactly what was put in; a second connect changes nothing.",
        "one product, for agents outside",
    ),
    "outside.connect.bytes": Requirement(
        "Every byte outside the entry stays: comments, unknown keys, order, blanks, line ends.",
        "one product, for agents outside",
    ),
    "outside.connect.foreign": Requirement(
        "An entry of the same name that starts something else is neither overwritten nor taken out unasked.",
        "one product, for agents outside",
    ),
    "outside.connect.broken": Requirement(
        "Settings that cannot be read, or have a shape in which no entry fits, are refused and left as they are.",
        "one product, for agents outside",
    ),
    "outside.connect.whole": Requirement(
        "A file is written whole or not at all, with its rights; links stay links; a read-only file is not written.",
        "one product, for agents outside",
    ),
    "outside.connect.no-secret": Requirement(
        "No secret is written: variables that set something are named, their values are not.",
        "one product, for agents outside",
    ),
    "outside.connect.starts": Requirement(
        "What was written starts: the official client lists the tools of the program that the entry names.",
        "one product, for agents outside",
    ),
    "outside.export.valid": Requirement(
        "`lore skill export GRAPH|FOLDER DIR` writes routed skills as folders that Agent Skills' validator accepts.",
        "one product, for agents outside",
    ),
    "outside.export.names": Requirement(
        "Names that the specification forbids are mapped to names that fit and stay apart, and the mapping is told.",
        "one product, for agents outside",
    ),
    "outside.export.nothing-lost": Requirement(
        "Bodies, whole descriptions, other keys of headers and the files of each skill come along.",
        "one product, for agents outside",
    ),
    "outside.export.round-trip": Requirement(
        "Read back, the exported folder is the same graph under the new names; that is held before a file is written.",
        "one product, for agents outside",
    ),
    "outside.export.nothing-overwritten": Requirement(
        "Nothing is overwritten unasked, nothing is written behind a link or among the skills that are read.",
        "one product, for agents outside",
    ),
    "outside.move.everything": Requirement(
        "Graphs, digests, memories, skills, sessions and workspaces move as one file to another machine and database.",
        "one product, a project that moves",
    ),
    "outside.move.identity": Requirement(
        "From SQLite to PostgreSQL to SQLite every table says what it said; only the numbers of revisions count on.",
        "one product, a project that moves",
    ),
}
