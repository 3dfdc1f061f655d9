"""How entries are scored: what a scorer gets, what comes out, and when to abstain."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol, runtime_checkable

from loreweave.routing.graph_problems import SkillGraphError


@dataclass(frozen=True, slots=True)
class EntryCandidate:
    """An entry to be scored: `text` is its description, `examples` are utterances that belong to it."""

    id: str
    text: str
    examples: tuple[str, ...] = ()


@runtime_checkable
class EntryScorer(Protocol):
    """One number a candidate, the higher the nearer; plain or async."""

    @property
    def name(self) -> str: ...
    def score(
        self, message: str, candidates: Sequence[EntryCandidate], /
    ) -> Sequence[float] | Awaitable[Sequence[float]]: ...


@runtime_checkable
class TextEmbedder(Protocol):
    """Texts to vectors of equal length; plain or async."""

    def embed(self, texts: Sequence[str], /) -> Any: ...


@dataclass(frozen=True, slots=True)
class EntryPolicy:
    """When a scoring chooses nothing: its best score below `floor`, or its margin below `min_margin`."""

    temperature: float = 1.0
    floor: float | None = None
    min_margin: float | None = None

    def __post_init__(self) -> None:
        check_temperature(self.temperature)
        for name in ("floor", "min_margin"):
            value = getattr(self, name)
            if value is not None and (not _is_number(value) or math.isnan(value)):
                raise SkillGraphError(f"{name} must be a number or None")


def check_temperature(temperature: float) -> None:
    if not _is_number(temperature) or not math.isfinite(temperature) or temperature <= 0:
        raise SkillGraphError("a temperature must be a number above zero")


def check_scorer(scorer: Any) -> EntryScorer:
    named = isinstance(getattr(scorer, "name", None), str) and scorer.name.strip()
    if not named or not callable(getattr(scorer, "score", None)):
        raise SkillGraphError("a scorer has a name and score(message, candidates)")
    return scorer


def check_embedder(embedder: Any) -> TextEmbedder:
    if not callable(getattr(embedder, "embed", None)):
        raise SkillGraphError("an embedder has embed(texts)")
    return embedder


def check_policy(policy: EntryPolicy | Mapping[str, Any] | None) -> EntryPolicy | None:
    if policy is None or isinstance(policy, EntryPolicy):
        return policy
    if not isinstance(policy, Mapping):
        raise SkillGraphError("a policy is an EntryPolicy or a dict of its fields")
    unknown = [name for name in policy if name not in {field.name for field in fields(EntryPolicy)}]
    if unknown:
        raise SkillGraphError(f"a policy has no {unknown[0]!r}; it has temperature, floor and min_margin")
    return EntryPolicy(**policy)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
