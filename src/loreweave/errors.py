"""Every failure a caller can act on.

An error is one sentence, a stable code and facts about it. Which status or result it becomes is the faces' business.
"""

import traceback
from collections.abc import Mapping, Sequence
from typing import Any

FEWEST, MOST_NAMED = 4, 5  # characters of the beginning of an id; candidates that are named


class LoreError(Exception):
    """A refusal the caller can act on."""

    code = "failed"

    def __init__(self, message: str, *, code: str | None = None, **facts: Any) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.facts = facts

    def shape(self) -> dict[str, Any]:
        """The one shape in which every face shows an error."""
        return {"error": self.message, "code": self.code, **self.facts}


class InvalidInput(LoreError):
    """The request itself is malformed; `field` says where."""

    code = "invalid_input"


class BadArchive(LoreError):
    """An archive that cannot be trusted or read (`bad_archive`), or holds no file (`empty_archive`)."""

    code = "bad_archive"


class InvalidSkillFile(LoreError):
    """A file that cannot be read as a skill; facts `file` and `line`."""

    code = "invalid_skill_file"


class NoMarkdown(LoreError):
    """A source in which no usable markdown was found."""

    code = "no_markdown"


class TooLarge(LoreError):
    """Something exceeds a limit; facts `what` and `limit`."""

    code = "too_large"


class RateLimited(LoreError):
    """Too many tries; fact `retryAfter` in whole seconds."""

    code = "rate_limited"


class NotFound(LoreError):
    """What was asked for does not exist."""

    code = "not_found"


class Conflict(LoreError):
    """The state of things does not allow it now."""

    code = "conflict"


class AlreadyDeleted(Conflict):
    """A memory that is in the trash or went into a merge; facts node_id, state and the times."""

    code = "already_deleted"


class Expired(Conflict):
    """A window has ended: what it would have brought back is gone."""

    code = "expired"


class Unauthorized(LoreError):
    """Who is asking is not known."""

    code = "unauthorized"


class Forbidden(LoreError):
    """Who is asking may not do this."""

    code = "forbidden"


class Unavailable(LoreError):
    """A part that is needed is away just now."""

    code = "unavailable"


class Damaged(Unavailable):
    """The database cannot be read as what was written to it."""

    code = "damaged"

    def __init__(self, what: str) -> None:
        message = (
            f"The database is damaged: {what}. `lore doctor --deep` shows how far, `lore restore FILE --replace` "
            "brings back a backup."
        )
        super().__init__(message, part="database")


class IndexUnavailable(LoreError):
    """The documents to be asked are not there: a setting is wrong."""

    code = "index_unavailable"


def only_one(field: str, given: str, found: Sequence[tuple[str, str]], what: str) -> str:
    """The id, of ids with their names that begin as `given`, where there is one; else the refusal names them."""
    if len(found) == 1:
        return found[0][0]
    told = ", ".join(f"{each} ({name})" if name else each for each, name in found[:MOST_NAMED])
    more = ", …" if len(found) > MOST_NAMED else ""
    raise InvalidInput(
        f"{field} '{given}' is the beginning of several {what}: {told}{more}",
        code="invalid_argument",
        field=field,
        candidates=[each for each, _ in found[:MOST_NAMED]],
    )


def perhaps_meant(sentence: str, facts: Mapping[str, Any]) -> str:
    """The sentence, with the names that are like the one nobody knows, or else with those there are."""
    if nearest := facts.get("nearest"):
        return f"{sentence.rstrip('.')}. Did you mean {' or '.join(nearest)}?"
    if known := facts.get("known"):
        return f"{sentence.rstrip('.')}: there {'is' if len(known) == 1 else 'are'} {', '.join(known)}."
    return sentence


def trace_of(trouble: BaseException | None) -> str:
    """Where it was raised and of what kind it is, for a log: without its words, which may quote what is stored."""
    told: list[str] = []
    while trouble is not None:
        frames = traceback.format_list(traceback.extract_tb(trouble.__traceback__))
        told.append("".join([*frames, type(trouble).__name__]))
        trouble = trouble.__cause__ or (None if trouble.__suppress_context__ else trouble.__context__)
    return "\n, because of\n".join(told)
