"""Models of the providers, through pydantic-ai; imported only when one is called."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from loreweave.seams.models.language_model import Listener, ModelCall, ModelFault, ModelReply

if TYPE_CHECKING:
    import ssl

    import httpx2
    from pydantic_ai.models import Model, StreamedResponse

CONNECT_SECONDS = 2.5  # a provider that cannot be reached is known before the three seconds of a fall-back
PAUSES = (0.25, 1.0, 2.0)  # seconds before a request is sent again, where the provider asks for no longer ones
LONGEST_PAUSE = 60.0


class ProviderModel:
    """A model of one provider. The key is sent and never shown."""

    def __init__(self, kind: str, model: str, key: str, base_url: str) -> None:
        self.name = f"{kind}:{model}"
        self._kind = kind
        self._model = model
        self._key = key
        self._base_url = base_url

    def __repr__(self) -> str:
        return f"ProviderModel({self.name!r})"

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[ProviderLine]:
        """One HTTP client for one piece of work: connections belong to the event loop that made them."""
        await asyncio.to_thread(_load)  # a second of imports must not stop everybody else
        async with provider_client() as client:
            given = (self._kind, self._model, self._key, self._base_url, client)
            model = await asyncio.to_thread(provider_model, *given)  # another second
            yield ProviderLine(model, self._key)


class ProviderLine:
    """Requests over one client."""

    def __init__(self, model: Model, key: str) -> None:
        self._model = model
        self._key = key

    async def ask(self, call: ModelCall, listener: Listener | None = None) -> ModelReply:
        """Sent again where that may help, as often as the call allows: the providers' own clients never do so."""

        async def ask_once() -> ModelReply:
            return await (self._ask_whole(call) if listener is None else self._ask_aloud(call, listener))

        for tried in range(call.retries):
            try:
                return await ask_once()
            except ModelFault as fault:
                if not fault.passing:
                    raise
                pause = max(PAUSES[min(tried, len(PAUSES) - 1)], fault.wait or 0.0)
            await asyncio.sleep(min(pause, LONGEST_PAUSE))
        return await ask_once()

    async def _ask_aloud(self, call: ModelCall, listener: Listener) -> ModelReply:
        listener.begin()
        async with self.stream(call) as answer:
            async for piece in answer.pieces():
                listener.hear(piece)
            return answer.reply

    async def _ask_whole(self, call: ModelCall) -> ModelReply:
        from loreweave.seams.models.provider_messages import (
            messages_of,
            named_faults,
            parameters_of,
            reply_of,
            settings_of,
        )

        with named_faults(self._key):
            async with _patience(call.timeout_seconds):
                response = await self._model.request(messages_of(call), settings_of(call), parameters_of(call))
            return reply_of(response, call)

    @asynccontextmanager
    async def stream(self, call: ModelCall) -> AsyncIterator[ProviderStream]:
        from loreweave.seams.models.provider_messages import messages_of, named_faults, parameters_of, settings_of

        async with AsyncExitStack() as stack:
            opening = self._model.request_stream(messages_of(call), settings_of(call), parameters_of(call))
            with named_faults(self._key):
                async with _patience(call.timeout_seconds):
                    response = await stack.enter_async_context(opening)
            yield ProviderStream(response, call, self._key)


class ProviderStream:
    """One streamed reply."""

    def __init__(self, response: StreamedResponse, call: ModelCall, key: str) -> None:
        from loreweave.seams.models.provider_messages import watch_for_stop

        self._response = response
        self._call = call
        self._key = key
        self._stopped = watch_for_stop(response)
        self._reply: ModelReply | None = None

    async def pieces(self) -> AsyncIterator[str]:
        from loreweave.seams.models.provider_messages import named_faults, reply_of, text_in

        events: Any = aiter(self._response)
        while True:
            with named_faults(self._key):
                async with _patience(self._call.timeout_seconds):
                    event = await anext(events, None)
            if event is None:
                break
            if text := text_in(event):
                yield text
        if not self._stopped():
            fault = ModelFault("model_interrupted")
            fault.passing = True  # the connection ended, not the answer
            raise fault
        self._reply = reply_of(self._response.get(), self._call)

    @property
    def reply(self) -> ModelReply:
        if self._reply is None:
            raise ModelFault("model_interrupted")
        return self._reply


def _load() -> None:
    import loreweave.seams.models.provider_messages  # noqa: F401


@asynccontextmanager
async def _patience(seconds: float) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise ModelFault("model_silent") from None


def provider_client() -> httpx2.AsyncClient:
    """It minds the proxies and certificates that the environment names."""
    import httpx2
    from pydantic_ai.models import get_user_agent

    timeout = transport_timeout(CONNECT_SECONDS)
    return httpx2.AsyncClient(timeout=timeout, headers={"User-Agent": get_user_agent()}, verify=_certificates())


@cache
def _certificates() -> ssl.SSLContext:
    """Read once: that takes 40 ms, as long as all else that a turn does beside its model."""
    import httpx2

    return httpx2.create_ssl_context()


def transport_timeout(connect_seconds: float) -> httpx2.Timeout:
    """Only connecting is timed here: how long a silence may last is the call's own business."""
    import httpx2

    return httpx2.Timeout(None, connect=connect_seconds)


def provider_model(kind: str, name: str, key: str, base_url: str, client: httpx2.AsyncClient) -> Model:
    """The model that speaks the wire format of its provider, over a client that takes key and address from us alone and
    never retries by itself."""
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
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.ollama import OllamaProvider
    from pydantic_ai.providers.openai import OpenAIProvider

    speaker = AsyncOpenAI(api_key=key, base_url=base_url, http_client=client, max_retries=0)
    provider: Any = (OllamaProvider if kind == "ollama" else OpenAIProvider)(openai_client=speaker)
    # Without this a stream that merely ends is taken for one that was finished.
    profile = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
    return OpenAIChatModel(name, provider=provider, profile=profile)
