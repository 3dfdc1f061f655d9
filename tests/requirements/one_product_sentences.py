"""Sheet `sessions.md` §13, and beyond: what is known feeds what is built, and what is built is remembered."""

from tests.requirements.requirement import Requirement

_SHEET = "sessions.md §13"
_BEYOND = "part 9"
SENTENCES = {
    "one.graph.skill": Requirement(
        "POST /api/skills/from-graph: id graphId/nodeId, prompt the body (over 5,000: sections, then description), "
        "category by type, frontmatter's wins; a MOC asks once in link order, invokes the chosen one, outputs its "
        "result; over 50 are grouped; back-edges are cut and listed; template: false; 404 for either.",
        _SHEET,
    ),
    "one.graph.runs": Requirement(
        "All skills that a graph makes of a note can be run, however many: a plan names the note (`fromGraph`) and the "
        "run keeps them as they were; a graph makes at most 1,000, and what that leaves out is listed in `cut`.",
        _BEYOND,
    ),
    "one.build.plan-context": Requirement(
        "A planner is given the spec and the context pack, boxed and within the share of the tokens that are left; "
        "`lore why` names the notes of that pack.",
        "model calls: plan",
    ),
    "one.build.context": Requirement(
        "Before each task the context pack for name, description and criteria, within min(6,000, 15 % of the tokens "
        "left), boxed.",
        _SHEET,
    ),
    "one.build.context.event": Requirement(
        "context_loaded tells task, graph, nodes with level and tokens, tokens and budget.", _SHEET
    ),
    "one.build.unknown-graph": Requirement("A build that names a graph that is not there is refused by path.", _SHEET),
    "one.build.injection": Requirement("A note cannot change tools, targets or citations.", _BEYOND),
    "one.build.pinned": Requirement(
        "The graph's revision is pinned for the build: edits never alter a running build; hashes are kept.",
        _SHEET,
    ),
    "one.build.skills": Requirement("read_skill is routing's gate, cursor per task, kept with it.", _SHEET),
    "one.memory.task": Requirement(
        "A done task stores one memory: its summary, default scope, tags build and the agent, source "
        "session:<id>/task:<id>.",
        _SHEET,
    ),
    "one.memory.people": Requirement("Gate feedback and answers are stored at importance 0.8.", _SHEET),
    "one.memory.boost": Requirement("Memories are boosted on success, never punished automatically.", _BEYOND),
    "one.build.useful": Requirement(
        "The share of questions whose answer is in a build agent's prompt or first search is at least that of packs.",
        _BEYOND,
    ),
    "one.journey": Requirement(
        "Ingest a vault → route → build → prompts hold the packed notes → memories exist with provenance → a second "
        "build recalls them → `lore why` names them; on both databases, through a crash.",
        _BEYOND,
    ),
    "one.why": Requirement(
        "Session → task → attempt → look → node, section or memory is a query: `lore why`, HTTP and MCP.", _BEYOND
    ),
}
