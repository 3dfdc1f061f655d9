"""Contract 004: the answer to a health check."""

from typing import Literal

from pydantic import Field

from loreweave.contracts.wire import WireValue, absent_when_none


class ReadinessAnswer(WireValue):
    """What strangers are told where tokens are needed."""

    status: Literal["ready", "degraded"]


class HealthAnswer(ReadinessAnswer):
    """Ready: what needs a model could run now. `sandbox`: what keeps commands of agents apart."""

    apiKey: Literal["valid", "invalid", "missing", "unchecked"]
    apiKeyError: str | None = Field(default=None, exclude_if=absent_when_none)
    agentSdk: Literal["available", "not_found"]
    version: str
    database: str
    embedder: str
    model: str
    sandbox: Literal["bubblewrap", "limits", "unavailable"]
    git: str | None
    storage: str | None = Field(default=None, exclude_if=absent_when_none)  # why nothing can be stored just now
