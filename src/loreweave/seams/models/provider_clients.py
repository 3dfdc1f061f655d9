"""pydantic-ai's models over clients that take key and address from us alone and never retry by themselves, and what
their failures are called here."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
from pydantic_ai import exceptions
from pydantic_ai.models import Model
from pydantic_ai.profiles.openai import OpenAIModelProfile

from loreweave.seams.models.language_model import ModelFault


def transport_timeout(connect_seconds: float) -> httpx2.Timeout:
    """Only connecting is timed here: how long a silence may last is the call's own business."""
    return httpx2.Timeout(None, connect=connect_seconds)


def provider_model(kind: str, name: str, key: str, base_url: str, client: httpx2.AsyncClient) -> Model:
    """The model that speaks the wire format of its provider."""
    if kind == "anthropic":
        return _anthropic(name, key, base_url, client)
    return _openai(kind, name, key, base_url, client)


def _anthropic(name: str, key: str, base_url: str, client: httpx2.AsyncClient) -> Model:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    speaker = AsyncAnthropic(api_key=key, base_url=base_url, http_client=client, max_retries=0)
    return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=speaker))


def _openai(kind: str, name: str, key: str, base_url: str, client: httpx2.AsyncClient) -> Model:
    """Chat completions: the one format that OpenAI and every server like it speaks."""
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.ollama import OllamaProvider
    from pydantic_ai.providers.openai import OpenAIProvider

    speaker = AsyncOpenAI(api_key=key, base_url=base_url, http_client=client, max_retries=0)
    provider: Any = (OllamaProvider if kind == "ollama" else OpenAIProvider)(openai_client=speaker)
    # Without this a stream that merely ends is taken for one that was finished.
    profile = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
    return OpenAIChatModel(name, provider=provider, profile=profile)


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
