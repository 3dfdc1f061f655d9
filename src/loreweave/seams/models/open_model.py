"""Chooses the model by one string. Free of pydantic-ai: what is not chosen is not imported."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from loreweave.errors import InvalidInput
from loreweave.seams.models.language_model import LanguageModel, ModelFault, ModelLine

ANTHROPIC_URL = "https://api.anthropic.com"
OPENAI_URL = "https://api.openai.com/v1"
OLLAMA_URL = "http://127.0.0.1:11434/v1"


@dataclass(frozen=True, slots=True)
class ModelKeys:
    """Keys and addresses of the providers; none of it is ever printed."""

    anthropic_key: str = field(default="", repr=False)
    anthropic_url: str = field(default="", repr=False)
    openai_key: str = field(default="", repr=False)
    openai_url: str = field(default="", repr=False)
    ollama_url: str = field(default="", repr=False)


def open_model(spec: str, keys: ModelKeys | None = None) -> LanguageModel | None:
    """`none` (which gives None), `demo`, `anthropic:…`, `openai:…`, `ollama:…`; nothing is sent yet."""
    keys = keys or ModelKeys()
    if spec.strip() == "none":
        return None
    if spec.strip() == "demo":
        from loreweave.seams.models.demo_model import DemoModel

        return DemoModel()
    from loreweave.seams.models.provider_model import ProviderModel

    kind, model, key, base_url = provider_address(spec, keys)
    return ProviderModel(kind, model, key, base_url)


def provider_address(spec: str, keys: ModelKeys) -> tuple[str, str, str, str]:
    """The provider's name, its model's, our key and where it is asked."""
    kind, _, model = (part.strip() for part in spec.strip().partition(":"))
    if kind not in ("anthropic", "openai", "ollama") or not model:
        message = f"LORE_MODEL must be none, demo, anthropic:…, openai:… or ollama:…, not {spec[:80]!r}"
        raise InvalidInput(message, field="LORE_MODEL")
    if kind == "anthropic":
        return kind, model, _needed(keys.anthropic_key, "ANTHROPIC_API_KEY"), keys.anthropic_url or ANTHROPIC_URL
    if kind == "openai":
        # A server of one's own that speaks this wire format often needs no key.
        key = keys.openai_key.strip() or ("none" if keys.openai_url else "")
        return kind, model, _needed(key, "OPENAI_API_KEY"), keys.openai_url or OPENAI_URL
    return kind, model, "none", keys.ollama_url or OLLAMA_URL


def _needed(key: str, variable: str) -> str:
    if not key.strip():
        raise ModelFault("model_key_missing", f"The model needs {variable}, which is not set.", field=variable)
    return key.strip()


class SharedModel:
    """A model whose line is opened at its first use and stays open until `close`.

    Connections belong to an event loop, so all of it happens on one; work on any other loop gets a line of its own.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._stack = AsyncExitStack()
        self._opening: asyncio.Task[ModelLine] | None = None

    @property
    def name(self) -> str:
        return self._model.name

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[ModelLine]:
        opening = self._opening
        if opening is None or (opening.done() and (opening.cancelled() or opening.exception())):
            opening = self._opening = asyncio.create_task(self._stack.enter_async_context(self._model.opened()))
        if opening.get_loop() is not asyncio.get_running_loop():
            async with self._model.opened() as line:
                yield line
            return
        # Whoever came first may be cancelled while the others still wait for the line.
        yield await asyncio.shield(opening)

    async def close(self) -> None:
        """On the loop that used it."""
        opening, self._opening = self._opening, None
        if opening is not None:
            await asyncio.wait({opening})
        await self._stack.aclose()
