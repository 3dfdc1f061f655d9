"""What somebody wrote about a graph, as it is kept in the store."""

import json

from loreweave.entities.digest import Distilled, GlossaryTerm


def pack_distilled(distilled: Distilled, content_hash: str) -> bytes:
    """With the hash of the content it was built for: an equal build of equal content is no new one."""
    glossary = distilled.glossary
    return json.dumps(
        {
            "contentHash": content_hash,
            "context": distilled.context,
            "glossary": None if glossary is None else [[one.term, one.aliases, one.definition] for one in glossary],
            "suggestions": distilled.suggestions,
            "summaries": distilled.summaries,
        },
        ensure_ascii=False,
        sort_keys=True,
    ).encode()


def unpack_distilled(data: bytes) -> Distilled:
    found = json.loads(data)
    glossary, suggestions = found["glossary"], found["suggestions"]
    return Distilled(
        context=found["context"],
        glossary=None if glossary is None else tuple(_term(*entry) for entry in glossary),
        suggestions=None if suggestions is None else tuple(suggestions),
        summaries={section: (written_for, text) for section, (written_for, text) in found["summaries"].items()},
    )


def _term(term: str, aliases: list[str], definition: str) -> GlossaryTerm:
    return GlossaryTerm(term, tuple(aliases), definition, given=True)


def join_distilled(first: Distilled, second: Distilled) -> Distilled:
    """The first wherever it says something; summaries of both, the first's before the second's."""
    return Distilled(
        context=second.context if first.context is None else first.context,
        glossary=second.glossary if first.glossary is None else first.glossary,
        suggestions=second.suggestions if first.suggestions is None else first.suggestions,
        summaries={**second.summaries, **first.summaries},
    )
