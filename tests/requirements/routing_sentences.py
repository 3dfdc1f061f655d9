"""Contract 003: the routed skill graph."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {
    # memory: Markdown
    "routing.run.start": Requirement(
        "A turn starts at iteration 1; what a run cannot use is refused.",
        "routing, in an agent",
    ),
    "routing.run.step": Requirement(
        "A step is the next iteration: it evaluates what was collected, and moves.",
        "routing, in an agent",
    ),
    "routing.run.results-once": Requirement(
        "Results are collected for the next step and used once.",
        "routing, in an agent",
    ),
    "routing.run.carry": Requirement(
        "The payload of a move is merged into the state.",
        "routing, in an agent",
    ),
    "routing.run.done": Requirement(
        "A run is done on an end.",
        "routing, in an agent",
    ),
    "routing.run.forgets": Requirement(
        "A new turn forgets path, picks and pin, and cursor and state too.",
        "routing, in an agent",
    ),
    "routing.run.keeps": Requirement(
        "A conversation keeps cursor and state over its turns; the kept cursor is the first of the path.",
        "routing, in an agent",
    ),
    "routing.run.gate": Requirement(
        "Ids that are not reachable are refused with a text naming every allowed id; nothing else changes.",
        "routing, in an agent",
    ),
    "routing.run.pick": Requirement(
        "An accepted id is the pick of the next step; the last one wins.",
        "routing, in an agent",
    ),
    "routing.run.pin": Requirement(
        "In a tree an accepted id is pinned for the turn.",
        "routing, in an agent",
    ),
    "routing.run.tools": Requirement(
        "The tools of a run are those of active skills, or of all where the graph does not scope them.",
        "routing, in an agent",
    ),
    "routing.run.limits": Requirement(
        "The path grows on every entry, route and pick, and limits count on it.",
        "routing, in an agent",
    ),
    "routing.run.scored-start": Requirement(
        "A cold start with a scorer takes the entry it chooses.",
        "routing, in an agent",
    ),
    "routing.run.abstention": Requirement(
        "An abstention leaves the entries to the model for the turn.",
        "routing, in an agent",
    ),
    "routing.run.fallback": Requirement(
        "A scorer that raises or takes too long falls back to the ordinary walk.",
        "routing, in an agent",
    ),
    "routing.run.cancellation": Requirement(
        "Cancelling a start propagates and leaves the cursor unset.",
        "routing, in an agent",
    ),
    "routing.run.events": Requirement(
        "A run tells of moves, rejections, lost picks, conflicts, limits, dropped cursors and scorings as "
        "plain dicts with type and iteration.",
        "routing, in an agent",
    ),
    "routing.run.snapshot": Requirement(
        "A snapshot is plain JSON and brings everything back, wherever it was taken.",
        "routing, in an agent",
    ),
    "routing.run.restored": Requirement(
        "The first turn of a restored run keeps cursor and state.",
        "routing, in an agent",
    ),
    "routing.run.dropped": Requirement(
        "A cursor that the graph does not have counts as none, and is told.",
        "routing, in an agent",
    ),
    "routing.run.reference": Requirement(
        "A run agrees with a plain second telling of the rules on random graphs.",
        "routing, in an agent",
    ),
    "routing.run.imports": Requirement(
        "A run loads no pydantic, agent framework, web framework, database or MCP.",
        "routing, public names",
    ),
    "routing.agent.instructions": Requirement(
        "Each request shows the bodies of active skills and a menu of reachable ones beside all other instructions.",
        "routing, in an agent",
    ),
    "routing.agent.state-boxed": Requirement(
        "Carried state is shown boxed as data; nothing carried can leave its box.",
        "routing, in an agent",
    ),
    "routing.agent.tools": Requirement(
        "Each request offers read_skill, the tools no skill owns, and those of active skills.",
        "routing, in an agent",
    ),
    "routing.agent.hidden": Requirement(
        "A hidden tool called by name does not run.",
        "routing, in an agent",
    ),
    "routing.agent.read-skill": Requirement(
        "A refused read_skill is an ordinary return with the allowed ids; an accepted one opens the skill.",
        "routing, in an agent",
    ),
    "routing.agent.results": Requirement(
        "Results of tools reach the graph.",
        "routing, in an agent",
    ),
    "routing.agent.statuses": Requirement(
        "Results carry the status success, or failure where the tool raised; a call that never ran is none.",
        "routing, in an agent",
    ),
    "routing.agent.call-order": Requirement(
        "Results reach the graph in call order, whichever ends first.",
        "routing, in an agent",
    ),
    "routing.agent.own-run": Requirement(
        "A graph gives each agent run its own walk.",
        "routing, in an agent",
    ),
    "routing.agent.kept-run": Requirement(
        "A RouteRun is used as it is, so the caller keeps the cursor.",
        "routing, in an agent",
    ),
    "routing.agent.concurrent": Requirement(
        "Agent runs at the same time over one graph do not see each other.",
        "routing, in an agent",
    ),
    "routing.agent.streaming": Requirement(
        "A streamed run walks like any other.",
        "routing, in an agent",
    ),
    "routing.agent.brought-tools": Requirement(
        "A tool of a skill may be a function or a Tool, and is offered with the skill.",
        "routing, public names",
    ),
    "routing.agent.scope": Requirement(
        "The toolset sees its own tools; the capability every tool of the agent.",
        "routing, in an agent",
    ),
    "routing.agent.refusals": Requirement(
        "What cannot be routed is refused when it is given.",
        "routing, in an agent",
    ),
    "routing.agent.resumed": Requirement(
        "Calls answered later or elsewhere route the run that goes on, within the same turn.",
        "routing, in an agent",
    ),
    "routing.agent.message": Requirement(
        "A turn starts with the words of the prompt.",
        "routing, in an agent",
    ),
    # routing
    "routing.names.public": Requirement(
        "All public names come from the package itself.",
        "routing, public names",
    ),
    "routing.names.home": Requirement(
        "The names of routing have their home in `loreweave.routing`; general ones are not listed by `loreweave`.",
        "house, names",
    ),
    "routing.values.once": Requirement(
        "A value of routing is defined once: the wire sends and reads what the library answers and is asked.",
        "house, values",
    ),
    "routing.names.cheap": Requirement(
        "Importing the package and using the library loads no agent framework, web framework, database, engine or MCP.",
        "routing, public names",
    ),
    "routing.values.frozen": Requirement(
        "Values are frozen, compare by value and hold tuples.",
        "routing, public names",
    ),
    "routing.values.copies": Requirement(
        "The skills of a graph are copies; what the caller passed in is never changed.",
        "routing, public names",
    ),
    "routing.values.tool-result-data": Requirement(
        "The data of a tool result is its text as JSON, or None.",
        "routing, public names",
    ),
    "routing.values.json": Requirement(
        "On the wire names are camelCase, `from_` is `from`, and absent facts are null.",
        "routing",
    ),
    "routing.skill.blank": Requirement(
        "A skill with a blank id, description or body is refused.",
        "routing, public names",
    ),
    "routing.skill.tools": Requirement(
        "A tool is a name, a function or a tool object; tool_names are their names.",
        "routing, public names",
    ),
    "routing.errors.family": Requirement(
        "Every error of routing is a SkillGraphError and a ValueError.",
        "routing, public names",
    ),
    "routing.declare.errors-early": Requirement(
        "What is no skill, a duplicate or a bad condition is refused by the declaring call, leaves at build.",
        "routing, declaring",
    ),
    "routing.declare.registration-order": Requirement(
        "Skills stand in the order of their first mention; the object form registers its list first.",
        "routing, declaring",
    ),
    "routing.declare.ids": Requirement(
        "An id will do wherever a skill is named; an unknown one is told, drawn and never taken.",
        "routing, declaring",
    ),
    "routing.declare.check-modes": Requirement(
        "`throw` raises on errors alone, `warn` logs, `off` runs nothing; warnings never raise.",
        "routing, declaring",
    ),
    "routing.declare.checkup-text": Requirement(
        "A check-up as text has one line a problem.",
        "routing, declaring",
    ),
    "routing.declare.build-copies": Requirement(
        "A built graph does not change when its builder goes on.",
        "routing, declaring",
    ),
    "routing.declare.object-form": Requirement(
        "A graph may be declared as one object of skills, start, steps, tree, limits and check.",
        "routing, declaring",
    ),
    "routing.declare.object-keys": Requirement(
        "Unknown keys of the object form are refused by name.",
        "routing, declaring",
    ),
    "routing.declare.forms-agree": Requirement(
        "Equal declarations give equal edges, nodes and Mermaid in every form.",
        "routing, declaring",
    ),
    "routing.declare.route-conditions": Requirement(
        "A route has `when` alone, or data conditions that all must hold, or nothing: then it never fires by itself.",
        "routing, declaring",
    ),
    "routing.declare.bad-conditions": Requirement(
        "Contradicting, blank, unknown, unreadable and coroutine conditions are refused.",
        "routing, declaring",
    ),
    "routing.declare.tool-return": Requirement(
        "A tool is matched by equality or by searching a pattern, a status among seven.",
        "routing, declaring",
    ),
    "routing.declare.where": Requirement(
        "`where` compares fields of the result's JSON object, types agreeing; a missing field makes a clause false.",
        "routing, declaring",
    ),
    "routing.declare.priority": Requirement(
        "The higher priority comes first, then the order of declaration.",
        "routing, declaring",
    ),
    "routing.declare.carry": Requirement(
        "Carried fields are the top-level JSON fields that the result has.",
        "routing, declaring",
    ),
    "routing.declare.mode-conflict": Requirement(
        "A tree excludes entries, routes and ways of choosing; two ways and two trees exclude each other.",
        "routing, declaring",
    ),
    "routing.declare.entry-conditions": Requirement(
        "Keywords are whole words and patterns are searched, both whatever the case.",
        "routing, public names",
    ),
    "routing.predicates.arguments": Requirement(
        "A route asks with the result, and the context where a second parameter is required; others with the context.",
        "routing, predicates",
    ),
    "routing.predicates.bool": Requirement(
        "Answers are taken as true or false; an awaitable answer raises TypeError.",
        "routing, predicates",
    ),
    "routing.predicates.errors": Requirement(
        "A predicate that raises does not match, its siblings are tried, and the move records it.",
        "routing, predicates",
    ),
    "routing.predicates.once": Requirement(
        "A predicate is asked at most once per edge and result in one evaluation.",
        "routing, predicates",
    ),
    "routing.move.projection": Requirement(
        "next_skill is explain_next_skill's `to`.",
        "routing, moving",
    ),
    "routing.move.entry": Requirement(
        "A cold graph starts at the first entry with no or a true condition.",
        "routing, moving",
    ),
    "routing.move.cold": Requirement(
        "Cold means no cursor: entries are asked each time, edges are not looked at.",
        "routing, moving",
    ),
    "routing.move.cold-pick": Requirement(
        "A cold pick among the entries counts where none starts by itself; conditions do not bind it.",
        "routing, moving",
    ),
    "routing.move.none": Requirement(
        "Where nothing starts the graph stays outside.",
        "routing, moving",
    ),
    "routing.move.route": Requirement(
        "A conditioned edge out of the cursor that matches a result moves it.",
        "routing, moving",
    ),
    "routing.move.pick": Requirement(
        "A pick that is reachable moves where no edge fires.",
        "routing, moving",
    ),
    "routing.move.stay": Requirement(
        "Otherwise the cursor stays.",
        "routing, moving",
    ),
    "routing.move.picks": Requirement(
        "Rejected and superseded picks are told; picking the cursor is staying.",
        "routing, moving",
    ),
    "routing.move.unknown-cursor": Requirement(
        "A cursor of no skill counts as cold and is told; an empty one is an error.",
        "routing, moving",
    ),
    "routing.move.batches": Requirement(
        "Each result finds its best edge, the highest priority wins, then call order; losers are a conflict.",
        "routing, moving",
    ),
    "routing.move.read-skill-results": Requirement(
        "Results of read_skill match only an edge that names it by equality.",
        "routing, moving",
    ),
    "routing.move.self-edge": Requirement(
        "A self-edge that fires is a route.",
        "routing, moving",
    ),
    "routing.move.limits": Requirement(
        "A route or pick beyond max_hops or max_visits is refused and told.",
        "routing, moving",
    ),
    "routing.move.ended": Requirement(
        "A move that lands on an end says so, and nothing else changes.",
        "routing, moving",
    ),
    "routing.active.set": Requirement(
        "Active are where the move lands and the standing entries, in registration order, and nothing else.",
        "routing, active",
    ),
    "routing.active.trigger": Requirement(
        "A skill's trigger agrees with the active set.",
        "routing, active",
    ),
    "routing.active.kinds": Requirement(
        "A trigger is always, rule or llm-activated.",
        "routing, active",
    ),
    "routing.active.metadata": Requirement(
        "The metadata tells how a skill can be reached.",
        "routing, active",
    ),
    "routing.reachable.set": Requirement(
        "Reachable are the targets of the cursor's edges, then the entries, once each and never the cursor.",
        "routing, reachable",
    ),
    "routing.reachable.declared": Requirement(
        "What is reachable was declared.",
        "routing, reachable",
    ),
    "routing.tree.leaf": Requirement(
        "A tree chooses one leaf, alone active, and leaves the cursor; each question is asked once.",
        "routing, trees",
    ),
    "routing.tree.throws": Requirement(
        "A question that throws leaves no leaf.",
        "routing, trees",
    ),
    "routing.tree.pin": Requirement(
        "A pinned leaf replaces the walk; one that is no leaf is a rejected pick.",
        "routing, trees",
    ),
    "routing.tree.reachable": Requirement(
        "All leaves are reachable in drawing order.",
        "routing, trees",
    ),
    "routing.tree.shared-leaf": Requirement(
        "A skill at several leaves is one skill and one node.",
        "routing, trees",
    ),
    "routing.tree.deep": Requirement(
        "Depth is free: trees and chains of 50,000 build, walk, check and draw.",
        "routing, trees",
    ),
    "routing.entry.candidates": Requirement(
        "Candidates are entries with no or a true condition, once each, in declaration order; none calls no scorer.",
        "routing, choosing the entry",
    ),
    "routing.entry.scorers": Requirement(
        "A scorer is plain or async; a wrong number of answers or unequal dimensions is an error; errors propagate.",
        "routing, choosing the entry",
    ),
    "routing.entry.embedding": Requirement(
        "The embedding scorer is the cosine, zero vectors score 0, one call to the embedder a scoring.",
        "routing, choosing the entry",
    ),
    "routing.entry.keyword": Requirement(
        "The keyword scorer is the cosine of sets of folded words, any script, without stop words and plural s.",
        "routing, choosing the entry",
    ),
    "routing.entry.relevance": Requirement(
        "Relevance is the softmax at the policy's temperature; a score that is not finite gets none and cannot win.",
        "routing, choosing the entry",
    ),
    "routing.entry.ties": Requirement(
        "Ties go to the first declared; margin and tie are told.",
        "routing, choosing the entry",
    ),
    "routing.entry.policy": Requirement(
        "A policy abstains below its floor or margin; without one nothing abstains.",
        "routing, choosing the entry",
    ),
    "routing.entry.fit": Requirement(
        "Fitting finds the widest coverage at the precision asked for.",
        "routing, choosing the entry",
    ),
    "routing.entry.examples": Requirement(
        "Examples of a skill take part in scoring.",
        "routing, drawing and markdown",
    ),
    "routing.checkup.order": Requirement(
        "Problems come in the order of the table, then of registration or declaration; notes apart.",
        "routing, check-up",
    ),
    "routing.checkup.messages": Requirement(
        "Messages name skills in double quotes, on one line.",
        "routing, check-up",
    ),
    "routing.checkup.pure": Requirement(
        "A check-up changes nothing and answers the same each time.",
        "routing, check-up",
    ),
    "routing.draw.lines": Requirement(
        "The flowchart has a line a node and a line an edge, bare edges dashed, ends rounded.",
        "routing, drawing",
    ),
    "routing.draw.order": Requirement(
        "Skills are drawn in registration order, entries before routes in declaration order.",
        "routing, drawing",
    ),
    "routing.draw.trees": Requirement(
        "Trees are drawn in pre-order, true branch first, diamonds skipping ids of skills.",
        "routing, drawing",
    ),
    "routing.draw.names": Requirement(
        "Names are made of ids, and no two are alike.",
        "routing, drawing",
    ),
    "routing.draw.unknown": Requirement(
        "An unknown id is drawn after the skills with a question mark, and is no node.",
        "routing, drawing",
    ),
    "routing.draw.labels": Requirement(
        "A label is the given one or the data condition; none for when, bare and entry edges.",
        "routing, drawing",
    ),
    "routing.draw.escapes": Requirement(
        "Marks of the notation and line breaks are escaped; unusual edge labels stand in quotes.",
        "routing, drawing",
    ),
    "routing.draw.current": Requirement(
        "Showing where the graph is only adds lines.",
        "routing, drawing",
    ),
    "routing.draw.declared": Requirement(
        "Declared equals drawn.",
        "routing, drawing",
    ),
    "routing.laws.immutable": Requirement(
        "A built graph never changes, whatever threads, builders and callers do.",
        "routing",
    ),
    "routing.laws.deterministic": Requirement(
        "Equal input gives equal output, whatever the hash seed.",
        "routing",
    ),
    "routing.speed.build": Requirement(
        "1,000 skills and 5,000 edges build in under 100 ms.",
        "routing, speed",
    ),
    "routing.speed.hop": Requirement(
        "A hop, the reachable and the active set take single-digit microseconds, whatever the graph's size.",
        "routing, speed",
    ),
    "routing.speed.linear": Requirement(
        "Check-up and drawing are linear and take under 100 ms.",
        "routing, speed",
    ),
    "routing.speed.patterns": Requirement(
        "Conditions are read in linear time.",
        "routing, speed",
    ),
    "routing.checkup.unknown-skill": Requirement(
        "The check-up tells of `unknown-skill` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.no-entry": Requirement(
        "The check-up tells of `no-entry` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.unreachable-skill": Requirement(
        "The check-up tells of `unreachable-skill` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.model-edge-only": Requirement(
        "The check-up tells of `model-edge-only` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.ambiguous-routes": Requirement(
        "The check-up tells of `ambiguous-routes` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.self-loop": Requirement(
        "The check-up tells of `self-loop` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.multi-entry-fanout": Requirement(
        "The check-up tells of `multi-entry-fanout` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.shadowed-entry": Requirement(
        "The check-up tells of `shadowed-entry` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.duplicate-declaration": Requirement(
        "The check-up tells of `duplicate-declaration` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.end-has-routes": Requirement(
        "The check-up tells of `end-has-routes` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.no-path-to-end": Requirement(
        "The check-up tells of `no-path-to-end` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.body-foreign-tool": Requirement(
        "The check-up tells of `body-foreign-tool` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.body-unknown-tool": Requirement(
        "The check-up tells of `body-unknown-tool` exactly where it applies.",
        "routing, check-up",
    ),
    "routing.checkup.cycle": Requirement(
        "The check-up tells of `cycle` exactly where it applies.",
        "routing, check-up",
    ),
    # routing: folders and wires
    "routing.folders.skill-is-folder": Requirement(
        "A skill is a folder with SKILL.md at any depth, not inside another skill's; ignored names are passed over.",
        "routing, drawing and markdown",
    ),
    "routing.folders.metadata": Requirement(
        "Entry, order, tools, end, examples and routes stand as texts in the metadata of a file.",
        "routing, drawing and markdown",
    ),
    "routing.folders.route-lines": Requirement(
        "A line of routes names its target and condition; quotes and slashes may hold blanks and number signs.",
        "routing, drawing and markdown",
    ),
    "routing.folders.order": Requirement(
        "Skills and entries sort by order, then name; those without an order come last.",
        "routing, drawing and markdown",
    ),
    "routing.folders.body-links": Requirement(
        "Links to skills are bare edges after the routes, one a target, never from code.",
        "routing, drawing and markdown",
    ),
    "routing.folders.link-reason": Requirement(
        "The reason of a linked edge is the sentence around the link.",
        "routing, drawing and markdown",
    ),
    "routing.folders.resources": Requirement(
        "Links to other markdown files are resources by path from the root, never targets.",
        "routing, drawing and markdown",
    ),
    "routing.folders.dangling-link": Requirement(
        "A link to nothing is a dangling-link with skill, file and line.",
        "routing, drawing and markdown",
    ),
    "routing.folders.unknown-route-place": Requirement(
        "A route to nothing is an unknown-skill with file and line.",
        "routing, drawing and markdown",
    ),
    "routing.folders.binding": Requirement(
        "A file selects predicates and tools that were handed over; any other name is a SkillFileError.",
        "routing, drawing and markdown",
    ),
    "routing.folders.binding-open": Requirement(
        "With open binding a name asks the answers of the context, missing is false, and is noted.",
        "routing, drawing and markdown",
    ),
    "routing.folders.file-errors": Requirement(
        "What a header, a key, a value or a route line cannot mean is a SkillFileError with file and line from 1.",
        "routing, drawing and markdown",
    ),
    "routing.folders.one-name-two-files": Requirement(
        "One name in two files is refused with a text that names both.",
        "routing, drawing and markdown",
    ),
    "routing.folders.lenient": Requirement(
        "Missing names and descriptions, unquoted colons, byte order marks, CRLF and numbers for texts are read.",
        "routing, drawing and markdown",
    ),
    "routing.folders.findings": Requirement(
        "The check-up tells what looks wrong in the files, each finding with its place, and notes keys it ignores.",
        "routing, drawing and markdown",
    ),
    "routing.folders.graph-file": Requirement(
        "skillgraph.md says how entries are chosen, the policy and the limits.",
        "routing, drawing and markdown",
    ),
    "routing.folders.tree-file": Requirement(
        "skillgraph.md may hold a tree of named, keyword and regex questions.",
        "routing, drawing and markdown",
    ),
    "routing.folders.no-entry": Requirement(
        "Without any entry all skills are entries for the model to read.",
        "routing, drawing and markdown",
    ),
    "routing.folders.vault": Requirement(
        "Without any SKILL.md every note is a skill, maps of content are default entries, links bare edges.",
        "routing, drawing and markdown",
    ),
    "routing.folders.patterns-bounded": Requirement(
        "A pattern from a file takes at most 50 ms a search, then is no match and a predicate error.",
        "routing, drawing and markdown",
    ),
    "routing.folders.patterns-refused": Requirement(
        "A pattern from a file is refused with file and line, before it is compiled, when it is nested deeper than 10, "
        "longer than 500 characters, or when its repeats multiply beyond 10,000.",
        "routing, drawing and markdown",
    ),
    "routing.folders.patterns-together": Requirement(
        "The patterns of files take at most 500 ms a request, and only so many of them are read for one.",
        "routing, drawing and markdown",
    ),
    "routing.folders.hostile-yaml": Requirement(
        "Aliases, tags, bombs, deep and huge headers are refused soon.",
        "house, files of strangers",
    ),
    "routing.folders.linear": Requirement(
        "Route lines, entry lines and bodies are read in one pass, whatever they hold.",
        "house, files of strangers",
    ),
    "routing.folders.write-round-trip": Requirement(
        "A graph written and read back has equal nodes, and equal edges once grouped by skill.",
        "routing, drawing and markdown",
    ),
    "routing.folders.write-specification": Requirement(
        "Written files have the six keys of the Agent Skills specification, string metadata and no flow style.",
        "routing, drawing and markdown",
    ),
    "routing.folders.write-refusals": Requirement(
        "A lambda, or an id or description that the specification forbids, is refused before anything is written.",
        "routing, drawing and markdown",
    ),
    "routing.wires.source": Requirement(
        "Each request names graphId or files, one of them, else 400; nothing is stored.",
        "routing, wires",
    ),
    "routing.wires.limits": Requirement(
        "Files that come with a request are held to the limits of an ingest.",
        "routing, wires",
    ),
    "routing.wires.unknown-fields": Requirement(
        "Unknown fields are refused by name.",
        "routing, wires",
    ),
    "routing.wires.bad-files": Requirement(
        "Bad files are 400 invalid_skill_file with file and line.",
        "routing, wires",
    ),
    "routing.wires.graph": Requirement(
        "graph answers kind, entryBy, skills, nodes, edges, mermaid and checkup; absent facts are null.",
        "routing, wires",
    ),
    "routing.wires.check": Requirement(
        "check answers ok, problems and notes, and takes knownTools.",
        "routing, wires",
    ),
    "routing.wires.next": Requirement(
        "next takes a context in camelCase and answers nextSkill, move, active, reachable from there, and tools.",
        "routing, wires",
    ),
    "routing.wires.reachable": Requirement(
        "reachable answers the ids that may be jumped to from the current skill.",
        "routing, wires",
    ),
    "routing.wires.mermaid": Requirement(
        "mermaid answers the diagram, with the current skill marked where one is given.",
        "routing, wires",
    ),
    "routing.wires.score": Requirement(
        "score answers the scoring of the declared scorer or the one asked for; without either 409 no_scorer.",
        "routing, wires",
    ),
    "routing.wires.read": Requirement(
        "read answers a reachable skill; else 409 not_reachable with allowed; an unknown id is 404.",
        "routing, wires",
    ),
    "routing.wires.read-path": Requirement(
        "With path, read answers a resource or a file of the skill's own folder, also of the current skill; else 404.",
        "routing, wires",
    ),
    "routing.wires.checkup-is-short": Requirement(
        "On a terminal a check-up tells errors first, then what is rare, and of each code a few findings and how many "
        "there are.",
        "routing, wires",
    ),
    "routing.wires.cli": Requirement(
        "lore route asks a folder or a graph, prints what HTTP answers, and check exits 1 iff not ok.",
        "routing, wires",
    ),
    "routing.wires.mcp": Requirement(
        "The route toolset has four read-only tools whose graph defaults to the one ingested last.",
        "routing, wires",
    ),
    "routing.wires.same-everywhere": Requirement(
        "Equal questions get equal answers and codes over HTTP, MCP and the command line.",
        "routing, wires",
    ),
    "routing.docs.guide": Requirement(
        "The guide to routing shows examples that work.",
        "house, documentation",
    ),
    "routing.drawing.browser": Requirement(
        "Every generated drawing renders in a real browser, with as many nodes and edges as declared.",
        "routing, drawing and markdown",
    ),
    "routing.agent.journey": Requirement(
        "An agent walks a graph of markdown, is refused, is routed by a result, and resumes its cursor after "
        "a restart.",
        "routing, in an agent",
    ),
    "routing.agent.guide": Requirement(
        "A guide tells how to route an agent, and its examples run.",
        "every part",
    ),
}
