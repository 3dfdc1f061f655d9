"""Why a model did not answer. The sentences are ours and stable; what the provider said goes to the log only."""

from __future__ import annotations

from loreweave.errors import Unavailable

MESSAGES = {
    "model_key_missing": "The model needs a key that is not set.",
    "model_key_refused": "The model provider refused the key.",
    "model_unknown": "The model provider does not know this model.",
    "model_unreachable": "The model provider could not be reached.",
    "model_overloaded": "The model provider is overloaded or asks to slow down.",
    "model_too_long": "The question and its sources are too long for the model.",
    "model_refused": "The model provider refused the request.",
    "model_failed": "The model provider failed.",
    "model_silent": "The model stopped answering.",
    "model_interrupted": "The model's answer broke off before its end.",
    "model_declined": "The model declined to answer.",
    "model_empty": "The model answered with nothing.",
    "model_malformed": "The model did not answer in the shape it was asked for.",
}


class ModelFault(Unavailable):
    """A model that failed; `code` is one of `MESSAGES`. `passing`: the same request may well succeed later."""

    passing = False

    def __init__(self, code: str, message: str | None = None, **facts: str) -> None:
        super().__init__(message or MESSAGES[code], code=code, **facts)
