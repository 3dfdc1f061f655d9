"""Contract 004: sessions."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {
    # sessions: A
    "session.host.walls": Requirement(
        "In the sandbox a command sees the system and the interpreter read-only, has a private /tmp and its own pid "
        "space, and changes its own folder alone.",
        "sessions, sandbox",
    ),
    "session.host.no-network": Requirement(
        "A sandboxed command has no network unless it was allowed.",
        "sessions, sandbox",
    ),
    "session.host.guarded-network": Requirement(
        "A command that may use the network has one of its own, out of which a proxy leads to public addresses alone: "
        "not to this computer, its server or its neighbours, however they are called.",
        "sessions, sandbox",
    ),
    "session.host.limits": Requirement(
        "Memory in every form, processes, file size, and the bytes and files of the whole folder of a command are "
        "limited, with and without bubblewrap.",
        "sessions, sandbox",
        gap="Where the kernel keeps no count for a group, of its own memory only page tables and what sockets and "
        "pipes hold by default are counted. No computer that lent such a group was at hand: that test was skipped.",
    ),
    "session.host.choice": Requirement(
        "LORE_SANDBOX auto takes bubblewrap where it really works, required insists on it, off means limits.",
        "sessions, sandbox",
    ),
    "session.host.no-survivors": Requirement(
        "When a command ends, runs out of time or is cancelled, or when its server is killed, none of its processes "
        "lives on, however it hid.",
        "sessions, durability",
    ),
    "session.host.time": Requirement(
        "A command has 60 seconds, or the time it was given, then all its processes are ended; setting the clock "
        "neither ends nor lengthens it.",
        "sessions, permission",
    ),
    "session.host.kept-output": Requirement(
        "64 KiB of a command's output are kept, however much it prints; what is left out is said.",
        "sessions, permission",
    ),
    "session.host.clean-environment": Requirement(
        "A command's environment is PATH, a scratch HOME, LANG and its own, with a network its proxy; no setting "
        "or key of ours.",
        "sessions, permission",
    ),
    "session.host.no-shell": Requirement(
        "Commands are argv, never a shell: arguments arrive as they are.",
        "sessions, permission",
    ),
    "session.host.result": Requirement(
        "A command's result holds its exit code and its output, and no path of this computer's folders.",
        "sessions, permission",
    ),
    "session.host.own-programs": Requirement(
        "python, pip, pytest, mpremote and esptool mean the product's own; every other program is a file outside the "
        "workspace root, found at the start.",
        "sessions, permission",
    ),
    "session.host.git-probe": Requirement(
        "Whether git is there, and which, can be told.",
        "sessions, health",
    ),
    "session.host.confined": Requirement(
        "Files of a workspace are reached by directory descriptors: outside, or through a link, also one swapped in "
        "meanwhile, nothing is read, written, listed or removed.",
        "sessions, workspace",
    ),
    "session.host.full-workspace": Requirement(
        "A file is not written into a workspace that holds as many bytes or files as it may.",
        "sessions, sandbox",
    ),
    "session.workspace.save-load": Requirement(
        "Save writes workspace.json, skills.json, rules.json and portals.json, only those given; load gives them back, "
        "an absent file as {} or [], an absent folder as not found.",
        "sessions, workspace",
    ),
    "session.workspace.wall": Requirement(
        "A workspace path is absolute inside the root or relative to it, strictly below, of at most 500 characters; "
        "'..', NUL, a leading '~', a file in place of a folder are invalid; outside, .lore, a link on the way are "
        "forbidden.",
        "sessions, workspace",
    ),
    "session.workspace.race": Requirement(
        "A link swapped in while files are saved changes nothing outside.",
        "sessions, workspace",
    ),
    "session.workspace.atomic": Requirement(
        "A design file is the old one or the new one, whole.",
        "sessions, workspace",
    ),
    "session.workspace.unreadable": Requirement(
        "Loading a file that cannot be read is invalid and names it.",
        "sessions, workspace",
    ),
    "session.workspace.wrong-type": Requirement(
        "A value of a wrong type is refused by its field.",
        "sessions, workspace",
    ),
    "session.workspace.limits": Requirement(
        "A design file has at most 1 MiB of JSON; hostile nesting is refused, and nothing is written.",
        "sessions, workspace",
    ),
    "session.workspace.scratch": Requirement(
        "An agent step of a skill has a private scratch workspace, removed after; one that is resumed finds it again.",
        "sessions, skill plans",
    ),
    # sessions: B
    "session.plan.read": Requirement(
        "A plan of every kind of step is read as it was sent; skillId, allSkills and template may be left out.",
        "sessions, skill plans",
    ),
    "session.plan.unknown-keys": Requirement(
        "Unknown keys of a request, a plan, a step or a skill are kept out and named in the session's warnings.",
        "sessions, skill plans",
    ),
    "session.plan.unknown-type": Requirement(
        "A step of an unknown type is refused before anything runs.",
        "sessions, skill plans",
    ),
    "session.plan.limits": Requirement(
        "The lengths of all texts and the counts of all lists are checked before anything runs, and may be reached.",
        "sessions, skill plans",
    ),
    "session.plan.nesting": Requirement(
        "Branches nest at most ten deep, and a plan has at most 500 steps over its whole tree.",
        "sessions, skill plans",
    ),
    "session.plan.iterative": Requirement(
        "Limits are checked without recursion: a plan nested without end is refused at once.",
        "sessions, skill plans",
    ),
    "session.plan.storable": Requirement(
        "Text that one of the databases could not keep is refused by its field.",
        "house, two databases",
    ),
    "session.plan.workspace-size": Requirement(
        "The flows of a request are plain JSON of bounded size and depth.",
        "sessions, skill plans",
    ),
    "session.plan.unique": Requirement(
        "No two steps of a plan and no two skills of a request have one id.",
        "sessions, skill plans",
    ),
    "session.plan.fields": Requirement(
        "A refused plan names every wrong field by its dotted path, list positions as numbers.",
        "sessions, start",
    ),
    "session.plan.answers": Requirement(
        "An answer to a plan is an object with at least one entry.",
        "sessions, waiting and stopping",
    ),
    "session.plan.templates.once": Requirement(
        "A template is filled in in one pass; what comes in is never filled in again.",
        "sessions, skill plans",
    ),
    "session.plan.templates.keys": Requirement(
        "A key in a template is made of letters, digits, `_`, `.` and `-`, without spaces.",
        "sessions, skill plans",
    ),
    "session.plan.templates.unknown": Requirement(
        "An unknown key gives an empty text, `__class__` too.",
        "sessions, skill plans",
    ),
    "session.plan.templates.lists": Requirement(
        "A list in a template is joined by a comma and a space.",
        "sessions, skill plans",
    ),
    "session.plan.templates.bounded": Requirement(
        "A text that grows beyond 100,000 characters when it is filled in fails the run.",
        "sessions, skill plans",
    ),
    "session.plan.templates.linear": Requirement(
        "Filling in a template takes time in proportion to its length.",
        "sessions, scale and speed",
    ),
    "session.plan.templates.where": Requirement(
        "Prompts, values, templates, question and option texts are filled in; headers, keys and match values are not; "
        "a skill with `template: false` is taken as it stands.",
        "sessions, skill plans",
    ),
    "session.plan.context.chain": Requirement(
        "A key is looked for in the skill's own entries, then in its callers'; a skill writes only its own.",
        "contract 004, context resolution chain",
    ),
    "session.plan.branch": Requirement(
        "A branch runs on exactly its value; a missing key counts as the empty text, a list as its texts joined by a "
        "comma and a space.",
        "sessions, skill plans",
    ),
    "session.plan.output": Requirement(
        "The last output is the result, a branch's counts, later steps run; without one the result is empty.",
        "sessions, skill plans",
    ),
    "session.plan.agent": Requirement(
        "An agent's text is told as output and kept under its key; no agent is asked for nothing.",
        "sessions, skill plans",
    ),
    "session.plan.agent.failure": Requirement(
        "An agent that fails fails the run.",
        "sessions, skill plans",
    ),
    "session.plan.ask": Requirement(
        "A step that asks puts one question with its options, and keeps the answer under its key.",
        "contract 004, skill steps",
    ),
    "session.plan.ask.header": Requirement(
        "The answer is the entry of the header, else of the key, else the only one.",
        "sessions, waiting and stopping",
    ),
    "session.plan.ask.values": Requirement(
        "An answer is kept as a text or a list of texts, other values as their text.",
        "sessions, waiting and stopping",
    ),
    "session.plan.ask.timeout": Requirement(
        "A question of a plan that nobody answers in time fails the run.",
        "sessions, waiting and stopping",
    ),
    "session.plan.request-id": Requirement(
        "A run that is sent again with its request_id and the same body gives the same session, written once; with "
        "another body it is refused with 409.",
        "sessions, skill plans",
    ),
    "session.plan.invoke.composite": Requirement(
        "A composite skill runs in a frame of its own, and its result is kept under the step's key.",
        "sessions, skill plans",
    ),
    "session.plan.invoke.simple": Requirement(
        "A simple skill is one agent's work in a frame of its own.",
        "sessions, skill plans",
    ),
    "session.plan.invoke.unknown": Requirement(
        "An unknown skill fails the run.",
        "sessions, skill plans",
    ),
    "session.plan.invoke.depth": Requirement(
        "Ten skills run inside one another, the plan counted; entering the eleventh fails, simple ones counted.",
        "sessions, skill plans",
    ),
    "session.plan.invoke.cycle": Requirement(
        "A skill already on the stack fails before anything of it runs.",
        "sessions, skill plans",
    ),
    "session.plan.invoke.twice": Requirement(
        "A skill used twice in a row is fine.",
        "sessions, skill plans",
    ),
    "session.plan.invoke.entered": Requirement(
        "Skills are judged when they are entered, not when they are drawn.",
        "sessions, skill plans",
    ),
    "session.plan.skill-id": Requirement(
        "Without a skillId the session's id stands in.",
        "sessions, skill plans",
    ),
    "session.plan.workspace.blocks": Requirement(
        "A flow is read from its start block along the next ones, each block as its step under the block's id.",
        "sessions, skill plans",
    ),
    "session.plan.workspace.fields": Requirement(
        "Numbers and switches in a block's fields are taken as text; anything else fails by its block.",
        "sessions, skill plans",
    ),
    "session.plan.workspace.disabled": Requirement(
        "Blocks that are switched off are stepped over.",
        "sessions, skill plans",
    ),
    "session.plan.workspace.faults": Requirement(
        "No start block, an unknown type, an empty question or prompt fails the run, naming the block.",
        "sessions, skill plans",
    ),
    "session.plan.workspace.limits": Requirement(
        "A flow has the limits of a plan.",
        "sessions, skill plans",
    ),
    "session.plan.step-ids": Requirement(
        "The steps that can be answered are those of the plan and of every flow of the run.",
        "sessions, waiting and stopping",
    ),
    "session.plan.events": Requirement(
        "A run tells its start, every step's start and end, its outputs and its end, with the contract's fields.",
        "contract 004, skill execution",
    ),
    "session.plan.frames": Requirement(
        "Frames nest: a skill's start, its steps, its end.",
        "sessions, events",
    ),
    "session.plan.failure": Requirement(
        "A failure fails the open steps up the frames and gives one error, the root's.",
        "sessions, events",
    ),
    "session.plan.one-end": Requirement(
        "A run has one terminal event, the root's, and it is the last.",
        "sessions, events",
    ),
    "session.plan.replay": Requirement(
        "A run that dies anywhere goes on to the same events under the same keys; no finished agent works again.",
        "sessions, durability",
    ),
    "session.plan.deterministic": Requirement(
        "Equal runs tell equal events under equal keys.",
        "every part",
    ),
    "session.plan.few-writes": Requirement(
        "Steps that need nobody are written together, and all is written before anyone is waited for.",
        "sessions, scale and speed",
    ),
    "session.plan.bounded-run": Requirement(
        "Skills that multiply come to an end, by steps and by what they write.",
        "sessions, skill plans",
    ),
    "session.plan.speed": Requirement(
        "The largest plan is read and run in time that grows with its size alone.",
        "sessions, scale and speed",
    ),
    # sessions: C
    "session.engine.finished-steps-once": Requirement(
        "After kill -9 finished steps are not run again; the one under way is.",
        "sessions, durability",
    ),
    "session.engine.killed-anywhere": Requirement(
        "Killed before any word to its database, its first opening included, the engine opens again and its "
        "work goes on.",
        "sessions, durability",
    ),
    "session.engine.start-is-durable": Requirement(
        "A start that was acknowledged outlives its process.",
        "sessions, durability",
    ),
    "session.engine.start-once": Requirement(
        "A second start of one session does nothing, while it runs and after it ended.",
        "sessions, durability",
    ),
    "session.engine.never-given-up": Requirement(
        "However often its process dies, work is not given up.",
        "sessions, durability",
    ),
    "session.engine.values": Requirement(
        "A step's value is the same on the first run and on every other.",
        "sessions, durability",
    ),
    "session.engine.errors": Requirement(
        "A step's error comes back as the class, code and facts it had; any other exception as a plain error.",
        "sessions, durability",
    ),
    "session.engine.take-up": Requirement(
        "Of what a dead process left, one work alone can be taken up; what a living one runs cannot.",
        "sessions, durability",
    ),
    "session.engine.known-dbos": Requirement(
        "Private names of DBOS are looked for before the engine opens; one that is missing is named with the version.",
        "house, dependencies",
    ),
    "session.engine.older-sqlite": Requirement(
        "Sessions run on every Python that the product runs on, also where its SQLite is older than DBOS expects.",
        "house, faults",
    ),
    "session.engine.cancelled-step": Requirement(
        "A step that is cancelled records nothing.",
        "sessions, durability",
    ),
    "session.engine.order": Requirement(
        "Steps are replayed in the order in which they were called; other steps than those recorded are refused.",
        "sessions, durability",
    ),
    "session.engine.ends": Requirement(
        "Work that raises or is cancelled has ended: it is logged once and not run again.",
        "sessions, durability",
    ),
    "session.engine.close-breaks-off": Requirement(
        "Closing breaks work off without an outcome, and the next opening goes on with it.",
        "sessions, durability",
    ),
    "session.engine.name": Requirement(
        "The executor id lives in the data folder: a restart gets its own again, a process beside it another.",
        "sessions, durability",
    ),
    "session.engine.own-work": Requirement(
        "A process runs its own work; one that takes no work runs what it starts and leaves the rest.",
        "sessions, durability",
    ),
    "session.engine.take-over": Requirement(
        "A dead process's work is taken over once, however many living ones take over.",
        "sessions, durability",
    ),
    "session.engine.taken-over": Requirement(
        "One runner at any time: a process that lost its work records nothing more of it.",
        "sessions, durability",
    ),
    "session.engine.database-away": Requirement(
        "Work waits for a database that drops its connections, and goes on.",
        "sessions, durability",
    ),
    "session.engine.refusal": Requirement(
        "A database that refuses is told in one sentence, to the work and to callers.",
        "sessions, durability",
    ),
    "session.engine.forget": Requirement(
        "What is forgotten leaves no rows; what runs is not forgotten.",
        "sessions, durability",
    ),
    "session.engine.tidy": Requirement(
        "The steps of work that ended are not kept.",
        "sessions, durability",
    ),
    "session.engine.shape": Requirement(
        "The version of the work is pinned to its shape, so that an upgrade strands no session.",
        "sessions, durability",
    ),
    "session.engine.json": Requirement(
        "What the engine records is JSON, never code.",
        "sessions, durability",
    ),
    "session.engine.place": Requirement(
        "On SQLite the engine has a file in the data folder, on PostgreSQL a schema beside the store.",
        "sessions, durability",
    ),
    "session.engine.one-loop": Requirement(
        "All work runs on one event loop in one thread; no thread a session.",
        "sessions, durability",
    ),
    "session.engine.one-a-process": Requirement(
        "A process has one engine at a time; a second opening is refused.",
        "sessions, durability",
    ),
    "session.engine.leaks-nothing": Requirement(
        "Opened and closed again and again, an engine leaves no thread and no file behind.",
        "sessions, durability",
    ),
    "session.engine.environment": Requirement(
        "Nothing in the environment changes the engine.",
        "sessions, durability",
    ),
    "session.engine.silent": Requirement(
        "The engine says nothing on the console; warnings go to the log.",
        "sessions, durability",
    ),
    "session.engine.no-secrets": Requirement(
        "No password and no text of an unexpected error appears in a log or a refusal.",
        "sessions, durability",
    ),
    "session.engine.late-import": Requirement(
        "The engine's libraries are imported when it is opened, not before.",
        "sessions, durability",
    ),
    # sessions: D
    "session.agent.no-model": Requirement(
        "A step for an agent fails its run where no model is set, its name is none or its key is missing, and says "
        "which setting to change.",
        "sessions, agents",
    ),
    "session.agent.model-repeats": Requirement(
        "The model layer repeats 429, 5xx and broken connections at most twice; any other 4xx is exactly one request.",
        "sessions, scheduling",
    ),
    "session.agent.shared-line": Requirement(
        "The turns of all sessions share one client, opened once and closed once.",
        "sessions, scale and speed",
    ),
    "session.agent.demo-answers-skills": Requirement(
        "The demo model answers run_agent deterministically, with no key and no network.",
        "sessions, narrator, teaching, demo",
    ),
    "session.tokens.cache-is-input": Requirement(
        "Cache reads and writes are input tokens.",
        "sessions, tokens",
    ),
    "session.tokens.cost": Requirement(
        "cost_usd comes from the price table, and is 0 where no price is known.",
        "sessions, tokens",
    ),
    "session.agent.turn": Requirement(
        "An agent is asked in rounds until it calls no tool; its last text is the result.",
        "sessions, scheduling",
    ),
    "session.agent.headers": Requirement(
        "Every request carries its purpose, session and task as headers.",
        "interfaces, model calls",
    ),
    "session.agent.tools": Requirement(
        "An agent has the ten fixed tools with their fixed parameters, each only where it is given.",
        "interfaces, model calls",
    ),
    "session.agent.limits": Requirement(
        "A turn has at most 25 rounds and the agent's time, waiting for people not counted; files and output are cut.",
        "sessions, scheduling",
    ),
    "session.agent.odd-calls": Requirement(
        "An unknown tool and unreadable arguments are failed results that the model can act on.",
        "sessions, scheduling",
    ),
    "session.agent.failures": Requirement(
        "A failed turn has one stable sentence, without the provider's words and without a key.",
        "sessions, scheduling",
    ),
    "session.agent.replay": Requirement(
        "Rounds that were answered are not asked again and finished tool calls not repeated, wherever it was cut.",
        "sessions, durability",
    ),
    "session.agent.cancelled": Requirement(
        "A turn that is cancelled leaves no request and no process behind.",
        "sessions, waiting and stopping",
    ),
    "session.agent.questions": Requirement(
        "A question of an agent waits for its answer; where nobody answers, the agent is told and goes on.",
        "sessions, waiting and stopping",
    ),
    "session.agent.boxed": Requirement(
        "What comes from files, commands, documents and people is boxed by a fence the text cannot contain.",
        "sessions, scheduling",
    ),
    "session.agent.lookups": Requirement(
        "Skills, documents and memories are looked up as boxed data, and a refusal is the tool's failed result.",
        "sessions, one product",
    ),
    "session.permission.files": Requirement(
        "A path inside the workspace is approved, links resolved; writes are asked about where the session says so.",
        "sessions, permission",
    ),
    "session.permission.for-good": Requirement(
        "A path outside, by a link, in .git or .lore is denied for good: nobody can allow it; ten fail the attempt.",
        "sessions, permission",
    ),
    "session.permission.arguments": Requirement(
        "An argument of a command that is such a path is found however it is written.",
        "sessions, permission",
    ),
    "session.permission.commands": Requirement(
        "Commands are approved, asked about or denied by the table; network ones approved with allow_network.",
        "sessions, permission",
    ),
    "session.permission.options": Requirement(
        "Options that make a harmless command write, run programs or wander are denied; git starts nothing.",
        "sessions, permission",
    ),
    "session.permission.sandboxed": Requirement(
        "Approved commands run in the sandbox, with a network only where the session allows it.",
        "sessions, permission",
    ),
    "session.permission.unsandboxed": Requirement(
        "Without walls code-running commands are asked about once a session, the demo's excepted.",
        "sessions, sandbox",
    ),
    "session.permission.git-alone": Requirement(
        "Git is shown a repository of ours: no setting, filter, attribute, hook, include or submodule of a workspace, "
        "nor one that is a bare repository itself, starts anything or reads another repository.",
        "sessions, permission",
    ),
    "session.permission.exact-grants": Requirement(
        "A person is shown the whole command, every sign of it visible; what they allow for the session is that "
        "command in that folder and no other.",
        "sessions, permission",
    ),
    "session.permission.open-network": Requirement(
        "Where the network of a command cannot be held back, it is asked about, and the question says so.",
        "sessions, sandbox",
    ),
    "session.permission.escalation": Requirement(
        "The third plain denial in a task, or what escalation_threshold says, is asked instead.",
        "sessions, permission",
    ),
    "session.permission.answers": Requirement(
        "Allow once, Allow for this session and Deny mean what they say; any other answer denies.",
        "sessions, permission",
    ),
    "session.permission.told": Requirement(
        "Every write, command and refusal is told by permission_auto_resolved; a denial is the tool's ordinary result.",
        "sessions, permission",
    ),
    "session.tokens.increments": Requirement(
        "token_usage gives the increments of every request, under the agent's name.",
        "sessions, tokens",
        gap="A request that a crash cut off before its answer was recorded is asked again and counts once.",
    ),
    "session.tokens.warning": Requirement(
        "budget_warning comes once, at 80 % or more.",
        "sessions, tokens",
    ),
    "session.tokens.end": Requirement(
        "At 100 % or more no further request is made and the turn fails for the budget.",
        "sessions, tokens",
    ),
    "session.health.key-checked": Requirement(
        "The key is checked in the background, unchecked until then, again after a while; without a key it is missing.",
        "sessions, health",
    ),
    "session.health.key-invalid": Requirement(
        "A refused key is invalid, with a sentence that holds no key.",
        "sessions, health",
    ),
    "session.health.key-never-waits": Requirement(
        "Nobody waits for the provider to learn the state of the key, and closing ends the check.",
        "sessions, health",
    ),
    # sessions: E
    "session.http.create": Requirement(
        "POST /api/sessions makes an idle build whose log begins with session_started as number 1.",
        "sessions, events",
    ),
    "session.http.shape": Requirement(
        "GET /api/sessions/:id has every field of the sheet; before a start lists are empty and the rest is null.",
        "sessions, shapes",
    ),
    "session.http.parts": Requirement(
        "Tasks and commits are bare lists, and tests an object: empty, zeros and nulls before anything ran.",
        "sessions, shapes",
    ),
    "session.http.list": Requirement(
        "GET /api/sessions is a bare list, the newest first, of id, kind, state, outcome, goal and created_at.",
        "sessions, shapes",
    ),
    "session.http.events": Requirement(
        "GET /api/sessions/:id/events gives events after a number with last_seq; pages put together are the log.",
        "sessions, shapes",
    ),
    "session.http.numbers": Requirement(
        "since is a whole number from 0 on, limit one from 1 to 1000; all else is 400 in its name.",
        "sessions, events",
    ),
    "session.http.stop": Requirement(
        "Stop answers once the end is stored; an idle session is then done, one that is over stays as it is.",
        "sessions, waiting and stopping",
    ),
    "session.http.delete": Requirement(
        "DELETE takes an idle or ended session away; 409 while it runs.",
        "sessions, shapes",
    ),
    "session.http.unknown": Requirement(
        "An unknown session id of any form or length is 404, before the body is read.",
        "sessions, start",
    ),
    "session.http.bodies": Requirement(
        "A body over 1 MiB is 413, one that is no JSON object 400, on all addresses; neither changes anything.",
        "sessions, start",
    ),
    "session.http.methods": Requirement(
        "Another method is 405 with Allow naming all that the address knows.",
        "interfaces, HTTP",
    ),
    "session.http.query": Requirement(
        "What nobody reads in the query is refused by name.",
        "interfaces, HTTP",
    ),
    "session.http.gate": Requirement(
        "A gate refuses wrong types with 400 in the field's name; it is 409 in a session that is no running build.",
        "sessions, waiting and stopping",
    ),
    "session.http.question": Requirement(
        "A question refuses wrong types with 400 in the field's name; it is 409 in a session that is no running build.",
        "sessions, waiting and stopping",
    ),
    "session.http.tokens": Requirement(
        "Where tokens are required, no address of a session answers without one.",
        "interfaces, settings",
    ),
    "session.http.templates": Requirement(
        "GET /api/templates is an empty list.",
        "sessions, shapes",
    ),
    "session.http.skill-run": Requirement(
        "POST /api/skills/run starts a session; a plan that may not run is 400 and leaves none.",
        "sessions, skill plans",
    ),
    "session.http.skill-answer": Requirement(
        "An answer to a step is 400 without answers, 404 for an unknown session or step, 409 out of its time.",
        "sessions, waiting and stopping",
    ),
    "session.http.one-answer-wins": Requirement(
        "Of several answers at once exactly one is taken; the others get 409 with the recorded answer.",
        "sessions, waiting and stopping",
    ),
    "session.http.large-plan": Requirement(
        "A plan within the limits runs and is watched whole, however long its texts.",
        "sessions, skill plans",
    ),
    "session.http.workspace": Requirement(
        "Save and load keep to the workspace root: 400, 403 and 404 as the rules of paths say, in the field's name.",
        "sessions, workspace",
    ),
    "session.http.several-servers": Requirement(
        "Any server on one database answers any session: reads, answers, stop.",
        "sessions, scale and speed",
    ),
    "session.http.restart": Requirement(
        "A server that was killed goes on with its sessions when it is started again, and takes their answers.",
        "sessions, durability",
    ),
    "session.http.garbage": Requirement(
        "No generated request gets anything but a described answer or a refusal in the one shape.",
        "interfaces, HTTP",
    ),
    "session.http.event-schema": Requirement(
        "Every event has a committed schema that stored frames keep to.",
        "sessions, events",
    ),
    "session.ws.since": Requirement(
        "The socket sends what is stored after since, then follows; absent means 0.",
        "sessions, events",
    ),
    "session.ws.equal-frames": Requirement(
        "All sockets of a session get frames equal to the byte.",
        "sessions, events",
    ),
    "session.ws.dropped": Requirement(
        "A watcher that was cut off comes back with its last number and misses nothing.",
        "sessions, events",
    ),
    "session.ws.slow": Requirement(
        "A watcher that does not read delays nobody, is held in bounded memory, and loses nothing.",
        "sessions, events",
    ),
    "session.ws.ignored": Requirement(
        "What clients send is ignored; a message of over 64 KiB ends the connection.",
        "sessions, events",
    ),
    "session.ws.stays-open": Requirement(
        "The socket stays open after the end of a session and closes when it is deleted.",
        "sessions, events",
    ),
    "session.ws.unknown": Requirement(
        "Before the upgrade an unknown session is 404.",
        "sessions, events",
    ),
    "session.ws.bad-since": Requirement(
        "Before the upgrade a since that is no whole number from 0 on is 400; one beyond the log waits.",
        "sessions, events",
    ),
    "session.ws.origin": Requirement(
        "Before the upgrade a foreign Origin or Host is 403.",
        "sessions, events",
    ),
    "session.ws.refusals": Requirement(
        "Every WebSocket that is turned away, half handshakes too, gets the one error shape.",
        "interfaces, HTTP",
    ),
    "session.ws.tokens": Requirement(
        "Where tokens are required a socket needs one: in Authorization or as a subprotocol, never in the query.",
        "interfaces, settings",
    ),
    "session.ws.shutdown": Requirement(
        "A server that stops closes its sockets with 1001 and waits for no watcher.",
        "sessions, events",
    ),
    "session.ws.several-servers": Requirement(
        "A socket at any server on one database shows every session.",
        "sessions, scale and speed",
    ),
    "session.ws.other-process": Requirement(
        "A socket shows what another process records in the same data.",
        "sessions, one product",
    ),
    "session.health.ready": Requirement(
        "Health is ready when a build could run now: valid key, or demo; else degraded, and 200 all the same.",
        "sessions, health",
    ),
    "session.health.shape": Requirement(
        "Health adds model, sandbox and git; apiKeyError is there only when the key is invalid.",
        "sessions, health",
    ),
    "session.health.never-waits": Requirement(
        "A health check answers at once while the provider keeps silent.",
        "sessions, health",
    ),
    # sessions: G
    "session.cli.run-shape": Requirement(
        "lore run takes a plan, or a plan with allSkills, and prints session_id, outcome and result on one line.",
        "sessions, one product",
    ),
    "session.cli.answer": Requirement(
        "`lore sessions answer` answers an open question from any terminal, by number, label or text; what means "
        "nothing is refused and the question stays.",
        "interfaces, command line",
    ),
    "session.cli.short-ids": Requirement(
        "The id of a session may be shortened to any unique beginning of 4 characters or more; a beginning of several "
        "names them, an unknown id brings the nearest or what there is.",
        "interfaces, command line",
    ),
    "session.cli.resume": Requirement(
        "`lore sessions resume` takes up in this process what a killed one left and asks its open question; what a "
        "living process runs is not taken from it.",
        "interfaces, command line",
    ),
    "session.cli.questions": Requirement(
        "Questions go to stderr and a line of stdin answers: the number of an option, its label, or a text; a number "
        "that is no option's is asked again.",
        "sessions, one product",
    ),
    "session.cli.end-of-input": Requirement(
        "The end of input stops a session that waits for an answer, and only such a one.",
        "sessions, one product",
    ),
    "session.cli.exit-codes": Requirement(
        "lore run exits 0 only for success, 1 otherwise, 2 for what is no plan, naming the field.",
        "sessions, one product",
    ),
    "session.cli.interrupt": Requirement(
        "Ctrl-C stops the session of lore run or lore build, says so at once, then its id and how to go on; one "
        "that is killed while it begins has its name.",
        "sessions, waiting and stopping",
    ),
    "session.cli.own-process": Requirement(
        "lore run works in its own process on the same data: others see, answer and stop its session.",
        "sessions, one product",
    ),
    "session.cli.answered-elsewhere": Requirement(
        "A question of lore run that somebody answers elsewhere goes away, and the run goes on.",
        "sessions, one product",
    ),
    "session.cli.progress": Requirement(
        "On a terminal lore run tells of its steps on stderr and shows the result to a person.",
        "sessions, one product",
    ),
    "session.cli.killed-run": Requirement(
        "A session of a lore run that was killed stays open, and a server started on the same data takes its answer.",
        "sessions, durability",
    ),
    "session.cli.list": Requirement(
        "lore sessions lists sessions, the newest first, as HTTP does.",
        "sessions, shapes",
    ),
    "session.cli.show-stop-delete": Requirement(
        "lore sessions shows, stops and deletes one session, whichever process runs it.",
        "sessions, waiting and stopping",
    ),
    "session.cli.watch": Requirement(
        "lore sessions watch prints a session's events one a line from any number on, until its end, across processes.",
        "sessions, events",
    ),
    "session.cli.same-everywhere": Requirement(
        "One plan has the same events through HTTP, MCP and the command line, but for ids and times.",
        "sessions, one product",
    ),
    "session.cli.doctor": Requirement(
        "lore doctor tells of model and key, sandbox, git, workspace root and engine, and how to get what is missing.",
        "sessions, sandbox",
    ),
    "session.mcp.wait": Requirement(
        "session_status with wait_s, at most 60, waits for news or the end; whoever waits holds no thread and may "
        "leave.",
        "sessions, one product",
    ),
    "session.mcp.tools": Requirement(
        "The tools run_skill, session_status, answer_question, stop_session have schemas and honest annotations.",
        "sessions, one product",
    ),
    "session.mcp.run": Requirement(
        "run_skill starts a plan and answers its session's id at once.",
        "sessions, one product",
    ),
    "session.mcp.answer": Requirement(
        "answer_question answers the open question of a step, and the run goes on.",
        "sessions, one product",
    ),
    "session.mcp.stop": Requirement(
        "stop_session ends a session for good, and again changes nothing.",
        "sessions, one product",
    ),
    "session.mcp.status-is-bounded": Requirement(
        "session_status gives the session and at most 200 events after a number, and says when there are more.",
        "sessions, one product",
    ),
    "session.mcp.refusals": Requirement(
        "A refusal of a tool is a result with the error shape; unknown arguments are refused by name.",
        "sessions, one product",
    ),
    "session.mcp.both-transports": Requirement(
        "The toolset build works over stdio, where the process runs the plan itself, and over /mcp of a server.",
        "sessions, one product",
    ),
    "session.docs.guide": Requirement(
        "The guide to sessions runs a first plan without a key; its plan, commands and bodies work as they stand.",
        "sessions, one product",
    ),
    # sessions: P
    "session.page.list": Requirement(
        "The page lists sessions, the newest first, with kind, name, outcome and time, and says what to do first.",
        "sessions, shapes",
    ),
    "session.page.run": Requirement(
        "The page runs a plan from a field whose example needs no model; a refused plan shows each fault at its field.",
        "sessions, skill plans",
    ),
    "session.page.live": Requirement(
        "A session is shown live: a tree of steps, outputs, permissions, tokens against budget, result or error.",
        "sessions, events",
    ),
    "session.page.same-after-break": Requirement(
        "The page is a fold over the log: a killed server, a broken line and a reload change nothing of it.",
        "sessions, studio page",
    ),
    "session.page.questions": Requirement(
        "Open questions are forms with options and free text; answered elsewhere they close, unanswered they say so.",
        "sessions, waiting and stopping",
    ),
    "session.page.stop-delete": Requirement(
        "Stopping and deleting ask first, and what the server refuses is told in its own sentence.",
        "sessions, waiting and stopping",
    ),
    "session.page.copy": Requirement(
        "The result of a session is copied to the letter.",
        "sessions, studio page",
    ),
    "session.page.inert": Requirement(
        "Text of a session is shown as text, never as markup.",
        "sessions, studio page",
    ),
    "session.page.long": Requirement(
        "A session of 5,000 events is drawn in batches: the page stays awake, and nothing that was drawn moves.",
        "sessions, scale and speed",
    ),
    "session.page.accessible": Requirement(
        "The page of sessions works by keyboard and screen reader, in light and dark, without motion, on a phone.",
        "sessions, studio page",
    ),
    "session.page.token": Requirement(
        "Where tokens are demanded, a session is followed with the token of the tab.",
        "sessions, events",
    ),
    "session.page.house": Requirement(
        "The page says when the server has no model or no sandbox.",
        "sessions, sandbox",
    ),
    # sessions: L
    "session.scale.memory": Requirement(
        "200 sessions waiting or running in one process stay under 1 GiB.",
        "sessions, scale and speed",
    ),
    "session.scale.reads": Requirement(
        "Reads take under 50 ms while many sessions wait or run.",
        "sessions, scale and speed",
    ),
    "session.scale.threads": Requirement(
        "There is no thread a session.",
        "sessions, scale and speed",
    ),
    "session.scale.events": Requirement(
        "1,000 events a second are recorded and delivered.",
        "sessions, scale and speed",
        gap="On SQLite; on PostgreSQL, server and all on two processors, 660 a second were seen.",
    ),
    "session.scale.step": Requirement(
        "A step's own overhead is tens of milliseconds.",
        "sessions, scale and speed",
    ),
    "session.scale.waiting": Requirement(
        "Many sessions wait at once, each is answered, stopped and deleted on its own; a running one is not deleted.",
        "sessions, scale and speed",
    ),
    "session.crash.only-the-dead": Requirement(
        "Nobody who beats is taken for dead, nor is anybody judged by a time in which the judge was held up.",
        "sessions, durability",
    ),
    "session.crash.every-event": Requirement(
        "Killed at any event and started again, a run tells exactly what an undisturbed one tells.",
        "sessions, durability",
    ),
    "session.crash.rounds-once": Requirement(
        "Rounds that were answered are not asked again, and finished tool calls not repeated.",
        "sessions, durability",
    ),
    "session.crash.open-question": Requirement(
        "A question that was open before a crash is open and answerable after it.",
        "sessions, durability",
    ),
    "session.crash.numbered": Requirement(
        "The numbers of a log go on without a gap after a crash.",
        "sessions, durability",
    ),
    "session.crash.round-under-way": Requirement(
        "What was under way is done again, once, and counts once.",
        "sessions, durability",
    ),
    "session.crash.created": Requirement(
        "A session that was written down is run, though its process died before starting it.",
        "sessions, durability",
    ),
    "session.crash.answered": Requirement(
        "An answer that was written down counts, though its process died before saying so.",
        "sessions, durability",
    ),
    "session.crash.stopped": Requirement(
        "A stop that was written down holds, though its process died before saying so; no model request follows.",
        "sessions, waiting and stopping",
    ),
    "session.crash.many-at-once": Requirement(
        "A killed server loses none of its sessions.",
        "sessions, durability",
    ),
    "session.crash.any-server": Requirement(
        "Any server on one database answers any session: reads, sockets, answers, stop.",
        "sessions, scale and speed",
    ),
    "session.crash.taken-over": Requirement(
        "A dead server's sessions go on elsewhere within 15 s.",
        "sessions, scale and speed",
    ),
    "session.crash.one-runner": Requirement(
        "A server that was frozen while another took its sessions over adds nothing to them when it wakes.",
        "sessions, scale and speed",
    ),
    "session.crash.no-process-left": Requirement(
        "Within 10 s of a stop no process of the session lives, nor after the death of its server; no request follows.",
        "sessions, waiting and stopping",
    ),
    "session.log.always-ends": Requirement(
        "However the work of a session breaks, the session ends, and its last event repeats nothing of the fault.",
        "sessions, events",
    ),
    "session.log.outage": Requirement(
        "A database that is away for a while ends no session.",
        "sessions, durability",
    ),
    "session.log.first-event": Requirement(
        "session_started is seq 1, written by the creation.",
        "sessions, events",
    ),
    "session.log.numbered": Requirement(
        "Every event has seq, per session from 1 without gaps, and ts in milliseconds, however many processes write.",
        "sessions, events",
    ),
    "session.log.fold": Requirement(
        "A session is what its stored events come to, and nothing else.",
        "sessions",
    ),
    "session.log.key-once": Requirement(
        "Events carry a key: a replay adds none.",
        "sessions, durability",
    ),
    "session.log.all-or-nothing": Requirement(
        "Events recorded together are all stored or none.",
        "sessions, durability",
    ),
    "session.log.nothing-after-the-end": Requirement(
        "Nothing follows the terminal event.",
        "sessions, events",
    ),
    "session.log.one-end": Requirement(
        "Racing with the end, a stop wins or loses: there is one terminal event.",
        "sessions, waiting and stopping",
    ),
    "session.log.half-characters": Requirement(
        "Half of a character that a model wrote is stored and sent as a question mark.",
        "sessions, events",
    ),
    "session.log.tokens-add-up": Requirement(
        "The tokens of a session are the sum of what was told, also after a crash.",
        "sessions, tokens",
    ),
    "session.log.unknown": Requirement(
        "A session or question that is not there is told so, and nothing is written.",
        "sessions, waiting and stopping",
    ),
    "session.log.follow": Requirement(
        "A follower from any number gets exactly what is stored after it, once and in order, then what "
        "comes, in every process.",
        "sessions, events",
    ),
    "session.log.equal-frames": Requirement(
        "All followers get equal frames.",
        "sessions, events",
    ),
    "session.log.slow-follower": Requirement(
        "A reader that does not read costs nobody anything.",
        "sessions, events",
    ),
    "session.log.resting-followers": Requirement(
        "Whoever follows an ended session uses no time.",
        "sessions, scale and speed",
    ),
    "session.log.no-lost-wakeup": Requirement(
        "Nobody sleeps through what was written between a look and the wait after it.",
        "sessions, durability",
    ),
    "session.log.listening": Requirement(
        "What other processes write is heard, also when the line was cut meanwhile.",
        "sessions, scale and speed",
    ),
    "session.log.closing": Requirement(
        "Closing ends every wait and finishes every write.",
        "sessions, waiting and stopping",
    ),
    "session.log.group-writes": Requirement(
        "Writes share a transaction: one that fails hurts no other, and nobody is told before it is on the disk.",
        "sessions, scale and speed",
    ),
    "session.log.kept": Requirement(
        "Sessions, events, questions and signs of life come back from both databases as they were.",
        "sessions, durability",
    ),
    "session.log.one-answer": Requirement(
        "Of several answers at once exactly one wins, also across processes, and the others hear which.",
        "sessions, waiting and stopping",
    ),
    "session.log.one-order-of-locks": Requirement(
        "An answer and an end at once do not wait for one another.",
        "sessions, waiting and stopping",
    ),
    "session.log.answer-is-a-row": Requirement(
        "The answer is a row before it is acknowledged, found by whoever waits, wherever and after any crash.",
        "sessions, waiting and stopping",
    ),
    "session.log.nobody-answered": Requirement(
        "A question that nobody answers in time is given up once, and later answers are refused.",
        "sessions, waiting and stopping",
    ),
    "session.wait.for-ever": Requirement(
        "Questions of steps and agents wait for ever, over restarts and crashes, and waiting for people is not counted "
        "in an agent's time.",
        "sessions, waiting and stopping",
    ),
    "session.wait.deadline": Requirement(
        "LORE_ASK_USER_TIMEOUT_S sets a limit, by default none; then the event and the open question carry `deadline`.",
        "sessions, waiting and stopping",
    ),
    "session.wait.listed": Requirement(
        "The list of sessions says of each whether it waits for a person.",
        "sessions, waiting and stopping",
    ),
    "session.log.stop-ends-waits": Requirement(
        "Every wait can be stopped, from any process.",
        "sessions, waiting and stopping",
    ),
    "session.log.fence": Requirement(
        "One runner at any time: who has lost a session records, asks and begins nothing.",
        "sessions, scale and speed",
    ),
    # builds
    "build.start.order": Requirement(
        "A start is refused by the first thing that is wrong, names its place, and leaves the session idle: a "
        "corrected start works.",
        "sessions, start",
    ),
    "build.start.one-wins": Requirement(
        "Of several starts of one session one wins, and a folder has one running build.",
        "sessions, start",
    ),
    "build.start.no-model": Requirement(
        "Without a model, or with one that cannot be opened, a start is refused with no_model, naming the setting.",
        "sessions, start",
    ),
    "build.start.unknown-keys": Requirement(
        "Unknown keys of a spec are kept and named in the session's warnings.",
        "sessions, start",
    ),
    "build.start.design": Requirement(
        "A start with workspace_path leaves its design files and project.json in the folder.",
        "sessions, workspace",
    ),
    "build.plan.rules": Requirement(
        "A plan with no tasks, bad or repeated ids, unknown, own or circular dependencies or unknown agents is "
        "mended once, then the build fails without a plan.",
        "sessions, plan",
    ),
    "build.plan.cut": Requirement(
        "A plan that was cut off is paid for and asked for once more, one that the model declines is not; whoever "
        "wished for it is told what to do.",
        "sessions, plan",
    ),
    "build.order.events": Requirement(
        "The events of a build keep their order, whatever is planned, fails or is answered.",
        "sessions, events",
    ),
    "build.order.fold": Requirement(
        "What the events of a build come to is the session that is saved.",
        "sessions, events",
    ),
    "build.schedule.parallel": Requirement(
        "At most LORE_MAX_PARALLEL_TASKS run at once, each when all it depends on is done.",
        "sessions, scheduling",
    ),
    "build.attempts.exhausted": Requirement(
        "A task that failed three times fails once, with a gate: approved, its dependants are given up; rejected, a"
        " revision replaces it.",
        "sessions, scheduling",
    ),
    "build.attempts.revisions": Requirement(
        "A task is done over at most three times, after itself where it was done, and then nobody is asked any more.",
        "sessions, scheduling",
    ),
    "build.attempts.conflict": Requirement(
        "Two tasks that change the same lines lose nobody's work: the conflict fails an attempt, and the next sees "
        "both.",
        "sessions, git",
    ),
    "build.gates.wished": Requirement(
        "Gates of the spec open when so many tasks are settled, and nothing is launched while one is open.",
        "sessions, waiting and stopping",
    ),
    "build.gates.once": Requirement(
        "A gate is answered once; who comes later is told the answer.",
        "sessions, waiting and stopping",
    ),
    "build.questions": Requirement(
        "A task's question is answered by its headers, and its agent waits meanwhile.",
        "sessions, waiting and stopping",
    ),
    "build.states": Requirement(
        "A build goes from executing, in turn with reviewing, to testing while its tests run, to deploying, to done.",
        "sessions, states",
    ),
    "build.stop": Requirement(
        "A build that is stopped ends with one error; running tasks are stopped, nothing is tested or deployed.",
        "sessions, waiting and stopping",
    ),
    "build.git.person": Requirement(
        "A person's folder keeps its branch, index, uncommitted and ignored files; the work is on a branch of its "
        "own and appears in the folder.",
        "sessions, git",
    ),
    "build.git.unseen": Requirement(
        "What a sparse checkout leaves out of a person's folder is not taken for deleted, and what they told git not "
        "to look at is in no commit of a build.",
        "sessions, git",
    ),
    "build.git.filtered": Requirement(
        "A file that a person did not change is no change, also where a filter or other ends of lines make it another "
        "in their folder than git keeps it (LFS, eol=crlf); what agents change of it comes with its ends of lines.",
        "sessions, git",
    ),
    "build.git.locks": Requirement(
        "A lock that git left in the build's own repository when the computer went off holds up no later commit.",
        "sessions, git",
    ),
    "build.git.name-taken": Requirement(
        "Where a branch of the person's leaves no room for the build's name, the build's gets another; that, and a "
        "repository that cannot be shared, is told by a recoverable error.",
        "sessions, git",
    ),
    "build.tests": Requirement(
        "Tests are run with coverage, and where the spec wishes it a task mends what fails.",
        "sessions, tests",
    ),
    "build.tests.fixes": Requirement(
        "Tests of Python and of JavaScript are told by name; what fails is mended at most twice.",
        "sessions, tests",
    ),
    "build.deploy.root": Requirement(
        "The page is that of the first of dist, build, public, src and the folder itself, after a restart too.",
        "sessions, deploy",
    ),
    "build.deploy.page": Requirement(
        "A page is shown on a port of its own, without dot-files, links or listings.",
        "sessions, deploy",
    ),
    "build.deploy.visitors": Requirement(
        "Whoever asks for a shown page by strange paths, hosts or halves of requests, or does not read what comes, "
        "sees nothing beside it, keeps nobody out for long and costs no memory.",
        "sessions, must show",
    ),
    "build.deploy.rules": Requirement(
        "A before_deploy rule that is not plainly kept is decided at a gate.",
        "sessions, deploy",
    ),
    "build.deploy.no-page": Requirement(
        "Without a page a preview completes without an address, a website has a recoverable error instead.",
        "sessions, deploy",
    ),
    "board.detect": Requirement(
        "A board is detected by its USB id, opening no port; an existing port of LORE_SERIAL_PORTS counts as detected, "
        "by its configured name.",
        "sessions, hardware",
    ),
    "board.flash": Requirement(
        "A finished build is flashed by mpremote: every .py outside tests, dot-folders and caches, byte for byte, held "
        "against hashes; then the board starts main.py.",
        "sessions, hardware",
    ),
    "board.flash.refusals": Requirement(
        "An unknown session is 404, an unfinished build or a busy port 409; else the answer says whether it worked.",
        "sessions, hardware",
    ),
    "board.flash.silent": Requirement(
        "A silent or vanished board fails within 30 seconds, and the next flash works.",
        "sessions, hardware",
    ),
    "board.crash": Requirement(
        "A flash that a killed server left half done is done again, and leaves nothing behind.",
        "sessions, durability",
    ),
    "board.firmware": Requirement(
        "esptool writes a firmware file that the operator names, and only that.",
        "sessions, hardware",
        gap="Tried against a port on which nobody answers; no chip has taken a firmware from it here.",
    ),
    "board.monitor": Requirement(
        "After a flash what the board says is recorded until a stop, unplugging, the next flash or ten minutes.",
        "sessions, hardware",
    ),
    "board.lines": Requirement(
        "Lines of a board are cleaned, have at most 500 characters, and there are at most 50 a second.",
        "sessions, hardware",
    ),
    "board.after-the-end": Requirement(
        "Only what a board says and a flash by hand follow the end of a session.",
        "sessions, events",
    ),
    "board.simulator": Requirement(
        "The same main.py runs in the sandbox over stand-ins; pins are told, and buttons and sliders can be set.",
        "sessions, hardware",
    ),
    "board.deploy": Requirement(
        "A build for a board is compiled, flashed where it is wished for, and partial where there is no board.",
        "sessions, deploy",
    ),
    "board.commands": Requirement(
        "Boards are detected, flashed and simulated from the command line.",
        "sessions, one product",
    ),
    "build.portals": Requirement(
        "Portals are refused by their place or run in order, in the sandbox, with an environment of their own.",
        "sessions, portals",
    ),
    "build.export": Requirement(
        "The last commit is exported, equal bytes for equal content.",
        "sessions, export",
    ),
    "build.narrator": Requirement(
        "A task has at most one line in its window, the last line comes before the end, nothing follows it, and no "
        "task waits.",
        "sessions, narrator",
    ),
    "build.narrator.fallback": Requirement(
        "A narrator's model that fails, is late or talks nonsense is replaced by built-in lines.",
        "sessions, narrator",
    ),
    "build.teaching": Requirement(
        "Each concept is taught once a session.",
        "sessions, teaching",
    ),
    "build.crash.points": Requirement(
        "Killed at any named point a build is finished with one commit and one end a task, on both databases.",
        "sessions, durability",
    ),
    "build.crash.rounds": Requirement(
        "After a crash no answered round is asked again, and an attempt is not used up.",
        "sessions, durability",
    ),
    "build.crash.gate": Requirement(
        "A gate outlives its server.",
        "sessions, durability",
    ),
    "build.prompts.boxed": Requirement(
        "All that people, notes or models wrote is boxed in what an agent or a planner is told.",
        "sessions, scheduling",
    ),
    "build.prompts.carried": Requirement(
        "A prompt carries what was wished, what those before did, the nearest first, and what is there; after a failed "
        "attempt the error and what was changed.",
        "sessions, scheduling",
    ),
    "build.overhead": Requirement(
        "A task's own overhead, everything but its model and tests, is under 250 ms.",
        "sessions, scale and speed",
    ),
    "build.crowd": Requirement(
        "Twenty builds at once do not starve one another.",
        "sessions, scale and speed",
    ),
    "build.page.start": Requirement(
        "The page starts a build from a wish in one line, an example or a whole spec; a refusal names its field, and "
        "leaves nothing behind.",
        "sessions, studio page",
    ),
    "build.page.no-model": Requirement(
        "Where no model is set, the page says how to get the demo.",
        "sessions, studio page",
    ),
    "build.page.live": Requirement(
        "A build is shown live: phases, plan, tasks, agents, what they say, commits, tests, deploy, narrator, cards, "
        "tokens against the budget; a stranger sees the preview within a minute, without a key.",
        "sessions, studio page",
    ),
    "build.page.gates": Requirement(
        "Gates are forms to approve or reject with words, beside what is there so far, and close everywhere once "
        "answered; the changed plan takes the place of the old one.",
        "sessions, waiting and stopping",
    ),
    "build.page.fold": Requirement(
        "The page of a build is a fold over its log: opened again at any event it shows the same.",
        "sessions, studio page",
    ),
    "build.page.preview": Requirement(
        "What was built is shown in a frame that may run scripts and nothing else, and never as part of the page.",
        "sessions, deploy",
    ),
    "build.page.next": Requirement(
        "A build that is over is continued from its page with a wish, and exported.",
        "sessions, studio page",
    ),
    "build.page.accessible": Requirement(
        "The page of a build works in light and dark and on a phone, without sideways scroll or a serious barrier.",
        "sessions, studio page",
    ),
    "build.plan.team": Requirement(
        "Without agents a builder, a tester and a reviewer are the team; the spec's agents come first and win.",
        "sessions, plan",
    ),
    "build.demo.any-spec": Requirement(
        "For any spec the demo plans four tasks, two of them side by side and one a test, and for a board a program.",
        "sessions, demo",
    ),
    "build.demo.wishes": Requirement(
        "What is said to the demo model when a build is continued, or at a gate, changes the pace, size or colour that "
        "it names, else it is a line of the page; the product keeps its name, and only what changed is told.",
        "sessions, demo",
    ),
    "build.demo.memories": Requirement(
        "What the demo model did is remembered as what was made, for what and by which task; the same build again "
        "adds no memory.",
        "sessions, memory",
    ),
    "build.plan.review": Requirement(
        "With review_enabled and no reviewer's task, a review after all leaves is added.",
        "sessions, plan",
    ),
    "build.events.made": Requirement(
        "Every event of the contract is made by some run of a build, and a test lists those that are not.",
        "sessions, events",
    ),
    "build.diff": Requirement(
        "What a build changed, and what each of its commits did, is one look away: on the page, by command, over HTTP.",
        "sessions, git",
    ),
    "build.hostile": Requirement(
        "Whatever a spec, a model, a repository or a portal writes, it harms nobody: it is bounded, boxed or refused.",
        "sessions, permission and sandbox",
    ),
    "build.contract.spec": Requirement(
        "A ProjectSpec with every key of the contract starts and finishes.",
        "contract 004, ProjectSpec",
    ),
    "build.crash.grants": Requirement(
        "What a person allowed for the session holds to its end.",
        "sessions, permission",
    ),
    "build.git.none": Requirement(
        "Without git builds work without commits.",
        "sessions, git",
    ),
    "build.portals.mcp": Requirement(
        "MCP portals become agent tools under the same policy.",
        "sessions, portals",
    ),
    "build.output.stream": Requirement(
        "agent_output comes at most ten times a second a task, as the text is written.",
        "sessions, events",
    ),
    "build.output.again": Requirement(
        "What was told of an answer that broke off is told once: the next goes on after it or says it begins anew.",
        "sessions, events",
    ),
    "build.continued": Requirement(
        "A build that is over is continued in its folder, with its spec where the wish says nothing else, also where "
        "the library was restored elsewhere; one that runs, or whose folder is gone, is not.",
        "sessions, studio page",
    ),
    "build.budget": Requirement(
        "At the budget's end running tasks end and the rest fail with the reason budget.",
        "sessions, tokens",
    ),
    "build.takeover": Requirement(
        "A second server goes on with the builds of a dead one within 15 seconds.",
        "sessions, scale and speed",
    ),
}
