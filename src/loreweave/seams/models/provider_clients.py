"""pydantic-ai's models over clients that take key and address from us alone and never retry by themselves."""

from __future__ import annotations

from typing import Any

import httpx2
from pydantic_ai.models import Model
from pydantic_ai.profiles.openai import OpenAIModelProfile


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


def client_class(kind: str) -> Any:
    """The provider's own client; importing it takes a second, on a busy machine many."""
    if kind == "anthropic":
        from anthropic import AsyncAnthropic

        return AsyncAnthropic
    from openai import AsyncOpenAI

    return AsyncOpenAI


async def list_models(client_class: Any, key: str, base_url: str) -> None:
    """Asks for the list of models, which nobody is billed for; a refusal is the client's own error."""
    async with httpx2.AsyncClient() as client:
        speaker = client_class(api_key=key, base_url=base_url, http_client=client, max_retries=0)
        await speaker.models.list(**({"limit": 1} if client_class.__name__ == "AsyncAnthropic" else {}))
