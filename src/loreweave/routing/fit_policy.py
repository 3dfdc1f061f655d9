"""Fits the thresholds of a policy to examples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from loreweave.routing.entry_values import EntryPolicy


async def fit_entry_policy(
    graph: Any, examples: Iterable[tuple[str, str | None]], precision: float = 0.95
) -> EntryPolicy:
    raise NotImplementedError
