"""What pydantic-ai raises, as faults of ours; the provider's own words go to the log, without any key."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic_ai import exceptions

from loreweave.seams.models.model_fault import ModelFault

_LOG = logging.getLogger("loreweave.models")
_KEY_LIKE = re.compile(r"\b(?:sk|key|Bearer)[-_ ][\w.*…-]{6,}", re.IGNORECASE)
_CODES: tuple[tuple[type[BaseException], str], ...] = (
    (exceptions.ModelAuthenticationError, "model_key_refused"),
    (exceptions.ModelQuotaExceededError, "model_key_refused"),
    (exceptions.ModelNotFoundError, "model_unknown"),
    (exceptions.ModelContextWindowExceededError, "model_too_long"),
    (exceptions.ModelRateLimitError, "model_overloaded"),
    (exceptions.ModelUnavailableError, "model_overloaded"),
    (exceptions.ModelRequestTimeout, "model_silent"),
    (exceptions.ModelTimeoutError, "model_unreachable"),
    (exceptions.ModelRequestRejectedError, "model_refused"),
    (exceptions.ModelServerError, "model_failed"),
)


@contextmanager
def named_faults(key: str) -> Iterator[None]:
    try:
        yield
    except ModelFault:
        raise
    except Exception as trouble:
        code = _code(trouble)
        _LOG.warning("model call failed (%s): %s", code, _without_keys(f"{type(trouble).__name__}: {trouble}", key))
        fault = ModelFault(code)
        fault.passing = _passes(trouble)
        raise fault from None


def _passes(trouble: Exception) -> bool:
    """Whether the provider asked to slow down, failed by itself, or the connection broke."""
    if isinstance(trouble, exceptions.ModelHTTPError):
        return trouble.status_code == 429 or trouble.status_code >= 500
    return isinstance(trouble, exceptions.ModelConnectionError)


def _code(trouble: Exception) -> str:
    if isinstance(trouble, exceptions.ModelConnectionError):
        # A connection that broke while the answer was being read is another thing than one never made.
        return "model_interrupted" if trouble.phase == "read" else "model_unreachable"
    for kind, code in _CODES:
        if isinstance(trouble, kind):
            return code
    ended_early = type(trouble) is exceptions.ModelAPIError and not trouble.in_stream
    if ended_early or isinstance(trouble, exceptions.UnexpectedModelBehavior):
        return "model_interrupted"
    return "model_failed"


def _without_keys(text: str, key: str) -> str:
    if key and key != "none":
        text = text.replace(key, "[key]")
    return _KEY_LIKE.sub("[key]", text)[:2_000]
