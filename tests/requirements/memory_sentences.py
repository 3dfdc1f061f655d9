"""Contract 001: memory and its curation."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {
    # memory.arguments
    "memory.arguments.unknown": Requirement(
        "An unknown argument is refused by name, inside relations too.",
        "memory, strict arguments",
    ),
    "memory.arguments.exact-types": Requirement(
        "Only true and false are booleans, no boolean or text is a number, null is not absent.",
        "memory, strict arguments",
    ),
    "memory.arguments.never-a-hard-delete-by-accident": Requirement(
        "Nothing unclear ever becomes a hard delete.",
        "memory, strict arguments",
    ),
    "memory.arguments.uuid": Requirement(
        "A UUID is the 8-4-4-4-12 form in any case, bare, in braces or after urn:uuid:, answered canonical; "
        "anything else is refused.",
        "memory, strict arguments",
    ),
    "memory.arguments.sentences": Requirement(
        "Each refusal of an argument has the fixed words and the code invalid_argument, and names its field.",
        "memory, sentences",
    ),
    "memory.arguments.boost-order": Requirement(
        "A boost checks finite, range, UUID, in this order.",
        "memory, boost",
    ),
    "memory.arguments.merge-order": Requirement(
        "A merge checks types and UUIDs, fewer than 2, more than 10, name, rationale, duplicates, in this order.",
        "memory, merge",
    ),
    "memory.arguments.record-rules": Requirement(
        "Content, name, importance, tags, scope, source and times keep the rules of the record; characters are code "
        "points.",
        "memory, the record",
    ),
    "memory.arguments.edit": Requirement(
        "An edit is node_id with expected_version, and needs no content.",
        "memory, tools",
    ),
    "memory.arguments.garbage": Requirement(
        "Arguments of any JSON shape give a request or a refusal, never another failure.",
        "memory, strict arguments",
    ),
    # memory.tools
    "memory.tools.names": Requirement(
        "The toolset memory has its eleven tools, offered by default beside graph and ask.",
        "interfaces, MCP",
    ),
    "memory.tools.annotations": Requirement(
        "Search, get, status and list_deleted are read-only; forget, merge and undo destructive; dismiss idempotent, "
        "boost not.",
        "memory, annotations",
    ),
    "memory.tools.contract-schemas": Requirement(
        "Names, types, bounds and defaults of the contract's three tools are kept; we only add.",
        "memory",
    ),
    "memory.tools.argument-names": Requirement(
        "Every tool takes exactly the arguments of its row, and no unknown ones.",
        "memory, tools",
    ),
    "memory.tools.few-tokens": Requirement(
        "Names, descriptions and input schemas of the toolset together stay under 2,400 tokens.",
        "goals, memory",
    ),
    "memory.tools.round-trip": Requirement(
        "Every result keeps to its output schema, with the fields of its row.",
        "memory, tools",
    ),
    "memory.tools.actor": Requirement(
        "History names the client that made a change.",
        "memory, history",
    ),
    "memory.tools.failures": Requirement(
        "A failure is a result with isError, the sentence as text and the error shape as structure.",
        "interfaces, MCP",
    ),
    "memory.tools.never-logged": Requirement(
        "Content is never logged, also where something unforeseen goes wrong.",
        "memory, erased means gone",
    ),
    "memory.tools.numbers-on-the-wire": Requirement(
        "A literal NaN or 1e400 on the wire gets the sentence or a parse error, never silence.",
        "memory, sentences",
    ),
    "memory.tools.hostile-lines": Requirement(
        "A line that is no JSON, no UTF-8, or 10 MiB long never ends the process.",
        "memory, strict arguments",
    ),
    "memory.tools.status-needs-nothing": Requirement(
        "Status works on an empty store, with {} and without arguments.",
        "memory, status",
    ),
    "memory.tools.journey": Requirement(
        "The official client stores, searches, boosts, merges, undoes, forgets and restores over stdio.",
        "memory, tools",
    ),
    "memory.tools.seen-by-others": Requirement(
        "What one process has answered, the next call of another sees, search included.",
        "memory, several processes",
    ),
    # memory.http
    "memory.http.tools": Requirement(
        "POST /api/memory/<tool name> with the tool's arguments answers the tool's result.",
        "memory, command line and HTTP",
    ),
    "memory.http.empty-body": Requirement(
        "An empty body means no arguments.",
        "memory, command line and HTTP",
    ),
    "memory.http.numbers": Requirement(
        "NaN, infinity and 1e400 in a body get the sentence of their field.",
        "memory, sentences",
    ),
    "memory.http.errors": Requirement(
        "Failures have the one error shape with the statuses 400, 404, 409 and 503.",
        "memory, sentences",
    ),
    "memory.http.transfer": Requirement(
        "GET /api/memory/export and POST /api/memory/import carry a zip.",
        "memory, command line and HTTP",
    ),
    "memory.http.same-answers": Requirement(
        "HTTP gives the same answers as the tools.",
        "interfaces, what every part must show",
    ),
    # memory.cli
    "memory.cli.commands": Requirement(
        "lore memory has the commands of the table; each prints its tool's result; boost ID -0.2 works.",
        "memory, command line and HTTP",
    ),
    "memory.cli.stdin": Requirement(
        "`add -` reads the text from stdin exactly.",
        "memory, command line and HTTP",
    ),
    "memory.cli.failures": Requirement(
        "A failure is `error:`, the sentence and what to do about it, on stderr, and exit 1; wrong usage is exit 2.",
        "memory, command line and HTTP",
    ),
    "memory.cli.short-ids": Requirement(
        "An id may be shortened to any unique beginning of 4 characters or more; undo --last.",
        "interfaces, commands",
    ),
    "memory.cli.hard-delete": Requirement(
        "--hard without --yes asks on a terminal, and without one ends with exit 2.",
        "memory, command line and HTTP",
    ),
    "memory.cli.terminal": Requirement(
        "On a terminal answers are shown to a person; nothing in a text works there.",
        "interfaces, commands",
    ),
    "memory.cli.transfer": Requirement(
        "export writes a folder of markdown, import takes one in, names what it skips and then ends with exit 1.",
        "memory, markdown",
    ),
    "memory.cli.failpoint": Requirement(
        "LORE_FAILPOINT kills any command at its point; an unknown name is named on stderr and ends the start with 2.",
        "memory, several processes, crashes",
    ),
    "memory.cli.same-answers": Requirement(
        "The command line gives the same answers as the tools.",
        "interfaces, what every part must show",
    ),
    # memory.skills
    "memory.skills.same-bytes": Requirement(
        "Each skill of memory stands in bundled_skills and, with the same bytes, in .claude/skills.",
        "memory, skills",
    ),
    "memory.skills.front-matter": Requirement(
        "Front matter has the contract's six keys, version 1.0.0, and is valid YAML.",
        "memory, skills",
    ),
    "memory.skills.resources-and-prompts": Requirement(
        "Skills are offered as resource skill://<name>/SKILL.md and prompt <name>.",
        "memory, skills",
    ),
    "memory.skills.calls-and-answers": Requirement(
        "Every call shown validates against the input schema, every response shown against the output schema.",
        "memory, skills",
    ),
    "memory.skills.parameter-rows": Requirement(
        "Every parameter row exists with the right Required.",
        "memory, skills",
    ),
    "memory.skills.curation": Requirement(
        "Curation meets the contract's definition of done, starts with get_memetic_status {}, documents seven tools, "
        "the sentences of edge cases and what each rule means here.",
        "memory, skills",
    ),
    "memory.skills.dream-only-proposes": Requirement(
        "Dream consolidation only proposes: it never forgets or merges unasked, has no hidden job, and says so.",
        "memory, skills",
    ),
    "memory.skills.reading-skills": Requirement(
        "Topic explorer goes from topics to a search by tags; memory inject searches within 300, 800 or 1200 tokens.",
        "memory, skills",
    ),
    # memory: records, changes, merges, processes
    "memory.record.shape": Requirement(
        "A record has the fields of the sheet; content is kept exactly as given.",
        "memory, the record",
    ),
    "memory.record.defaults": Requirement(
        "Name, importance, scope and tags have their defaults and are rounded, cut and sorted.",
        "memory, the record",
    ),
    "memory.record.access": Requirement(
        "Accesses are counted in the database and are no change of a version.",
        "memory, the record",
    ),
    "memory.window.half-open": Requirement(
        "A memory is recoverable while now is before its deadline; at it, it is gone, swept or not.",
        "memory, the record",
    ),
    "memory.window.written-once": Requirement(
        "A changed recovery setting affects later deletions only.",
        "memory, the record",
    ),
    "memory.store.duplicate": Requirement(
        "The same text live in the same scope is not written again, by several processes either; a twin in "
        "the trash is not revived.",
        "memory, store and edit",
    ),
    "memory.edit.replaces": Requirement(
        "An edit replaces the fields given, leaves the others and keeps what it replaced in the history; a name "
        "that was never given follows the text.",
        "memory, store and edit",
    ),
    "memory.edit.unchanged": Requirement(
        "An edit that changes nothing makes no version and no line of history.",
        "memory, history",
    ),
    "memory.edit.version": Requirement(
        "An edit of another version is refused and tells the present one.",
        "memory, store and edit",
    ),
    "memory.edit.replaced-text-expires": Requirement(
        "What an edit replaced stays in the history for the recovery window.",
        "memory, store and edit",
    ),
    "memory.relations.given": Requirement(
        "Relations are seen from both ends; given ones replace the outgoing ones.",
        "memory, the record",
    ),
    "memory.relations.live-ends": Requirement(
        "A relation to a memory that is not live is refused with that memory's sentence, and nothing is stored.",
        "memory, store and edit",
    ),
    "memory.relations.bounds": Requirement(
        "Relations never cross scopes or lead to their own memory; succession has no circles.",
        "memory, the record",
    ),
    "memory.relations.agree": Requirement(
        "Both ends of a relation tell the same of it, through every merge.",
        "memory, merge",
    ),
    "memory.retry.same-answer": Requirement(
        "The same request_id with the same call gives the first answer again and changes nothing, for 24 hours.",
        "memory, retries",
    ),
    "memory.retry.other-call": Requirement(
        "A request_id used for a different call is refused.",
        "memory, retries",
    ),
    "memory.retry.failures": Requirement(
        "Failures are not remembered.",
        "memory, retries",
    ),
    "memory.retry.after-crash": Requirement(
        "A retry after a crash yields one change.",
        "memory, several processes",
    ),
    "memory.boost.rule": Requirement(
        "Boost rounds to six places, clamps to 0 and 1 and says whether it did.",
        "contract 001; memory, boost",
    ),
    "memory.forget.soft": Requirement(
        "Forgetting is soft by default and answers deleted_at and recoverable_until.",
        "contract 001",
    ),
    "memory.forget.states": Requirement(
        "Each state answers each change as the table says; no deadline moves.",
        "memory, forget, restore, erase",
    ),
    "memory.restore.whole": Requirement(
        "Restore brings back the whole record and its relations.",
        "memory, forget, restore, erase",
    ),
    "memory.restore.refusals": Requirement(
        "Restoring what is live, merged, expired or unknown is refused, each with its sentence.",
        "memory, forget, restore, erase",
    ),
    "memory.restore.relations-lost": Requirement(
        "Relations whose other end was erased are named at a restore.",
        "memory, forget, restore, erase",
    ),
    "memory.erase.answer": Requirement(
        "A hard delete touches the named id alone and answers without recoverable_until.",
        "memory, forget, restore, erase",
    ),
    "memory.erase.remaining-copies": Requirement(
        "A hard delete lists the ids that still hold the text.",
        "memory, forget, restore, erase",
    ),
    "memory.erase.no-trace": Requirement(
        "What was erased or swept is in no file of the data folder.",
        "memory, erased means gone",
    ),
    "memory.sweep.rule": Requirement(
        "A sweep erases what has expired, when the store is opened and when asked; nothing else erases anything.",
        "memory, erased means gone",
    ),
    "memory.sweep.doubted-clock": Requirement(
        "A sweep waits when the clock jumped, and says so; a store that was really left alone is swept in the end.",
        "memory, erased means gone",
    ),
    "memory.trash.list": Requirement(
        "The trash lists what is deleted, newest first, by words and scope.",
        "memory, tools",
    ),
    "memory.trash.merges": Requirement(
        "Merges that can still be undone are listed.",
        "memory, tools",
    ),
    "memory.merge.answer": Requirement(
        "A merge makes one new memory, in one transaction, and answers the contract's fields.",
        "contract 001; memory, merge",
    ),
    "memory.merge.checks": Requirement(
        "Sources must be live and of one scope, even with force.",
        "memory, merge",
    ),
    "memory.merge.statements": Requirement(
        "A statement is a sentence within a line; a fenced block or a table is one.",
        "memory, merge",
    ),
    "memory.merge.statement-comparison": Requirement(
        "Statements are compared in NFC, case-folded, spaces collapsed, without list mark and final stop.",
        "memory, merge",
    ),
    "memory.merge.union": Requirement(
        "A union keeps every distinct statement once, all tags and the greatest importance.",
        "memory, merge",
    ),
    "memory.merge.intersection": Requirement(
        "An intersection keeps the statements and tags of every source and the least importance.",
        "memory, merge",
    ),
    "memory.merge.weighted-average": Requirement(
        "A weighted average orders by importance and weighs tags and importance by it.",
        "memory, merge",
    ),
    "memory.merge.no-common-content": Requirement(
        "An intersection without a common statement is refused.",
        "memory, merge",
    ),
    "memory.merge.limit": Requirement(
        "A result above the content limit is refused.",
        "memory, merge",
    ),
    "memory.merge.order-free": Requirement(
        "The order of source_ids changes nothing.",
        "memory, merge",
    ),
    "memory.merge.relations": Requirement(
        "Relations with the outside become the merged memory's; those among the sources leave the live graph.",
        "memory, merge",
    ),
    "memory.merge.relation-weights": Requirement(
        "Relation weights are folded by the strategy.",
        "memory, merge",
    ),
    "memory.merge.supersedes": Requirement(
        "Outgoing succession stays under every strategy.",
        "memory, merge",
    ),
    "memory.merge.conflicts": Requirement(
        "Contradiction, succession and times that do not overlap refuse a merge; with force they are warnings.",
        "memory, merge",
    ),
    "memory.merge.low-similarity": Requirement(
        "Low similarity is only a warning.",
        "memory, merge",
    ),
    "memory.merge.preview": Requirement(
        "A preview changes nothing, has no hash, and takes conflicts for no error.",
        "memory, merge",
    ),
    "memory.merge.sources-are-gone": Requirement(
        "A merged source counts as deleted and tells where it went.",
        "memory, forget, restore, erase",
    ),
    "memory.merge.settled": Requirement(
        "Relations settle on the merged memory when undo has become impossible, and read as before.",
        "memory, merge",
    ),
    "memory.undo.answer": Requirement(
        "Undo answers merged_id, restored_ids, missing_ids, merged_state and partial.",
        "memory, undo",
    ),
    "memory.undo.identity": Requirement(
        "Merge then undo is the identity, but for version, updated_at, history and access.",
        "memory, undo",
    ),
    "memory.undo.one-use": Requirement(
        "A reversal_hash works once and until its window ends; an unknown one is not found.",
        "memory, undo",
    ),
    "memory.undo.changed": Requirement(
        "A merged memory that was edited, boosted or given relations stops undo until it is said what to do with it.",
        "memory, undo",
    ),
    "memory.undo.no-change": Requirement(
        "A neighbour's merge, a restore and an access are no change.",
        "memory, undo",
    ),
    "memory.undo.merged-is-gone": Requirement(
        "Undo works when the merged memory is in the trash or erased.",
        "memory, undo",
    ),
    "memory.undo.later-merge": Requirement(
        "A merge inside a later merge is undone after it; the refusal tells its hash.",
        "memory, undo",
    ),
    "memory.undo.partial": Requirement(
        "An erased source stops undo; with allow_partial the others return.",
        "memory, undo",
    ),
    "memory.undo.neighbours": Requirement(
        "Undo brings each relation back whatever happened to neighbours.",
        "memory, merge",
    ),
    "memory.limits.linear": Requirement(
        "The longest hostile content is read in time that grows with its length.",
        "standards",
    ),
    "memory.processes.no-lost-update": Requirement(
        "Two processes at one store lose no acknowledged write.",
        "memory, several processes",
    ),
    "memory.processes.one-winner": Requirement(
        "Of two that want the same memory exactly one wins; the loser changes nothing.",
        "memory, several processes",
    ),
    "memory.processes.seen-at-once": Requirement(
        "What one process has answered, the next call of another sees, search included.",
        "memory, several processes",
    ),
    "memory.crash.old-world": Requirement(
        "Killed before the commit, a change never was.",
        "memory, several processes",
    ),
    "memory.crash.new-world": Requirement(
        "Killed after the commit, a change is whole.",
        "memory, several processes",
    ),
    "memory.crash.purge": Requirement(
        "An erasure killed before its files are clean is finished by the next process to open the store.",
        "memory, several processes",
    ),
    "memory.search.validity": Requirement(
        "A search sees what is valid at as_of; a live successor ends what it supersedes.",
        "memory, search",
    ),
    "memory.search.paraphrases": Requirement(
        "Where words find fewer than limit, the nearest by meaning follow, below every hit by words, each with "
        "weak: true and a relevance under 0.3, at most five, none below a floor fitted so that unrelated questions get "
        "none.",
        "memory, search, paraphrases",
        gap="questions that nothing answers are offered something in 5 of 120 cases, and in 16 of 115 where they name "
        "what the memories are about; of paraphrases among hundreds of turns of a conversation few are found "
        "(docs/guides/memory.md has both rates)",
    ),
    "memory.search.two-tower": Requirement(
        "The two-tower embedder reads questions by three transformer layers and passages by a table of token vectors.",
        "retrieval, meaning",
        gap="routes use the static table, which chooses better there; ASCII marks of a passage carry no weight, which "
        "moves a cosine by up to 0.006",
    ),
    "memory.search.budget": Requirement(
        "max_tokens takes whole memories only, never more in sum; omitted counts the hits left out.",
        "memory, search",
    ),
    "memory.storage.refused": Requirement(
        "Disk full, read-only and locked too long are 503 storage: nothing changed, the server lives.",
        "memory, sentences",
    ),
    "memory.sweep.hourly": Requirement(
        "A server sweeps before it serves and every hour.",
        "memory, erased means gone",
    ),
    "memory.search.conversations": Requirement(
        "On sessions of long conversations: recall@5 .88, recall@10 .93 and MRR .80 without any model call.",
        "goals, memory",
        gap="measured by `make bench` where the data is given, not by the suite: .895, .944, .837 for sessions with "
        "their dates, .881, .934, .812 without them",
    ),
    "memory.speed.calls": Requirement(
        "At 100,000 memories: durable store under 10 ms, search under 15 ms in the middle; get within 5 ms.",
        "goals, memory; memory, speed",
        gap="at 100,000 `make bench` showed 24 ms for a store (p95 33), 16 to 21 for a "
        "search (28) and 0.3 for a get, on a machine somewhat slower than an ordinary one",
    ),
    "memory.speed.merge": Requirement(
        "A merge of ten and its undo take at most 50 ms, whatever the size of the store.",
        "goals, memory; memory, speed",
        gap="at 100,000 `make bench` showed 16 ms for a merge (p95 21) and 54 for an undo (76)",
    ),
    # memory: the inbox
    "memory.inbox.counts": Requirement(
        "Status counts live, deleted and merged memories and merges that can be undone, and tells "
        "the next deadline; it works on an empty store.",
        "memory, status and the inbox",
    ),
    "memory.inbox.deadlines": Requirement(
        "What is past its deadline counts no more, swept or not; deadlines are those of the clock that is set.",
        "memory, the record",
    ),
    "memory.inbox.topics": Requirement(
        "Topics are the tags most live memories have, at most twenty: live, mean importance, added "
        "and gone within thirty days, churn.",
        "memory, status and the inbox",
    ),
    "memory.inbox.potential-merge": Requirement(
        "Two live memories of one scope whose texts hardly differ are proposed for a merge; never different subjects.",
        "memory, status and the inbox",
    ),
    "memory.inbox.values": Requirement(
        "A different value of one subject (number, weekday, month, date, time, version, on/off, a negation) is a pair "
        "whose reason names both; a different name or noun is another subject.",
        "memory, status and the inbox",
    ),
    "memory.inbox.several-twins": Requirement(
        "Of several twins one task names all (2 to 10).",
        "memory, status and the inbox",
    ),
    "memory.inbox.contradiction": Requirement(
        "Of two live memories that contradict each other the less important is proposed to be "
        "forgotten, also through merges.",
        "memory, status and the inbox",
    ),
    "memory.inbox.stale": Requirement(
        "Importance below 0.2 and no access for ninety days is stale.",
        "memory, status and the inbox",
    ),
    "memory.inbox.expiring": Requirement(
        "In the trash, importance from 0.5 and under three days left is proposed to be restored.",
        "memory, status and the inbox",
    ),
    "memory.inbox.suggestions-work": Requirement(
        "Suggested arguments are complete: passed on unchanged they work.",
        "memory, status and the inbox",
    ),
    "memory.inbox.order": Requirement(
        "Tasks come by priority, type, strength and id; the total counts all of them.",
        "memory, status and the inbox",
    ),
    "memory.inbox.previews": Requirement(
        "The previews of a task have at most 160 characters.",
        "memory, status and the inbox",
    ),
    "memory.inbox.state": Requirement(
        "A task goes when its memories leave that state and returns with them.",
        "memory, status and the inbox",
    ),
    "memory.inbox.dismiss": Requirement(
        "A dismissed task, and any pair of an undone merge, stays away until a text changes; dismissing twice is fine.",
        "memory, status and the inbox",
    ),
    "memory.inbox.unknown-task": Requirement(
        "A task that does not exist is refused: Unknown task_id.",
        "memory, sentences",
    ),
    "memory.inbox.refresh": Requirement(
        "A refresh finds all pairs anew, with the same result.",
        "memory, status and the inbox",
    ),
    "memory.search.score": Requirement(
        "A search's score is relevance × (0.5 + importance), relevance between 0 and 1; ties go to the "
        "newer, then by id.",
        "memory, search",
    ),
    "memory.search.law": Requirement(
        "A memory that holds all words of the query comes before one that holds none, whatever their importance.",
        "memory, search",
    ),
    "memory.search.importance-decides": Requirement(
        "Between comparable memories importance decides.",
        "memory, search",
    ),
    "memory.search.filtered-first": Requirement(
        "State, scope, tags and validity are filtered before the top is cut.",
        "memory, search",
    ),
    "memory.search.without-embedder": Requirement(
        "Search works without an embedder.",
        "memory, search",
    ),
    "memory.search.meaning": Requirement(
        "With an embedder a memory is found by its meaning too, if it is clearly near.",
        "memory, search",
    ),
    "memory.search.nothing": Requirement(
        "What has nothing to do with a query is not found; no hit has relevance 0.",
        "memory, search",
    ),
    "memory.search.scope-statistics": Requirement(
        "How rare a word is depends on the live memories of the searched scope alone.",
        "memory, search",
    ),
    "memory.search.holding": Requirement(
        "The trash is searched for memories that hold all words of a query.",
        "memory, tools",
    ),
    "memory.search.similar": Requirement(
        "`similar` names near neighbours, with or without an embedder.",
        "memory, store and edit",
    ),
    "memory.search.twins": Requirement(
        "Texts are merge candidates where they differ at most in case, punctuation, spacing or about one word in ten.",
        "memory, status and the inbox",
    ),
    "memory.search.twins-same-subject": Requirement(
        "Texts that differ in a number, negation, name or identifier are never merge candidates.",
        "memory, status and the inbox",
    ),
    "memory.search.linear": Requirement(
        "Reading a text takes time linear in its length, whatever it holds.",
        "house, every text pattern is linear",
    ),
    "memory.index.pure": Requirement(
        "What a search finds depends on the stored memories alone, on either database and in every process.",
        "memory, several processes",
    ),
    "memory.index.revision": Requirement(
        "What one process has answered, the next search of another sees.",
        "memory, several processes",
    ),
    "memory.index.rollback": Requirement(
        "A change that is taken back leaves nothing in the index.",
        "memory, several processes",
    ),
    "memory.index.erased": Requirement(
        "No word of an erased memory is left in what the index stores.",
        "memory, forget, restore, erase",
    ),
    "memory.index.segments": Requirement(
        "An index opened from segments equals one read anew, whatever changed since they were stored.",
        "memory, speed",
    ),
    "memory.index.reader": Requirement(
        "What was read by another reader or embedder is read anew.",
        "memory, search",
    ),
    "memory.index.threads": Requirement(
        "Searches go on in other threads while the index is brought up to date.",
        "memory, several processes",
    ),
    "memory.index.columns": Requirement(
        "Figures over all memories can be made from the index, merged ones included.",
        "memory, status and the inbox",
    ),
    "memory.index.templates": Requirement(
        "Many memories of one template cost little.",
        "memory, speed",
    ),
    "memory.inbox.speed": Requirement(
        "Status takes at most 50 ms at 100,000 memories (p95).",
        "memory, speed",
    ),
    # memory: Markdown
    "memory.markdown.format": Requirement(
        "A memory is a file <scope>/<slug of name>-<first 8 of id>.md: YAML front matter, the content, one newline.",
        "memory, markdown",
    ),
    "memory.markdown.live-only": Requirement(
        "Live memories alone are exported, with their outgoing relations to live memories.",
        "memory, markdown",
    ),
    "memory.markdown.equal-bytes": Requirement(
        "Equal stores give equal bytes, in a folder and in a ZIP archive.",
        "memory, markdown",
    ),
    "memory.markdown.scope": Requirement(
        "An export may be of one scope.",
        "memory, markdown",
    ),
    "memory.markdown.confined": Requirement(
        "No scope, name or link leads an export or an import out of its folder.",
        "memory, markdown",
    ),
    "memory.markdown.round-trip": Requirement(
        "Content comes back exactly, CRLF and `---` lines included; so does everything else of a memory.",
        "memory, markdown",
    ),
    "memory.markdown.unknown-id": Requirement(
        "A file of an unknown id is created with that id, created_at and version.",
        "memory, markdown",
    ),
    "memory.markdown.known-id": Requirement(
        "In a file of a known id changed fields are an edit; it is skipped when its version is behind and something "
        "differs, or the memory is in the trash.",
        "memory, markdown",
    ),
    "memory.markdown.no-id": Requirement(
        "A file without id is new, or unchanged where its text is known.",
        "memory, markdown",
    ),
    "memory.markdown.no-front-matter": Requirement(
        "Without front matter all is content.",
        "memory, markdown",
    ),
    "memory.markdown.relations-last": Requirement(
        "Relations come after all rows, so that the order of files is free.",
        "memory, markdown",
    ),
    "memory.markdown.speed": Requirement(
        "An import takes at least 300 files a second.",
        "memory, speed",
    ),
    "memory.markdown.missing-file": Requirement(
        "A missing file deletes nothing.",
        "memory, markdown",
    ),
    "memory.markdown.second-import": Requirement(
        "A second import changes nothing.",
        "memory, markdown",
    ),
    "memory.markdown.skipped": Requirement(
        "An import validates like store_memory, names the file it skips, and goes on.",
        "memory, markdown",
    ),
    "memory.markdown.hostile-zip": Requirement(
        "Archives of strangers do no harm: bombs, links, ways out, damaged and shared entries are named.",
        "memory, markdown",
    ),
}
