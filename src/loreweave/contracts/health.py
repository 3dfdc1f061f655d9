"""Contract 004: the answer to a health check."""

from typing import Literal

from loreweave.contracts.wire import WireValue


class HealthAnswer(WireValue):
    status: Literal["ready", "degraded"]
    apiKey: Literal["valid", "invalid", "missing", "unchecked"]
    agentSdk: Literal["available", "not_found"]
    version: str
    database: str
    embedder: str
