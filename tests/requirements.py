"""Every binding sentence of contract 000 and of the house, under a stable id.

A test that holds a sentence names its id with ``@pytest.mark.holds("id")``. What is not held,
or only in part, says so in ``gap``. tests/architecture/test_requirements_manifest.py compares both sides.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Requirement:
    """One binding sentence, where it comes from, and what is not yet shown of it."""

    text: str
    source: str
    gap: str | None = None


REQUIREMENTS: dict[str, Requirement] = {
    # ingest
    "graph.ingest.answer-shape": Requirement(
        "Ingest answers graphId, kind, metrics and validation with the names and types of the sample.",
        "contract 000, ingest",
    ),
    "graph.ingest.kind-is-skill": Requirement(
        "An ingested graph has kind `skill`.",
        "contract 000, ingest",
    ),
    "graph.ingest.multipart-zip": Requirement(
        "A ZIP arrives as multipart form data with the fields `file` and `sourceType`.",
        "contract 000, ingest",
    ),
    "graph.ingest.json-github": Requirement(
        "A GitHub source arrives as a JSON body with source, branch and subdirectory.",
        "contract 000, ingest",
    ),
    "graph.ingest.unknown-source-type": Requirement(
        "A source type other than zip or github is refused with 400.",
        "contract 000, ingest",
    ),
    "graph.ingest.zip-size-limit": Requirement(
        "An upload above 10 MB is refused with 413.",
        "contract 000, ingest",
    ),
    "graph.ingest.file-count-limit": Requirement(
        "More than 500 markdown files are refused with 413.",
        "contract 000, ingest",
    ),
    "graph.ingest.markdown-size-limit": Requirement(
        "More than 5 MB of markdown is refused with 413.",
        "contract 000, ingest",
    ),
    "graph.ingest.broken-link-shape": Requirement(
        "Each broken link in the answer carries source, target and context.",
        "contract 000, ingest",
    ),
    "graph.ingest.demo": Requirement(
        "The notes that come with the product are loaded by one call, under the rules of every ingest.",
        "skill graph, the explorer page",
    ),
    "graph.ingest.optional-name": Requirement(
        "Ingest accepts an optional name, from which the graph id is made.",
        "skill graph, doors",
    ),
    "graph.ingest.only-ingested-at-is-clock": Requirement(
        "No answer holds a clock time or a duration other than `ingestedAt`.",
        "skill graph, doors",
    ),
    "graph.ingest.findings-are-paths": Requirement(
        "Ingest lists orphans and the other findings as paths and circular pairs as pairs of paths.",
        "skill graph, metrics and quality",
    ),
    "graph.ingest.missing-lists": Requirement(
        "Ingest's validation also lists missingTypes and missingDomains.",
        "skill graph, metrics and quality",
    ),
    "graph.ingest.content-hash": Requirement(
        "Ingest returns the content hash and whether the content was unchanged.",
        "skill graph, metrics and quality",
    ),
    "graph.ingest.changes": Requirement(
        "Ingest counts the files added, changed, removed and unchanged.",
        "skill graph, metrics and quality",
    ),
    "graph.ingest.warnings-capped": Requirement(
        "Ingest returns the first 200 warnings as code, file, line and message, and their full count.",
        "skill graph, metrics and quality",
    ),
    "graph.ingest.id-order": Requirement(
        "The graph id is the slug of name, repository or folder, wrapper folder, ZIP stem, or `graph`.",
        "skill graph, sources",
    ),
    "graph.ingest.same-id-replaces": Requirement(
        "Ingesting an id that exists replaces that graph.",
        "skill graph, sources",
    ),
    "graph.ingest.refusal-leaves-old-graph": Requirement(
        "Refused input leaves the graph that was there untouched.",
        "skill graph, revisions",
    ),
    # sources, all
    "graph.sources.wrapper-stripped": Requirement(
        "One top folder holding every usable entry is stripped from the paths.",
        "skill graph, sources",
    ),
    "graph.sources.subdirectory-with-or-without-wrapper": Requirement(
        "A subdirectory matches with or without the wrapper folder in front.",
        "skill graph, sources",
    ),
    "graph.sources.subdirectory-unsafe": Requirement(
        "An absolute subdirectory or one with `..` is refused with 400.",
        "skill graph, sources",
    ),
    "graph.sources.subdirectory-empty": Requirement(
        "A subdirectory with nothing under it is refused with 422.",
        "skill graph, sources",
    ),
    "graph.sources.subdirectory-relative-paths": Requirement(
        "Paths of notes are relative to the subdirectory.",
        "skill graph, sources",
    ),
    "graph.sources.markdown-any-case": Requirement(
        "A file is a note when its name ends in `.md` in any letter case.",
        "skill graph, sources",
    ),
    "graph.sources.ignored-components": Requirement(
        "Dot names, node_modules, dist, build and __MACOSX are ignored as whole components below the root.",
        "skill graph, sources",
    ),
    "graph.sources.ignored-is-whole-component": Requirement(
        "A folder such as `my.git` that merely contains an ignored name is read.",
        "skill graph, sources",
    ),
    "graph.sources.ignored-count-nothing": Requirement(
        "Ignored files count towards no limit.",
        "skill graph, sources",
    ),
    "graph.sources.limits-inclusive": Requirement(
        "A source exactly at a limit is accepted and one unit more is refused.",
        "skill graph, sources",
    ),
    "graph.sources.limits-name-facts": Requirement(
        "A 413 has code too_large and the facts `what` and `limit`.",
        "skill graph, sources",
    ),
    "graph.sources.limits-everywhere": Requirement(
        "ZIP and GitHub sources keep the limits through every face.",
        "skill graph, sources",
    ),
    "graph.sources.length-header-first": Requirement(
        "An announced length above the limit is refused before the body is read.",
        "skill graph, sources",
    ),
    "graph.sources.counted-while-receiving": Requirement(
        "A body without an honest length is counted as it arrives and cut off at the limit.",
        "skill graph, sources",
    ),
    # zip
    "graph.sources.zip.entry-count": Requirement(
        "An archive of more than 10,000 entries is refused with 413.",
        "skill graph, sources",
    ),
    "graph.sources.zip.not-a-zip": Requirement(
        "Bytes that are no ZIP, or a truncated one, are refused with 400 bad_archive.",
        "skill graph, sources",
    ),
    "graph.sources.zip.empty": Requirement(
        "An archive with zero file entries is refused with 400 empty_archive.",
        "skill graph, sources",
    ),
    "graph.sources.zip.no-markdown": Requirement(
        "An archive with files but no usable note is refused with 422 no_markdown.",
        "skill graph, sources",
    ),
    "graph.sources.zip.memory-only": Requirement(
        "An archive is read from memory and never unpacked to disk.",
        "skill graph, sources",
    ),
    "graph.sources.zip.encrypted": Requirement(
        "An encrypted note in an archive is refused with 400 bad_archive.",
        "skill graph, sources",
    ),
    "graph.sources.zip.method": Requirement(
        "A note compressed by a method other than stored or deflate is refused with 400 bad_archive.",
        "skill graph, sources",
    ),
    "graph.sources.zip.lying-crc-or-size": Requirement(
        "A note whose checksum or size is a lie is refused with 400 bad_archive.",
        "skill graph, sources",
    ),
    "graph.sources.zip.overlap": Requirement(
        "Two entries that share bytes are refused with 400 bad_archive.",
        "skill graph, sources",
    ),
    "graph.sources.zip.unsafe-path": Requirement(
        "An absolute, drive or `..` path or a control character in the raw name skips it with unsafe_path.",
        "skill graph, sources",
    ),
    "graph.sources.zip.symlink": Requirement(
        "A symlink or special file in an archive is skipped with the warning symlink.",
        "skill graph, sources",
    ),
    "graph.sources.zip.backslash": Requirement(
        "Backslashes in entry names are slashes.",
        "skill graph, sources",
    ),
    "graph.sources.zip.duplicate-entry": Requirement(
        "Of two entries with one path the last wins, with the warning duplicate_entry.",
        "skill graph, sources",
    ),
    "graph.sources.zip.name-encoding": Requirement(
        "A name without the UTF-8 flag is read from field 0x7075, then as UTF-8, then as cp437.",
        "skill graph, sources",
    ),
    "graph.sources.zip.nested-archive": Requirement(
        "An archive inside an archive is an ignored file.",
        "skill graph, sources",
    ),
    "graph.sources.zip.bomb": Requirement(
        "Entries are inflated in chunks against the running total, so a bomb costs at most the limit.",
        "skill graph, sources",
    ),
    "graph.sources.zip.hostile-cost": Requirement(
        "Any hostile archive is answered within 2 s and under 100 MB of extra memory.",
        "skill graph, sources",
    ),
    "graph.sources.zip.library-errors": Requirement(
        "Every exception the archive library can raise becomes bad_archive.",
        "skill graph, Python traps",
    ),
    # folder
    "graph.sources.folder.no-upload-limits": Requirement(
        "A folder read by the command line has none of the upload limits.",
        "skill graph, sources",
    ),
    "graph.sources.folder.symlink": Requirement(
        "Links in a folder are never followed and give the warning symlink.",
        "skill graph, sources",
    ),
    "graph.sources.folder.mcp-loopback-only": Requirement(
        "`ingest_folder` over `/mcp` works only while the server is open on loopback.",
        "skill graph, doors",
    ),
    # github
    "graph.sources.github.address-form": Requirement(
        "Only https://github.com/owner/repo is accepted, optionally with `.git` or a final slash.",
        "skill graph, sources",
    ),
    "graph.sources.github.address-refused": Requirement(
        "User info, a port or another host in the address is refused with 400.",
        "skill graph, sources",
    ),
    "graph.sources.github.branch-form": Requirement(
        "A branch holds letters, digits and `._/-`, does not start with `-` and has no `..`.",
        "skill graph, sources",
    ),
    "graph.sources.github.no-request-when-refused": Requirement(
        "A refused address or branch causes no outgoing request.",
        "skill graph, sources",
    ),
    "graph.sources.github.default-ref": Requirement(
        "Without a branch the archive of HEAD is fetched.",
        "skill graph, sources",
    ),
    "graph.sources.github.redirects": Requirement(
        "Redirects are followed only to the same origin or to GitHub's own hosts over https.",
        "skill graph, sources",
    ),
    "graph.sources.github.missing": Requirement(
        "A missing repository or branch is answered 404.",
        "skill graph, sources",
    ),
    "graph.sources.github.trouble": Requirement(
        "Other trouble, or 30 seconds, is answered 503.",
        "skill graph, sources",
    ),
    "graph.sources.github.too-large": Requirement(
        "An archive above the limit is answered 413 and the connection is closed at once.",
        "skill graph, sources",
    ),
    "graph.sources.github.wrapper": Requirement(
        "The wrapper folder of a GitHub archive is always stripped.",
        "skill graph, sources",
    ),
    # rate
    "graph.rate.user": Requirement(
        "The rate counts per user: the bearer token's user, else the socket's peer address.",
        "skill graph, sources",
    ),
    "graph.rate.no-forwarding-headers": Requirement(
        "Forwarding headers never change whose rate is counted.",
        "skill graph, sources",
    ),
    "graph.rate.sliding-hour": Requirement(
        "The rate is a sliding hour.",
        "skill graph, sources",
    ),
    "graph.rate.survives-restart": Requirement(
        "The rate is stored, so that a restart does not reset it.",
        "skill graph, sources",
    ),
    "graph.rate.before-upload": Requirement(
        "The rate is checked before the upload is read.",
        "skill graph, sources",
    ),
    "graph.rate.counts-sound-requests": Requirement(
        "An ingest counts once its source type and fields are sound, whatever follows.",
        "skill graph, sources",
    ),
    "graph.rate.retry-after": Requirement(
        "A rate refusal is 429 rate_limited with Retry-After.",
        "skill graph, sources",
    ),
    "graph.rate.exempt": Requirement(
        "The command line, watch and fuse are exempt from the rate.",
        "skill graph, sources",
    ),
    # text
    "graph.text.utf8": Requirement(
        "Text is UTF-8 and a byte order mark is dropped.",
        "skill graph, from bytes to notes",
    ),
    "graph.text.utf16": Requirement(
        "UTF-16 is recognised by its byte order mark.",
        "skill graph, from bytes to notes",
    ),
    "graph.text.cp1252": Requirement(
        "Other bytes are read as cp1252 with the warning encoding.",
        "skill graph, from bytes to notes",
    ),
    "graph.text.line-ends": Requirement(
        "CRLF and CR become LF.",
        "skill graph, from bytes to notes",
    ),
    "graph.text.nul": Requirement(
        "NUL becomes U+FFFD.",
        "skill graph, from bytes to notes",
    ),
    # header
    "graph.header.first-line": Requirement(
        "A header exists only when line one is exactly `---`, blanks allowed behind it.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.closing": Requirement(
        "A header ends at a later line `---` or `...`.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.empty-or-mapping": Requirement(
        "What lies between is empty, a mapping or recoverable; otherwise the whole file is body.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.unclosed-is-body": Requirement(
        "An unclosed header, `---js` or an opening rule leaves the whole file as body.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.nothing-executed": Requirement(
        "Nothing in a header is ever executed.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.scalars-are-text": Requirement(
        "Every scalar stays its source text: dates, yes, .nan, 12:30:45 and 017 alike.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.aliases-refused": Requirement(
        "Anchors and aliases in a header are refused.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.size-and-depth": Requirement(
        "A header above 64 KiB or depth 20 is refused.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.tags-ignored": Requirement(
        "YAML tags are ignored.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.simple-lines": Requirement(
        "When YAML fails, simple `key: value` lines are read, also values starting with @, % or a backtick.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.no-recovery-of-refused": Requirement(
        "A header that was refused is not recovered line by line.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.warning": Requirement(
        "Each failed or refused header gives the warning frontmatter.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.never-in-body": Requirement(
        "Header lines never reach the body.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.never-fails-ingest": Requirement(
        "One bad header never fails an ingest.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.keys-ignore-case": Requirement(
        "Header keys ignore letter case.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.text-field-list": Requirement(
        "A text field holding a list or map counts as missing, with a warning.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.blank-is-missing": Requirement(
        "Blank, `~` and `null` count as missing.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.tags-field": Requirement(
        "Tags are a list or text split at commas, else at blanks, without a leading `#`; a map gives none.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.reference-fields": Requirement(
        'aliases, extends and contradicts take a list or text, and `[[b]]`, "[[b]]", b and B.md all mean b.',
        "skill graph, from bytes to notes",
    ),
    "graph.header.name-order": Requirement(
        "The name is `name`, else `title`, else the first H1, else the file name in capitalised words.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.type-default": Requirement(
        "The type is lower-cased and defaults to skill.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.unknown-type-kept": Requirement(
        "An unknown type is kept with a warning and without a penalty.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.domain": Requirement(
        "The domain defaults to general, is compared ignoring case and shown as first written.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.recency": Requirement(
        "Recency comes from an ISO date in updated, modified or date, and file times never count.",
        "skill graph, from bytes to notes",
    ),
    "graph.header.yaml-bombs": Requirement(
        "Alias bombs, cyclic lists and deep nesting in a header cost little and raise nothing.",
        "skill graph, Python traps",
    ),
    "graph.header.fast-path-agrees": Requirement(
        "A fast path for plain headers agrees with the full parser, comments and quotes included.",
        "skill graph, Python traps",
    ),
    # slug and id
    "graph.slug.rule": Requirement(
        "A slug is NFKC, casefolded, without final `.md`, runs of other characters as one hyphen, trimmed.",
        "skill graph, from bytes to notes",
    ),
    "graph.slug.unicode-stays": Requirement(
        "Letters, marks and digits of every script stay in a slug.",
        "skill graph, from bytes to notes",
    ),
    "graph.slug.empty": Requirement(
        "An empty slug becomes `n-` and 8 hex digits of the path's SHA-256.",
        "skill graph, from bytes to notes",
    ),
    "graph.slug.old-rule-alias": Requirement(
        "The old rule's slug is a hidden alias of the note.",
        "skill graph, from bytes to notes",
    ),
    "graph.id.base-name": Requirement(
        "An id is `skill:` and the slug of the base name.",
        "skill graph, from bytes to notes",
    ),
    "graph.id.skill-file": Requirement(
        "`SKILL.md` in a folder takes the folder's name.",
        "skill graph, from bytes to notes",
    ),
    "graph.id.shallowest-keeps-short": Requirement(
        "Notes are ordered by depth and path, and the first keeps the short id.",
        "skill graph, from bytes to notes",
    ),
    "graph.id.collision": Requirement(
        "Once short ids are dealt, the others take their path's slug, then -2, -3, with duplicate_id.",
        "skill graph, from bytes to notes",
    ),
    "graph.id.never-merged": Requirement(
        "Files are never merged.",
        "skill graph, from bytes to notes",
    ),
    "graph.id.accepted-forms": Requirement(
        "A node id is accepted with or without `skill:`, and also as path, alias or name.",
        "skill graph, doors",
    ),
    "graph.id.unknown": Requirement(
        "An unknown graph or node is answered 404.",
        "skill graph, doors",
    ),
    # links
    "graph.links.code-has-none": Requirement(
        "Fenced, indented and inline code hold no links.",
        "skill graph, links",
    ),
    "graph.links.unclosed-fence": Requirement(
        "An unclosed fence runs to the end of the note.",
        "skill graph, links",
    ),
    "graph.links.indented-in-list": Requirement(
        "Indented text inside a list is no code and its links count.",
        "skill graph, links",
    ),
    "graph.links.inline-code": Requirement(
        "Inline code of any number of backticks holds no links.",
        "skill graph, links",
    ),
    "graph.links.comments-have-none": Requirement(
        "HTML comments and closed `%%` comments hold no links.",
        "skill graph, links",
    ),
    "graph.links.escaped": Requirement(
        "A bracket after a backslash opens no link.",
        "skill graph, links",
    ),
    "graph.links.header-only-relations": Requirement(
        "In the header only extends and contradicts hold links.",
        "skill graph, links",
    ),
    "graph.links.wikilink-form": Requirement(
        "A wikilink is `[[target#anchor|alias]]` on one line, innermost brackets, at most 512 characters.",
        "skill graph, links",
    ),
    "graph.links.table-separator": Requirement(
        "In tables `\\|` separates target and alias.",
        "skill graph, links",
    ),
    "graph.links.empty-is-nothing": Requirement(
        "`[[]]`, `[[ ]]`, `[[|a]]` and `[[#h]]` are nothing.",
        "skill graph, links",
    ),
    "graph.links.anchor-cut": Requirement(
        "Heading and block anchors are cut off the target.",
        "skill graph, links",
    ),
    "graph.links.missing-heading": Requirement(
        "A link to a heading that is missing gives a warning.",
        "skill graph, links",
    ),
    "graph.links.embed-is-link": Requirement(
        "`![[note]]` is a link.",
        "skill graph, links",
    ),
    "graph.links.media-ignored": Requirement(
        "Unresolved names of media and office files are ignored.",
        "skill graph, links",
    ),
    "graph.links.markdown-links": Requirement(
        "Relative markdown links resolve like wikilinks, with ./, ../, %20, anchors and reference style.",
        "skill graph, links",
    ),
    "graph.links.broken-markdown-link": Requirement(
        "An unresolved markdown link is only the warning broken_markdown_link.",
        "skill graph, links",
    ),
    "graph.links.urls-and-images-ignored": Requirement(
        "URLs and images are no links.",
        "skill graph, links",
    ),
    "graph.links.resolve-order": Requirement(
        "Links resolve by exact path, path suffix, base-name slug, alias, then name.",
        "skill graph, links",
    ),
    "graph.links.exact-path-near-first": Requirement(
        "An exact path is tried from the note's folder, then from the root.",
        "skill graph, links",
    ),
    "graph.links.extension-optional": Requirement(
        "`.md` is optional in a link target.",
        "skill graph, links",
    ),
    "graph.links.folder-target": Requirement(
        "A link to a folder means its SKILL, index or README.",
        "skill graph, links",
    ),
    "graph.links.ambiguous": Requirement(
        "Of several targets the nearest folder wins, then fewest parts, code points, with ambiguous_link.",
        "skill graph, links",
    ),
    "graph.links.one-edge": Requirement(
        "There is one edge per source, target and type, with count, contexts and weight.",
        "skill graph, links",
    ),
    "graph.links.edge-type": Requirement(
        "An edge is CLUSTERS from a moc, else REFERENCES.",
        "skill graph, links",
    ),
    "graph.links.header-edge-types": Requirement(
        "EXTENDS and CONTRADICTS come from the header, always.",
        "skill graph, links",
    ),
    "graph.links.self": Requirement(
        "Self links are neither edges nor faults.",
        "skill graph, links",
    ),
    "graph.links.broken-entry": Requirement(
        "A broken link is one entry per file and target with path, slug, raw, line and a suggestion.",
        "skill graph, links",
    ),
    "graph.links.suggestion": Requirement(
        "The suggestion of a broken link is the nearest id.",
        "skill graph, links",
    ),
    "graph.links.context-sentence": Requirement(
        "A link's context is its sentence with soft breaks joined and whitespace collapsed.",
        "skill graph, links",
    ),
    "graph.links.context-not-cut": Requirement(
        'The sentence is not cut inside brackets nor after abbreviations such as "e.g.".',
        "skill graph, links",
    ),
    "graph.links.context-length": Requirement(
        "A context is at most 300 characters round the link.",
        "skill graph, links",
    ),
    "graph.links.header-context": Requirement(
        "A link from the header has the context `frontmatter: extends` or its sibling.",
        "skill graph, links",
    ),
    # metrics
    "graph.metrics.half-up": Requirement(
        "Figures are rounded half up in integers.",
        "skill graph, metrics and quality",
    ),
    "graph.metrics.density": Requirement(
        "Density is E / N(N-1) to two places and 0 below two nodes; 67 edges on 24 nodes give 0.12.",
        "skill graph, metrics and quality",
    ),
    "graph.metrics.average-degree": Requirement(
        "avgDegree is 2E/N to one place; 67 edges on 24 nodes give 5.6.",
        "skill graph, metrics and quality",
    ),
    "graph.metrics.clusters": Requirement(
        "clusterCount is the number of undirected components of two or more nodes.",
        "skill graph, metrics and quality",
    ),
    "graph.metrics.orphans": Requirement(
        "An orphan has no edge in or out.",
        "skill graph, metrics and quality",
    ),
    "graph.metrics.greatest-degrees": Requirement(
        "maxInDegree and maxOutDegree count edges, first in path order on ties.",
        "skill graph, metrics and quality",
    ),
    "graph.metrics.domains": Requirement(
        "Domains are sorted and list general when some note has none.",
        "skill graph, metrics and quality",
    ),
    "graph.metrics.type-breakdown": Requirement(
        "typeBreakdown counts nodes by type.",
        "skill graph, metrics and quality",
    ),
    "graph.metrics.stats-shape": Requirement(
        "Stats answers the counts, degrees, domains, types and edge types of the sample.",
        "contract 000, stats",
    ),
    "graph.metrics.edge-type-breakdown": Requirement(
        "edgeTypeBreakdown counts edges by type.",
        "contract 000, stats",
    ),
    # quality
    "graph.quality.circular-only": Requirement(
        "A circular pair is A to B and B to A with no other neighbour, listed once.",
        "skill graph, metrics and quality",
    ),
    "graph.quality.moc-coverage": Requirement(
        "mocCoverage is ten times the share of clusters holding a moc, half up; 3 of 4 give 8.",
        "skill graph, metrics and quality",
    ),
    "graph.quality.link-density-health": Requirement(
        "linkDensityHealth falls with the share of nodes of degree one or less; 1 of 24 gives 9.",
        "skill graph, metrics and quality",
    ),
    "graph.quality.penalties": Requirement(
        "Penalties are broken 10, description 5, orphan 3, type 2, circular pair 2 and domain 1.",
        "skill graph, metrics and quality",
    ),
    "graph.quality.score": Requirement(
        "The score is min(100, max(0, 100 + penalties) + bonuses); the worked example gives 92.",
        "skill graph, metrics and quality",
    ),
    "graph.quality.validate-entries": Requirement(
        "Validate lists findings as file and penalty, pairs as files and penalty, and missingDomains.",
        "skill graph, metrics and quality",
    ),
    "graph.quality.path-order": Requirement(
        "Lists of findings are in path order.",
        "skill graph, metrics and quality",
    ),
    "graph.quality.summary": Requirement(
        'The summary names the non-zero counts in order with plurals and ends "Fix these to reach 100."',
        "skill graph, metrics and quality",
    ),
    "graph.quality.summary-at-100": Requirement(
        "At score 100 the summary promises nothing.",
        "skill graph, metrics and quality",
    ),
    "graph.quality.validate-shape": Requirement(
        "Validate answers score, maxScore 100, issues, bonuses and summary as in the sample.",
        "contract 000, validate",
    ),
    # levels
    "graph.levels.zero": Requirement(
        "Level 0 gives id, name, type and domain alone.",
        "skill graph, disclosure and tokens",
    ),
    "graph.levels.one": Requirement(
        "Level 1 adds description, tags, inDegree, outDegree and path.",
        "skill graph, disclosure and tokens",
    ),
    "graph.levels.two": Requirement(
        "Level 2 adds links and backlinks with id, name, type, context and description.",
        "skill graph, disclosure and tokens",
    ),
    "graph.levels.three": Requirement(
        "Level 3 adds the sections text as content, sections and tokens.",
        "skill graph, disclosure and tokens",
    ),
    "graph.levels.four": Requirement(
        "Level 4 has the body as content and tokens, and no sections.",
        "skill graph, disclosure and tokens",
    ),
    "graph.levels.forbidden-fields-cannot-exist": Requirement(
        "Each level is a type of its own, so that a forbidden field cannot exist.",
        "skill graph, disclosure and tokens",
    ),
    "graph.levels.body": Requirement(
        "The body is the text after the header with outer blank lines trimmed.",
        "skill graph, disclosure and tokens",
    ),
    "graph.levels.three-has-no-full-text": Requirement(
        "A node at level 3 never includes the full text.",
        "contract 000, traverse",
    ),
    "graph.levels.one-has-no-content": Requirement(
        "A node at level 1 never includes any content.",
        "contract 000, traverse",
    ),
    # sections
    "graph.sections.first-paragraph": Requirement(
        "Sections text has each heading's line and its first paragraph or list item.",
        "skill graph, disclosure and tokens",
    ),
    "graph.sections.cut": Requirement(
        "A section's text is cut at 100 words and 400 characters.",
        "skill graph, disclosure and tokens",
    ),
    "graph.sections.preamble": Requirement(
        "Text before the first heading comes first, treated alike.",
        "skill graph, disclosure and tokens",
    ),
    "graph.sections.headings": Requirement(
        "ATX and setext headings count, headings in code do not.",
        "skill graph, disclosure and tokens",
    ),
    "graph.sections.never-empty": Requirement(
        "Sections text is never empty for a non-empty body.",
        "skill graph, disclosure and tokens",
    ),
    # tokens
    "graph.tokens.never-below": Requirement(
        "The token count never falls below a common tokenizer's.",
        "skill graph, disclosure and tokens",
    ),
    "graph.tokens.plain-english": Requirement(
        "Plain English is counted below 1.6 times the truth.",
        "skill graph, disclosure and tokens",
    ),
    "graph.tokens.letters": Requirement(
        "A letter run costs 1 when short or an everyday word, else a share of its length never below the truth.",
        "skill graph, disclosure and tokens",
    ),
    "graph.tokens.unbroken-runs": Requirement(
        "An unbroken run of 20 or more letters, digits and `+` costs at least four fifths of its length.",
        "skill graph, disclosure and tokens",
    ),
    "graph.tokens.marks": Requirement(
        "Digits, ASCII marks and newlines cost 1 each, and 2 to 16 blanks cost 1.",
        "skill graph, disclosure and tokens",
    ),
    "graph.tokens.scripts": Requirement(
        "Characters beyond ASCII cost 1 to 4 by their range.",
        "skill graph, disclosure and tokens",
    ),
    "graph.tokens.rounded-up": Requirement(
        "The sum is rounded up.",
        "skill graph, disclosure and tokens",
    ),
    "graph.tokens.content-only": Requirement(
        "Tokens cover the content alone, so level 1 costs 0.",
        "skill graph, disclosure and tokens",
    ),
    "graph.tokens.linear": Requirement(
        "Tokens are counted without a step per character in Python.",
        "skill graph, disclosure and tokens",
    ),
    # terms
    "graph.terms.normalised": Requirement(
        "Terms are NFKC, casefolded and stemmed as English.",
        "skill graph, finding and packing",
    ),
    "graph.terms.cjk": Requirement(
        "CJK text is read as bigrams.",
        "skill graph, finding and packing",
    ),
    "graph.terms.stop-words": Requirement(
        "Stop words are dropped unless nothing remains.",
        "skill graph, finding and packing",
    ),
    "graph.terms.unknown-term": Requirement(
        "A term unknown to the graph tries prefix from 4 letters, then one edit from 5, on unstemmed words.",
        "skill graph, finding and packing",
    ),
    # scan
    "graph.scan.fields": Requirement(
        "Scan reads name, aliases, tags and description only.",
        "skill graph, finding and packing",
    ),
    "graph.scan.one-lexical-hit": Requirement(
        "A scan result has at least one lexical hit; embeddings may reorder but never add.",
        "skill graph, finding and packing",
    ),
    "graph.scan.total-before-limit": Requirement(
        "`total` counts the hits before the limit.",
        "skill graph, finding and packing",
    ),
    "graph.scan.order": Requirement(
        "Scan results are ordered by score, then id.",
        "skill graph, finding and packing",
    ),
    "graph.scan.empty-query": Requirement(
        "An empty query lists all nodes by degree, then id.",
        "skill graph, finding and packing",
    ),
    "graph.scan.answer-shape": Requirement(
        "Scan answers results, total and level 1 with the fields of the sample.",
        "contract 000, scan",
    ),
    "graph.scan.never-content": Requirement(
        "Scan never returns the body or the sections of a note.",
        "contract 000, scan",
    ),
    "graph.scan.domain-filter": Requirement(
        "Scan's domain keeps only notes of that domain, ignoring case.",
        "contract 000, scan",
    ),
    "graph.scan.limit": Requirement(
        "Scan returns at most `limit` results.",
        "contract 000, scan",
    ),
    # score
    "graph.score.text-relevance": Requirement(
        "T is the idf-weighted saturation over name, alias, tag, description, heading and body.",
        "skill graph, finding and packing",
    ),
    "graph.score.embedder-raises-only": Requirement(
        "An embedder may raise T and never lowers it.",
        "skill graph, finding and packing",
    ),
    "graph.score.parts": Requirement(
        "The score adds text 55, link 20, hub 10, type 5, domain 5 and recency 5 at most.",
        "skill graph, finding and packing",
    ),
    "graph.score.recency-from-newest": Requirement(
        "Recency is measured back from the graph's newest date.",
        "skill graph, finding and packing",
    ),
    "graph.score.order": Requirement(
        "All order is rounded score descending, then id.",
        "skill graph, finding and packing",
    ),
    # entry
    "graph.entry.start-node": Requirement(
        "A given startNode is the entry.",
        "skill graph, finding and packing",
    ),
    "graph.entry.best-moc": Requirement(
        "Without a start the moc with the greatest T plus half its best target's T is the entry.",
        "skill graph, finding and packing",
    ),
    "graph.entry.index-note": Requirement(
        "Without a moc the shallowest note named index, readme or home is the entry.",
        "skill graph, finding and packing",
    ),
    "graph.entry.best-text": Requirement(
        "Without these the note with the best T, then the greatest degree, is the entry.",
        "skill graph, finding and packing",
    ),
    "graph.entry.ties": Requirement(
        "Entry ties fall by degree, then id.",
        "skill graph, finding and packing",
    ),
    # walk
    "graph.walk.breadth-first": Requirement(
        "The walk is breadth-first to maxDepth, each node once at its least depth, the start at 0.",
        "skill graph, finding and packing",
    ),
    "graph.walk.direction": Requirement(
        "The walk follows out, in or both, out by default.",
        "skill graph, finding and packing",
    ),
    "graph.walk.start-is-candidate": Requirement(
        "The start is a candidate like any other.",
        "skill graph, finding and packing",
    ),
    "graph.walk.context-candidates": Requirement(
        "Context considers the 200 best T and all within two links of the entry, either way.",
        "skill graph, finding and packing",
    ),
    "graph.walk.qualifies": Requirement(
        "A node qualifies by T of 0.15, a link share of 0.3 or a blank query.",
        "skill graph, finding and packing",
    ),
    "graph.walk.start-alone": Requirement(
        "When no node qualifies the start alone does.",
        "skill graph, finding and packing",
    ),
    "graph.walk.answer-shape": Requirement(
        "Traverse answers entryPoint, path, unloaded and telemetry with the fields of the sample.",
        "contract 000, traverse",
    ),
    "graph.walk.bounds": Requirement(
        "Traverse keeps to maxDepth and maxNodes.",
        "contract 000, traverse",
    ),
    "graph.walk.context-shape": Requirement(
        "Context answers contextPack with entryPoint, nodes, totalTokens and tokenBudget, and telemetry.",
        "contract 000, context",
    ),
    # budget
    "graph.budget.hard-ceiling": Requirement(
        "The token budget is a hard ceiling that no pack exceeds.",
        "contract 000, traverse",
    ),
    "graph.budget.independent-tokenizer": Requirement(
        "No pack exceeds its budget under an independent tokenizer.",
        "skill graph, finding and packing",
    ),
    "graph.budget.first-pass": Requirement(
        "The first pass loads up to maxNodes nodes at level 3, or 4 where that is no dearer.",
        "skill graph, finding and packing",
    ),
    "graph.budget.passes-over": Requirement(
        "What does not fit, and notes without text, are passed over.",
        "skill graph, finding and packing",
    ),
    "graph.budget.second-pass": Requirement(
        "The second pass raises level 3 to 4 in the same order while the budget allows.",
        "skill graph, finding and packing",
    ),
    "graph.budget.loaded-fields": Requirement(
        "Loaded nodes carry tokens, depth, score and reason.",
        "skill graph, finding and packing",
    ),
    "graph.budget.unloaded": Requirement(
        "Traverse lists the 50 best other nodes as unloaded.",
        "skill graph, finding and packing",
    ),
    "graph.budget.context-tail": Requirement(
        "Context adds the next 8 nodes at level 1 with content null and a description.",
        "skill graph, finding and packing",
    ),
    "graph.budget.reasons": Requirement(
        "Reasons name real facts: matched words and field, the linking note, what did not fit.",
        "skill graph, finding and packing",
    ),
    # telemetry
    "graph.telemetry.visited": Requirement(
        "Nodes visited are loaded plus skipped.",
        "skill graph, finding and packing",
    ),
    "graph.telemetry.loaded": Requirement(
        "Nodes loaded are those at level 3 or above.",
        "skill graph, finding and packing",
    ),
    "graph.telemetry.tokens-used": Requirement(
        "tokensUsed is the sum of tokens and at most the budget.",
        "skill graph, finding and packing",
    ),
    "graph.telemetry.coverage": Requirement(
        "coveragePercent is loaded of all nodes to one place.",
        "skill graph, finding and packing",
    ),
    "graph.telemetry.depth": Requirement(
        "maxDepthReached is the deepest node visited.",
        "skill graph, finding and packing",
    ),
    "graph.telemetry.levels": Requirement(
        "nodesAtLevel sums to the nodes visited.",
        "skill graph, finding and packing",
    ),
    # search
    "graph.search.answer-shape": Requirement(
        "Search answers level-1 results with a score of 0 to 1, matched fields and the method.",
        "skill graph, finding and packing",
    ),
    "graph.search.all-fields": Requirement(
        "Search reads all fields, bodies too.",
        "skill graph, finding and packing",
    ),
    "graph.search.degree-bonus": Requirement(
        "Degree adds at most 0.1 once something matched.",
        "skill graph, finding and packing",
    ),
    "graph.search.filters": Requirement(
        "Search filters by domain and type.",
        "skill graph, finding and packing",
    ),
    "graph.search.method": Requirement(
        "The method is lexical or hybrid.",
        "skill graph, finding and packing",
    ),
    "graph.search.never-body": Requirement(
        "Search never returns text of the body.",
        "skill graph, finding and packing",
    ),
    # export
    "graph.export.json": Requirement(
        "The JSON export has nodes at level 1 and edges with count and contexts, both sorted, no bodies.",
        "skill graph, finding and packing",
    ),
    "graph.export.graphml": Requirement(
        "The graph exports as well-formed GraphML.",
        "skill graph, finding and packing",
    ),
    "graph.export.mermaid": Requirement(
        "The graph exports as Mermaid text.",
        "skill graph, finding and packing",
    ),
    "graph.export.dot": Requirement(
        "The graph exports as DOT text.",
        "skill graph, finding and packing",
    ),
    # fuse
    "graph.fuse.answer": Requirement(
        "Fuse takes a name and 2 to 20 graphs and gives ingest's answer with kind fused.",
        "skill graph, finding and packing",
    ),
    "graph.fuse.ids": Requirement(
        "Ids in a fused graph are `skill:<graph>/<slug>`.",
        "skill graph, finding and packing",
    ),
    "graph.fuse.never-merged": Requirement(
        "Fusing never merges nodes.",
        "skill graph, finding and packing",
    ),
    "graph.fuse.cross-domain": Requirement(
        "Equal names in different graphs get one CROSS_DOMAIN edge, smaller id to larger, walked both ways.",
        "skill graph, finding and packing",
    ),
    "graph.fuse.sources-and-stale": Requirement(
        "Stats of a fused graph list its sources with revisions and whether it is stale.",
        "skill graph, finding and packing",
    ),
    # revisions
    "graph.revisions.source-kept": Requirement(
        "The source text of every file read is kept with the revision, header included.",
        "skill graph, revisions",
    ),
    "graph.revisions.rise-with-content": Requirement(
        "The revision starts at 1 and rises when the content hash changes.",
        "skill graph, revisions",
    ),
    "graph.revisions.unchanged": Requirement(
        "Equal content answers unchanged true and the same revision.",
        "skill graph, revisions",
    ),
    "graph.revisions.hash-same-across-sources": Requirement(
        "The content hash is equal for ZIP, folder and GitHub.",
        "skill graph, revisions",
    ),
    "graph.revisions.deleted-id-counts-on": Requirement(
        "A deleted id goes on counting its revisions.",
        "skill graph, revisions",
    ),
    "graph.revisions.readers-pinned": Requirement(
        "A reader pins a revision and never sees a mixture.",
        "skill graph, revisions",
    ),
    "graph.revisions.killed-ingest": Requirement(
        "A killed ingest leaves the old graph, and its rows are invisible and swept later.",
        "skill graph, revisions",
    ),
    "graph.revisions.two-ingests-queue": Requirement(
        "Two ingests of one id queue, both answer 200 and the last to finish stands.",
        "skill graph, revisions",
    ),
    "graph.revisions.other-process-shows": Requirement(
        "Another process's ingest shows at the next read.",
        "skill graph, revisions",
    ),
    "graph.revisions.only-changed-parsed": Requirement(
        "A re-ingest parses only files whose hash changed.",
        "skill graph, revisions",
    ),
    "graph.revisions.relinks-affected": Requirement(
        "A re-ingest relinks every note whose link text could now resolve otherwise.",
        "skill graph, revisions",
    ),
    "graph.revisions.equals-fresh": Requirement(
        "The result of a re-ingest equals a fresh ingest.",
        "skill graph, revisions",
    ),
    # watch
    "graph.watch.one-line-per-revision": Requirement(
        "Watch writes one JSON line per revision.",
        "skill graph, revisions",
    ),
    "graph.watch.debounce": Requirement(
        "Watch waits 300 ms for changes to settle.",
        "skill graph, revisions",
    ),
    "graph.watch.emptied-folder": Requirement(
        "An emptied folder keeps the last revision and watch says so.",
        "skill graph, revisions",
    ),
    # speed
    "graph.speed.zip-over-http": Requirement(
        "A ZIP of 500 files and 5 MiB is ingested over HTTP within 1.2 s.",
        "skill graph, speed",
        gap="held with five times the room; 2.4 s was seen on a crowded machine, a quiet one is still to be measured",
    ),
    "graph.speed.reads-meanwhile": Requirement(
        "Reads during an ingest stay at p95 of 100 ms or less.",
        "skill graph, speed",
        gap="held with five times the room; a p95 of 120 ms was seen on a crowded machine",
    ),
    "graph.speed.folder-100k": Requirement(
        "A folder of 100,000 notes is ingested within 90 s, near-linearly and in bounded memory.",
        "skill graph, speed",
        gap="held as a ratio at 2,000 notes; a run of 100,000 notes did not get to its end on a crowded machine",
    ),
    "graph.speed.warm-reads": Requirement(
        "Warm reads of 10,000 nodes stay at p95 of 10 ms for scan and 30 ms for traverse and context.",
        "skill graph, speed",
        gap="held with four times the room at 3,000 nodes; at 10,000 p95 of 5 ms for scan, 15 for traverse and 20 for "
        "context of an ordinary processor were seen, crowded; a quiet machine is still to be measured",
    ),
    "graph.speed.validate-and-stats": Requirement(
        "Validate and stats answer within 10 ms, computed at ingest.",
        "skill graph, speed",
    ),
    "graph.speed.one-changed-file": Requirement(
        "One changed file of 10,000 is re-ingested within 150 ms beside the folder walk.",
        "skill graph, speed",
        gap="held with room at 3,000 notes; at 10,000 about 40 ms of an ordinary processor were seen in a process that "
        "keeps running, on a crowded machine; a quiet one is still to be measured",
    ),
    "graph.speed.hostile-openers": Requirement(
        "1 MB of hostile openers is scanned in under a second.",
        "skill graph, speed",
    ),
    "graph.speed.workers-end-with-parent": Requirement(
        "Pool workers notice a killed parent and end within seconds.",
        "skill graph, speed",
    ),
    "graph.speed.vault-ingest": Requirement(
        "A vault of 249 notes is ingested in under 1 s and three times as fast as graphify.",
        "goals, speed",
        gap="measured beside graphify by `make bench`, whose peer `make test` does not install",
    ),
    "graph.speed.cold-scan": Requirement(
        "A cold `lore scan` takes under 0.4 s.",
        "goals, speed",
        gap="what it loads is held; 0.5 s was last seen where 0.4 s is promised, over half of it typer and pydantic",
    ),
    "graph.speed.warm-median": Requirement(
        "Scan and context on 10,000 nodes have a median under 10 ms in process.",
        "goals, speed",
        gap="held with four times the room at 3,000 nodes; at 10,000 medians of 1.5 ms for scan, 6 for context "
        "by words and 11 by meaning of an ordinary processor were seen, crowded",
    ),
    "graph.speed.bare-route-named": Requirement(
        "The benchmark names a bare route's HTTP overhead beside ours.",
        "goals, speed",
    ),
    "graph.speed.change-proportional": Requirement(
        "One changed file is re-ingested in time proportional to the change.",
        "goals, speed",
    ),
    # page
    "graph.revisions.changes-named": Requirement(
        "The files that the present revision added, changed and removed are told by name.",
        "skill graph, the explorer page",
    ),
    "graph.telemetry.visited-list": Requirement(
        "A walk and a pack list all visited notes when asked, for the map to draw.",
        "skill graph, the explorer page",
    ),
    "graph.page.ingest": Requirement(
        "The page ingests a ZIP, a GitHub address or the demo with progress and findings.",
        "skill graph, the explorer page",
    ),
    "graph.page.graphs": Requirement(
        "The page lists graphs with score and revision.",
        "skill graph, the explorer page",
    ),
    "graph.page.views": Requirement(
        "The page shows the graph as map and as list.",
        "skill graph, the explorer page",
    ),
    "graph.page.moc-index": Requirement(
        "The page has a MOC index with child counts.",
        "skill graph, the explorer page",
    ),
    "graph.page.filters": Requirement(
        "The page filters by domain, type and edge type and finds as one types.",
        "skill graph, the explorer page",
    ),
    "graph.page.colour-and-shape": Requirement(
        "Types have colour and shape, edge types a line style, with a legend.",
        "skill graph, the explorer page",
    ),
    "graph.page.drawer": Requirement(
        "The drawer fetches each disclosure level when its tab is opened.",
        "skill graph, the explorer page",
    ),
    "graph.page.ask-panel": Requirement(
        "The ask panel runs context or traverse and shows tokens per node, coverage, score and reason.",
        "skill graph, the explorer page",
    ),
    "graph.page.health": Requirement(
        "The page shows the score as arithmetic and findings with file, line and suggestion.",
        "skill graph, the explorer page",
    ),
    "graph.page.changes": Requirement(
        "The page shows the changes since the last revision.",
        "skill graph, the explorer page",
    ),
    "graph.page.state-in-address": Requirement(
        "The page keeps its state in the address.",
        "skill graph, the explorer page",
    ),
    "graph.page.accessible": Requirement(
        "The page works by keyboard, screen reader, dark and light, reduced motion and phone width.",
        "skill graph, the explorer page",
    ),
    "graph.page.same-origin": Requirement(
        "No request of the page leaves the origin.",
        "skill graph, the explorer page",
    ),
    "graph.page.text-is-text": Requirement(
        "Note text is shown only as text or sanitised.",
        "skill graph, the explorer page",
    ),
    "graph.page.content-security-policy": Requirement(
        "The page's policy allows scripts from 'self' alone, without unsafe-inline.",
        "skill graph, the explorer page",
    ),
    # house.commands
    "house.commands.make-serve": Requirement(
        "`make serve` on a bare checkout installs, builds the page, loads the demo and serves port 8000.",
        "interfaces, commands",
    ),
    "house.commands.make-test": Requirement(
        "`make test` on a bare checkout installs what tests need, or says what is missing, and runs all.",
        "interfaces, commands",
    ),
    "house.commands.make-install": Requirement(
        "`make install` makes `.venv` with lore and ask and builds the page; a second run is quick.",
        "interfaces, commands",
        gap="the command `ask` comes with contract 002; until then .venv/bin holds lore alone",
    ),
    "house.commands.make-bench": Requirement(
        "`make bench` runs the benchmarks as ratios against peers in the same run.",
        "interfaces, commands",
    ),
    "house.commands.serve-ready": Requirement(
        "`lore serve` is ready when GET /api/health answers 200.",
        "interfaces, commands",
    ),
    "house.commands.serve-one-port": Requirement(
        "`lore serve` offers HTTP, MCP and page in one process on one port.",
        "interfaces, commands",
    ),
    "house.commands.serve-options": Requirement(
        "`lore serve` takes --host, --port, --data and --demo.",
        "interfaces, commands",
    ),
    "house.commands.mcp-stdio-clean": Requirement(
        "`lore mcp` writes nothing but protocol to stdout.",
        "interfaces, commands",
    ),
    "house.commands.mcp-toolsets": Requirement(
        "`lore mcp` takes --toolsets and offers only those.",
        "interfaces, commands",
    ),
    "house.commands.ingest-options": Requirement(
        "`lore ingest` takes a folder, a ZIP or a GitHub address with --name, --branch and --subdirectory.",
        "interfaces, commands",
    ),
    "house.commands.watch": Requirement(
        "`lore watch` ingests a folder and re-ingests what changes.",
        "interfaces, commands",
    ),
    "house.commands.token": Requirement(
        "`lore token` creates, lists and revokes access tokens.",
        "interfaces, commands",
    ),
    "house.commands.doctor": Requirement(
        "`lore doctor` checks the installation.",
        "interfaces, commands",
    ),
    # house.settings
    "house.settings.later-wins": Requirement(
        "Settings come from environment, lore.toml and flags, and the later wins.",
        "interfaces, settings",
    ),
    "house.settings.defaults": Requirement(
        "Every setting has the documented default.",
        "interfaces, settings",
    ),
    "house.settings.data-dir": Requirement(
        "LORE_DATA_DIR holds everything the product keeps and --data overrides it.",
        "interfaces, settings",
    ),
    "house.settings.database-url": Requirement(
        "LORE_DATABASE_URL picks SQLite or PostgreSQL with the same behaviour.",
        "interfaces, settings",
    ),
    "house.settings.limits": Requirement(
        "The ingest limits are settings.",
        "interfaces, settings",
    ),
    "house.settings.ingests-per-hour-zero": Requirement(
        "LORE_INGESTS_PER_HOUR of 0 means no limit.",
        "interfaces, settings",
    ),
    "house.settings.github-archive-url": Requirement(
        "LORE_GITHUB_ARCHIVE_URL is a template with owner, repo and ref.",
        "interfaces, settings",
    ),
    "house.settings.one-reader": Requirement(
        "Only one module reads the environment.",
        "interfaces, settings",
    ),
    "house.settings.clock-file": Requirement(
        "LORE_CLOCK_FILE's text is the time that every deadline obeys.",
        "interfaces, settings",
    ),
    "house.settings.failpoint": Requirement(
        "LORE_FAILPOINT kills the process at a named point.",
        "interfaces, settings",
    ),
    # house.http
    "house.http.health": Requirement(
        "GET /api/health answers 200 and adds version, database and embedder.",
        "interfaces, HTTP",
    ),
    "house.http.no-store": Requirement(
        "Answers other than a revision's reads carry Cache-Control no-store.",
        "interfaces, HTTP",
    ),
    "house.http.cors-off": Requirement(
        "Cross-origin calls are off unless configured.",
        "interfaces, HTTP",
    ),
    "house.http.bad-input-changes-nothing": Requirement(
        "Bad input never changes state.",
        "interfaces, HTTP",
    ),
    "house.http.additive-only": Requirement(
        "Fields of the contract keep name, type and case; others are added only.",
        "interfaces, HTTP",
    ),
    "house.http.graph-and-revision": Requirement(
        "Every answer about a graph carries graphId and revision.",
        "skill graph, doors",
    ),
    "house.http.etag": Requirement(
        "Reads of a graph carry an ETag and answer 304.",
        "skill graph, doors",
    ),
    "house.http.compressed": Requirement(
        "Answers above 4 kB are sent as gzip to a client that takes it, with Vary and a tag that still answers 304.",
        "the house itself, beyond the written interfaces",
    ),
    "house.http.broken-off-is-no-fault": Requirement(
        "A client that hangs up in the middle of a body is not logged as a fault of the server.",
        "the house itself, beyond the written interfaces",
    ),
    "house.http.nosniff": Requirement(
        "Every API answer carries nosniff.",
        "skill graph, doors",
    ),
    "house.http.graph-id-required": Requirement(
        "graphId is required over HTTP.",
        "skill graph, doors",
    ),
    "house.http.optional-queries": Requirement(
        "Scan's query may be empty, context's must not be blank, traverse's is optional like startNode.",
        "skill graph, doors",
    ),
    "house.http.ranges": Requirement(
        "limit, maxDepth, maxNodes, tokenBudget and level have defaults and are 400 outside their range.",
        "skill graph, doors",
    ),
    "house.http.strict-integers": Requirement(
        'Numbers are integers only: true, "5", 1.5 and 1e309 are refused with 400.',
        "skill graph, doors",
    ),
    "house.http.unknown-fields": Requirement(
        "Unknown fields are refused by name.",
        "skill graph, doors",
    ),
    "house.http.body-is-object": Requirement(
        "A body that is no JSON object is refused with 400.",
        "skill graph, doors",
    ),
    "house.http.list-graphs": Requirement(
        "GET graphs lists every graph by id with kind, revision, counts, score, hash and ingestedAt.",
        "skill graph, doors",
    ),
    "house.http.delete-graph": Requirement(
        "DELETE of a graph answers its id and deleted true.",
        "skill graph, doors",
    ),
    "house.http.node": Requirement(
        "GET node answers one node at a level from 0 to 4, 1 by default.",
        "skill graph, doors",
    ),
    "house.http.json-traps": Requirement(
        "NaN, Infinity, deep nesting and lone surrogates in a body are refused with 400.",
        "skill graph, Python traps",
    ),
    # house.errors
    "house.errors.one-shape": Requirement(
        "Every failure is `error` in one sentence, `code` and facts, with the right status.",
        "interfaces, HTTP",
    ),
    "house.errors.no-framework-shape": Requirement(
        "No failure is a stack trace, HTML or a framework's own shape.",
        "interfaces, HTTP",
    ),
    "house.errors.method-not-allowed": Requirement(
        "A wrong method is answered 405 with Allow.",
        "interfaces, HTTP",
    ),
    "house.errors.unsupported-media": Requirement(
        "A wrong content type is answered 415.",
        "interfaces, HTTP",
    ),
    "house.errors.names-field": Requirement(
        "A refusal says which field and why.",
        "interfaces, HTTP",
    ),
    "house.errors.unavailable": Requirement(
        "A needed part that is away is answered 503.",
        "interfaces, HTTP",
    ),
    # house.mcp
    "house.mcp.graph-tools": Requirement(
        "The graph toolset has the eight tools from scan to ingest_folder.",
        "interfaces, MCP",
    ),
    "house.mcp.failures-are-results": Requirement(
        "A failing tool answers isError with the sentence as text and the error shape as structured content.",
        "interfaces, MCP",
    ),
    "house.mcp.every-message-is-answered": Requirement(
        "A message that cannot be read is answered with a JSON-RPC error, under its id where it has one.",
        "the house itself, beyond the written interfaces",
    ),
    "house.mcp.output-schemas": Requirement(
        "Every tool has an output schema.",
        "interfaces, MCP",
    ),
    "house.mcp.annotations": Requirement(
        "Every tool is annotated honestly as read-only, destructive or idempotent.",
        "interfaces, MCP",
    ),
    "house.mcp.unknown-arguments": Requirement(
        "Unknown arguments are refused by name.",
        "interfaces, MCP",
    ),
    "house.mcp.skills-as-resources": Requirement(
        "Bundled skills are offered as resources and prompts.",
        "interfaces, MCP",
    ),
    "house.mcp.skill-files-name-real-tools": Requirement(
        "Every tool and parameter named in a SKILL.md exists on the server.",
        "interfaces, MCP",
    ),
    "house.mcp.both-transports": Requirement(
        "The tools behave alike over stdio and streamable HTTP.",
        "interfaces, MCP",
    ),
    "house.mcp.argument-names": Requirement(
        "MCP arguments have the contract's names.",
        "skill graph, doors",
    ),
    "house.mcp.conformance": Requirement(
        "The public conformance runner passes every scenario that needs no fixture tools of its own.",
        "goals, must show",
    ),
    # house.access
    "house.access.loopback-open": Requirement(
        "On loopback the server is open, with Host and Origin checked.",
        "interfaces, settings",
    ),
    "house.access.tokens-beyond-loopback": Requirement(
        "Bound to another address the server demands bearer tokens.",
        "interfaces, settings",
    ),
    "house.access.modes": Requirement(
        "LORE_AUTH may be auto, required or off.",
        "interfaces, settings",
    ),
    "house.access.cors-origins": Requirement(
        "LORE_CORS_ORIGINS names the origins allowed to call from another site.",
        "interfaces, settings",
    ),
    "house.access.unauthorised": Requirement(
        "A missing or wrong token is answered 401 or 403 in the one error shape.",
        "interfaces, HTTP",
    ),
    "house.access.one-library": Requirement(
        "A data folder is one library: graphs are not private per user.",
        "skill graph, doors",
    ),
    "house.access.no-proxy-headers": Requirement(
        "The server never believes X-Forwarded-For.",
        "skill graph, Python traps",
    ),
    # house.cli
    "house.cli.exit-codes": Requirement(
        "Exit codes are 0 done, 1 failed and 2 wrong usage.",
        "interfaces, commands",
    ),
    "house.cli.stdout-is-data": Requirement(
        "Data goes to stdout, everything else to stderr.",
        "interfaces, commands",
    ),
    "house.cli.json-automatic": Requirement(
        "Every graph command has --json, which is automatic when stdout is no terminal.",
        "interfaces, commands",
    ),
    "house.cli.prints-http-answer": Requirement(
        "A command prints what HTTP answers.",
        "interfaces, commands",
    ),
    "house.cli.progress": Requirement(
        "Ingest shows a progress bar on a terminal.",
        "interfaces, commands",
    ),
    "house.cli.default-graph": Requirement(
        "Commands take --graph, by default the graph ingested last; delete has no default.",
        "skill graph, doors",
    ),
    "house.cli.command-options": Requirement(
        "The graph commands take the arguments and options of the table of doors.",
        "skill graph, doors",
    ),
    "house.cli.same-json": Requirement(
        "A known graph gives the same JSON through HTTP, MCP and CLI.",
        "skill graph, doors",
    ),
    # house.storage
    "house.storage.both-databases": Requirement(
        "SQLite and PostgreSQL behave alike.",
        "interfaces, what every part must show",
    ),
    "house.storage.kill-nine": Requirement(
        "A killed process loses nothing that was acknowledged.",
        "interfaces, what every part must show",
    ),
    "house.storage.equal-output": Requirement(
        "Equal input gives equal output.",
        "interfaces, what every part must show",
    ),
    "house.storage.no-key-no-network": Requirement(
        "Everything works with no key and no network.",
        "interfaces, what every part must show",
    ),
    "house.storage.append-only-migrations": Requirement(
        "Migrations are an append-only numbered list.",
        "architecture, seams",
    ),
    "house.storage.imports-go-down": Requirement(
        "Every import goes down the storeys.",
        "architecture, seams",
    ),
    "house.storage.second-process": Requirement(
        "A second process reads and writes one SQLite file without failing.",
        "skill graph, Python traps",
    ),
    # house.embedding
    "house.embedding.static-default": Requirement(
        "The default embedder ships its weights and needs no download.",
        "goals, build",
    ),
    "house.embedding.identity": Requirement(
        "An embedder has an identity key and its dimensions.",
        "goals, build",
    ),
    "house.embedding.none": Requirement(
        "The embedder `none` leaves every read working by words alone.",
        "goals, build",
    ),
    "house.embedding.openai": Requirement(
        "The embedder `openai:…` asks a service of that wire format.",
        "goals, build",
    ),
    # asking: documents
    "ask.documents.frontmatter": Requirement(
        "Of the header `title` (else the first H1), `group` and `description` are used.",
        "asking, documents",
    ),
    "ask.documents.clean-text": Requirement(
        "Markup, HTML comments and scripts reach neither text nor facts; code stays.",
        "asking, sections and anchors",
    ),
    "ask.documents.links": Requirement(
        "Markdown links and wikilinks are collected with the section they stand in.",
        "asking, the rest of a node",
    ),
    "ask.documents.linear": Requirement(
        "A document of hostile openers is read in time linear in its length.",
        "asking, targets",
    ),
    "ask.sections.commonmark": Requirement(
        "Headings are those of CommonMark, ATX and setext; none inside fences, HTML or indented code, no thematic "
        "break; `## C#` keeps its `#`.",
        "asking, sections and anchors",
    ),
    "ask.sections.boundaries": Requirement(
        "Top-level H2 to the heading depth and an H1 that is not the first heading start a section; every heading, "
        "also in quotes and lists, takes a slug; deeper ones belong to the section above.",
        "asking, sections and anchors",
    ),
    "ask.sections.page-level": Requirement(
        "What stands before the first boundary is the page-level section, if there is a description or text besides "
        "the H1; an empty page gives none.",
        "asking, sections and anchors",
    ),
    "ask.sections.empty-heading": Requirement(
        "A heading without text starts nothing and takes no slug; a heading without body is a section.",
        "asking, sections and anchors",
    ),
    "ask.sections.plain-heading": Requirement(
        "A heading is plain text: entities decoded, labels of links, emphasis removed, code spans in full.",
        "asking, sections and anchors",
    ),
    "ask.sections.offsets": Requirement(
        "Offsets count UTF-8 bytes of the source; sections follow one another without gap or overlap.",
        "asking, documents",
    ),
    "ask.anchors.github": Requirement(
        "The scheme `github` gives github-slugger's anchors, duplicates counted on the original slug.",
        "asking, sections and anchors",
    ),
    "ask.anchors.astro": Requirement(
        "The scheme `astro` cuts one trailing hyphen of the finished slug.",
        "asking, sections and anchors",
    ),
    "ask.anchors.mkdocs": Requirement(
        "The scheme `mkdocs` gives Python-Markdown's anchors, duplicates `_1`, `_2`.",
        "asking, sections and anchors",
    ),
    "ask.anchors.explicit": Requirement(
        "A trailing `{#id}` or `{: #id}` wins in every scheme, is cut from the heading and counts as taken.",
        "asking, sections and anchors",
    ),
    "ask.anchors.committed-table": Requirement(
        "The Unicode table behind anchors is committed and does not follow the running Python.",
        "asking, sections and anchors",
    ),
    "ask.mdx.statements": Requirement(
        "Top-level import and export statements of MDX are no text; prose that begins with the word is.",
        "asking, sections and anchors",
    ),
    "ask.mdx.components": Requirement(
        "Tags with their attributes, expressions and comments of MDX reach neither facts nor text.",
        "asking, sections and anchors",
    ),
    "ask.mdx.markdown-inside": Requirement(
        "Markdown inside components, indented or not, is read as usual, and so are its fences.",
        "asking, sections and anchors",
    ),
    "ask.mdx.braces-in-md": Requirement(
        "In `.md`, braces are text.",
        "asking, sections and anchors",
    ),
    "ask.mdx.tolerance": Requirement(
        "A file that is no valid MDX is still read.",
        "asking, sections and anchors",
    ),
    "ask.facts.verbatim": Requirement(
        "A fact's literal is the source between its start and end, in bytes.",
        "asking, facts",
    ),
    "ask.facts.line-ends": Requirement(
        "CRLF or LF gives equal facts.",
        "asking, facts",
    ),
    "ask.facts.flags": Requirement(
        "Flags: a code span that begins with one, whole; each one in prose, in other code spans, in shell fences.",
        "asking, facts",
    ),
    "ask.facts.keys": Requirement(
        "Keys: environment names anywhere, code in the first column of a table of options, dotted settings in code.",
        "asking, facts",
    ),
    "ask.facts.defaults": Requirement(
        "Defaults: cells of a column headed Default, and the code span or word after the phrases of a default.",
        "asking, facts",
    ),
    "ask.facts.values": Requirement(
        "Values: versions, numbers with a unit, identifiers with digits, URLs; never an abbreviation.",
        "asking, facts",
    ),
    "ask.facts.code": Requirement(
        "Code: bodies of fenced and indented blocks wherever they stand, other inline code; never the prose between.",
        "asking, facts",
    ),
    "ask.facts.once": Requirement(
        "A literal appears once per section under the first kind it earns; number and length have no limit.",
        "asking, facts",
    ),
    "ask.glossary.initials": Requirement(
        "`Write Ahead Log (WAL)` with agreeing initials gives term, alias and the sentence.",
        "asking, the rest of a node",
    ),
    "ask.glossary.definition-lists": Requirement(
        "A definition list gives term and text; `Term (Other, OT)` gives aliases.",
        "asking, the rest of a node",
    ),
    "ask.glossary.bold": Requirement(
        "Bold words that open a paragraph or item, then a colon, dash, `is` or `are`, give a term.",
        "asking, the rest of a node",
    ),
    "ask.glossary.headings": Requirement(
        "A section whose first sentence says that its heading is something gives the heading as a term.",
        "asking, the rest of a node",
    ),
    "ask.glossary.page": Requirement(
        "Each heading of a page called `glossary` is a term, its first sentence the definition.",
        "asking, the rest of a node",
    ),
    "ask.glossary.filler": Requirement(
        "Pronouns and filler never make a term.",
        "asking, the rest of a node",
    ),
    "ask.pages.anchors": Requirement(
        "Each section's anchor is an `id` in the rendered page, for every scheme.",
        "asking, pages",
    ),
    "ask.pages.clean": Requirement(
        "Raw HTML is sanitised; `javascript:` and event handlers are gone.",
        "asking, pages",
    ),
    "ask.pages.links": Requirement(
        "Links between documents lead to their rendered pages.",
        "asking, pages",
    ),
    # asking: addresses, digest, builds
    "ask.digest.slugs": Requirement(
        "A slug is the path without extension and trailing `/index`; of two files with one slug the first "
        "path in byte order keeps it, the other gets its full path, if still taken with extension.",
        "asking, documents",
    ),
    "ask.digest.page-urls": Requirement(
        "A page's URL is the base path and the slug; the root index is the base path without its last slash.",
        "asking, documents",
    ),
    "ask.digest.groups": Requirement(
        "A page's group is its header's, else the first folder of its slug, else null.",
        "asking, documents",
    ),
    "ask.digest.summary-excerpt": Requirement(
        "A summary is distilled, else an excerpt of at most 220 characters cut at a word; a description opens it.",
        "asking, the rest of a node",
    ),
    "ask.digest.terms": Requirement(
        "A section has up to 40 telling words.",
        "asking, the rest of a node",
    ),
    "ask.digest.mode": Requirement(
        "A section is `source-primary` when group or path has the word `api` or `reference`.",
        "asking, the rest of a node",
    ),
    "ask.digest.node-fields": Requirement(
        "A node of the digest is the contract's with `hash` and `distilled`; its source is the section itself.",
        "asking, the rest of a node",
    ),
    "ask.glossary.merging": Requirement(
        "Equal terms merge with the first definition and all aliases, sorted by case-folded term; a term that "
        "is an alias elsewhere stays an entry.",
        "asking, the rest of a node",
    ),
    "ask.glossary.given-replaces": Requirement(
        "A glossary somebody gave goes before the derived one; equal terms replace.",
        "asking, builds",
    ),
    "ask.overview.map": Requirement(
        "The overview lists every id exactly once, by sorted group, in id order.",
        "asking, the rest of a node",
    ),
    "ask.overview.context": Requirement(
        "Without a key the context is a short paragraph of what the corpus is, its groups and its most linked pages.",
        "asking, the rest of a node",
    ),
    "ask.overview.suggestions": Requirement(
        "Without a key 3 to 5 questions come from headings; one is offered only if searching it finds its own section.",
        "asking, the rest of a node",
    ),
    "ask.edges.child-and-next": Requirement(
        "Edges say which section lies below and which follows another.",
        "asking, the rest of a node",
    ),
    "ask.edges.links": Requirement(
        "A Markdown link or wikilink is an edge to the section it resolves to.",
        "asking, the rest of a node",
    ),
    "ask.edges.defines": Requirement(
        "A section that defines a term has an edge to `glossary:term`.",
        "asking, the rest of a node",
    ),
    "ask.digest.file-format": Requirement(
        "The digest is one JSON file with its fields, sorted keys, two spaces, UTF-8 and a final newline.",
        "asking, digest file",
    ),
    "ask.digest.equal-bytes": Requirement(
        "The digest holds no time and no folder name: equal files give equal bytes.",
        "asking, digest file",
    ),
    "ask.digest.folder-build": Requirement(
        "A folder is built without a store, by default into `.ask/digest.json` below it, never through a link.",
        "asking, builds",
    ),
    "ask.digest.graph-build": Requirement(
        "An ingested graph is built into the store, and a running server shows it at the next request.",
        "asking, builds",
    ),
    "ask.digest.build-report": Requirement(
        "A build answers status, path, sections, distilled and contentHash; `distilled` counts what was sent.",
        "asking, builds",
    ),
    "ask.digest.key-free": Requirement(
        "Ingestion never calls a model and makes the key-free digest at once; a key-free build asks nobody.",
        "asking, builds",
    ),
    "ask.digest.refresh": Requirement(
        "A refresh distils everything anew.",
        "asking, builds",
    ),
    "ask.digest.corpus": Requirement(
        "The corpus holds id, url, title, text and hash of the sections still to be distilled, and nothing is built.",
        "asking, builds",
    ),
    "ask.digest.assemble": Requirement(
        "Context, glossary, summaries and suggestions are taken from anyone, all optional; what is given "
        "replaces what was.",
        "asking, builds",
    ),
    "ask.digest.hashes": Requirement(
        "A section's hash covers extractor, settings, id, title, group, heading and raw text; the content "
        "hash all ids and hashes.",
        "asking, builds",
    ),
    "ask.digest.one-shot": Requirement(
        "All that is missing goes to the model in one request, several above some 200 kB of text.",
        "asking, builds",
    ),
    "ask.digest.incremental": Requirement(
        "Only sections without a summary of equal hash are sent; context and suggestions stay, new terms are "
        "added; nothing changed is skipped without a call.",
        "asking, builds",
    ),
    "ask.digest.incremental-equals-fresh": Requirement(
        "A build after edits gives the bytes that a fresh build gives.",
        "asking, builds",
    ),
    "ask.digest.deleted-section": Requirement(
        "A deleted section leaves nothing behind.",
        "asking, builds",
    ),
    "ask.digest.refused-ids": Requirement(
        "Unknown and doubled ids are refused one by one and named; missing summaries become excerpts.",
        "asking, builds",
    ),
    "ask.digest.written-is-inert": Requirement(
        "Links and HTML are removed from texts that somebody wrote.",
        "asking, builds",
    ),
    "ask.digest.derived-stays-derived": Requirement(
        "Ids, urls, facts and overview are always derived; suggestions are capped at five.",
        "asking, builds",
    ),
    "ask.digest.failing-model": Requirement(
        "A truncated or failing reply, or a model without its key, leaves the old file as it is.",
        "asking, builds",
    ),
    "ask.digest.write-then-rename": Requirement(
        "A digest is written, then renamed: a killed build leaves the old file to the byte.",
        "asking, builds",
    ),
    "ask.digest.travels": Requirement(
        "A committed digest supplies summaries of equal hash, context, glossary and suggestions; all else in "
        "it is ignored.",
        "asking, builds",
    ),
    "ask.digest.unreadable-digest": Requirement(
        "A corrupt or older digest is ignored with a warning; no ingestion fails on it.",
        "asking, builds",
    ),
    "ask.digest.llms": Requirement(
        "`llms.txt` has a heading, a quote and link lists by group; `llms-full.txt` holds every source.",
        "asking, pages",
    ),
    "ask.digest.speed": Requirement(
        "A key-free build of 25,000 sections takes under a minute, after the edit of one page under a fifth of that.",
        "asking, targets",
    ),
    "ask.tree.layout": Requirement(
        "The tree has `_meta.md`, a file per term and per section, `llms.txt` and the documents below `_source/`.",
        "asking, digest tree",
    ),
    "ask.tree.names": Requirement(
        "Names are percent-encoded where a file system would object or fold.",
        "asking, digest tree",
    ),
    "ask.tree.stale-files": Requirement(
        "Files of ours that no longer belong to the tree are removed; other files are never touched.",
        "asking, digest tree",
    ),
    "ask.tree.confined": Requirement(
        "Nothing is written or removed outside the tree or through a link.",
        "asking, digest tree",
    ),
    "ask.tree.lossless": Requirement(
        "The tree reads back to the same digest.",
        "asking, digest tree",
    ),
    "ask.verify.kinds": Requirement(
        "Verify tells stale, missing and orphaned sections and facts that are not in their section.",
        "asking, verify",
    ),
    "ask.verify.links": Requirement(
        "Broken links are reported and are no failure.",
        "asking, verify",
    ),
    "ask.verify.site": Requirement(
        "An anchor must be an `id` in the built HTML of the site, else in our own rendering.",
        "asking, verify",
    ),
    # asking: keyword search
    "ask.search.bm25f": Requirement(
        "Search is BM25F over heading (heaviest), page title, glossary terms, fact literals, text and "
        "summary; a page's own topic word in a heading beats many mentions elsewhere.",
        "asking, keyword search",
    ),
    "ask.search.words": Requirement(
        "Words are NFKC, case and accents folded, lightly stemmed; identifiers are kept whole and in parts, "
        "`c++`, `c#`, `.net` are words, CJK gives bigrams and single characters.",
        "asking, keyword search",
    ),
    "ask.search.identifiers-first": Requirement(
        "A section holding exactly the identifier typed comes first.",
        "asking, keyword search",
    ),
    "ask.search.typos": Requirement(
        "Only unknown words that are no identifiers are corrected: one edit from 4 letters, two from 8, at a "
        "lower weight than an exact hit.",
        "asking, keyword search",
    ),
    "ask.search.prefix": Requirement(
        "The last word is also searched as a prefix from 2 letters on, unless a blank follows.",
        "asking, keyword search",
    ),
    "ask.search.stop-words": Requirement(
        "Stop words weigh nothing unless they are all there is.",
        "asking, keyword search",
    ),
    "ask.search.glossary": Requirement(
        "A query holding all words of a term or alias also searches the other names, at a lower weight.",
        "asking, keyword search",
    ),
    "ask.search.hybrid": Requirement(
        "Lexical score over the best hit is blended with the centred cosine of the best piece; not for a "
        "query that is one identifier or flag.",
        "asking, keyword search",
    ),
    "ask.search.unknown-words": Requirement(
        "A semantic-only hit needs a similarity floor; a query of unknown words returns an empty list.",
        "asking, keyword search",
    ),
    "ask.search.results": Requirement(
        "6 results (limit 1 to 50), at most 2 per page while other pages have hits, the rest refilled; ties "
        "by id; the same order in every process.",
        "asking, keyword search",
    ),
    "ask.search.snippet": Requirement(
        "A snippet is plain text of the section around the best match, at most 240 characters, with "
        "highlights in code points.",
        "asking, keyword search",
    ),
    "ask.search.stored-index": Requirement(
        "An index is stored as bytes and read back without being built anew.",
        "asking, keyword search",
    ),
    "ask.search.speed": Requirement(
        "Keyword search in 25,000 sections answers within a few milliseconds.",
        "asking, keyword search",
    ),
    # ask.http
    "ask.http.contract": Requirement(
        "The running server holds against the contract's own OpenAPI document, with and without a model.",
        "contract 002",
    ),
    "ask.http.reads": Requirement(
        "Glossary, sections, one section and overview are read without a key, in the contract's shapes.",
        "contract 002",
    ),
    "ask.http.mode-omitted": Requirement("Without `mode` the answer is keyword JSON.", "asking, HTTP"),
    "ask.http.keyword-shape": Requirement(
        "Keyword results leave out what is not there; sections write null. They carry id, score and highlights.",
        "asking, HTTP",
    ),
    "ask.http.bad-bodies": Requirement(
        "A body that is no JSON object, or a query that is missing, no text, too long or no text at all, is 400 by "
        "field; over 64 KiB 413; an unknown mode is 400 naming both values.",
        "asking, HTTP",
    ),
    "ask.http.blank-query": Requirement("A blank query is 200 with no results and an empty query.", "asking, HTTP"),
    "ask.http.echo": Requirement("The query is echoed as received.", "asking, HTTP"),
    "ask.http.no-model": Requirement(
        "Agentic mode without a model answers keyword JSON with a warning.", "contract 002"
    ),
    "ask.http.greedy-path": Requirement("Ids and terms may hold slashes, encoded or not.", "asking, HTTP"),
    "ask.http.decoded-once": Requirement("Ids and terms are percent-decoded once.", "asking, HTTP"),
    "ask.http.glossary-term": Requirement(
        "A term is found in NFC, trimmed and in any case, by name before alias; no term is the list.", "asking, HTTP"
    ),
    "ask.http.group": Requirement(
        "A group is compared trimmed, in any case and whole; unknown gives none, empty gives all.", "asking, HTTP"
    ),
    "ask.http.trailing-slash": Requirement("A trailing slash gives the same answer.", "asking, HTTP"),
    "ask.http.refusals": Requirement(
        "A wrong method is 405 with Allow, an unknown address or graph 404, always in the error shape.", "asking, HTTP"
    ),
    "ask.http.no-graph": Requirement("Without any graph reads are empty and search is 200.", "asking, HTTP"),
    "ask.http.setting-names-no-graph": Requirement(
        "Where LORE_ASK_GRAPH names no graph, reads are empty and POST is 500 index_unavailable, until it is ingested.",
        "asking, HTTP",
    ),
    "ask.http.etag": Requirement("Reads carry an ETag that changes with the body, and answer 304.", "asking, HTTP"),
    "ask.http.docs-pages": Requirement(
        "Every document is a page below /docs, for any graph, with a strict policy.", "asking, pages"
    ),
    "ask.http.llms": Requirement("/llms.txt and /llms-full.txt list the documents.", "asking, pages"),
    "ask.http.sse": Requirement("An agentic answer is a stream of server-sent events with JSON data.", "contract 002"),
    "ask.search.follows-ingest": Requirement(
        "The index follows a re-ingest without a restart.", "asking, keyword search"
    ),
    "ask.feedback.kept": Requirement(
        "`done` carries an answerId; feedback takes it and refuses an unknown one with 404.", "asking, beyond"
    ),
    "ask.gaps.counted": Requirement(
        "Questions that found nothing, were not covered or got an unhelpful answer are counted.", "asking, beyond"
    ),
    "ask.gaps.most-frequent-first": Requirement("Gaps are listed most frequent first.", "asking, beyond"),
    "ask.gaps.can-be-off": Requirement("LORE_ASK_LOG=off keeps no such list.", "asking, beyond"),
    # ask.faces
    "ask.faces.same-answer": Requirement(
        "HTTP, the command line and MCP give the same answer and the same refusal.", "asking, one library"
    ),
    "ask.cli.http-body": Requirement("`ask` prints the HTTP body where stdout is no terminal.", "asking, ask and MCP"),
    "ask.cli.failure": Requirement(
        "A failure is `ask: sentence` on stderr, an empty stdout and exit code 1.", "asking, ask and MCP"
    ),
    "ask.cli.flags-anywhere": Requirement(
        "Flags stand anywhere, `--` ends them, words after the verb are joined.", "asking, ask and MCP"
    ),
    "ask.cli.digest-source": Requirement("`--digest FILE` reads a digest file.", "asking, ask and MCP"),
    "ask.mcp.http-body": Requirement("A tool's structured content is the HTTP body.", "asking, ask and MCP"),
    "ask.mcp.toolset": Requirement("The toolset has seven tools, all read-only.", "interfaces, MCP"),
    "ask.mcp.sections-are-resources": Requirement("Sections are resources too.", "asking, ask and MCP"),
    "ask.mcp.answer": Requirement(
        "The tool `answer` gives the whole answer, or the keyword body with a warning.", "asking, ask and MCP"
    ),
    # house.docs
    "house.docs.committed-schemas": Requirement(
        "The committed schemas are generated from the code and up to date.",
        "architecture, the tree",
    ),
    "house.docs.guide": Requirement(
        "The part has a guide in docs and a page in the web face.",
        "interfaces, what every part must show",
    ),
    "house.docs.demo-corpus": Requirement(
        "The demo corpus is a healthy graph of about 24 notes.",
        "goals, build",
    ),
}
