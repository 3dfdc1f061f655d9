"""The demo model's part in a skill: one look at the files, then a short text made of the prompt's own words."""

from __future__ import annotations

import re

from loreweave.seams.models.model_calls import ModelCall, ModelReply, ModelSaid, ToolCall

WORDS = 40
_CHARACTERS_A_TOKEN = 4


def skill_reply(call: ModelCall) -> ModelReply:
    prompt = str(call.brief.get("prompt", ""))
    tokens = len(call.system + prompt) // _CHARACTERS_A_TOKEN
    looked = any(isinstance(message, ModelSaid) for message in call.messages)
    if not looked and any(tool.name == "list_files" for tool in call.tools):
        return ModelReply("", (ToolCall("demo-1", "list_files", {"path": "."}),), "tools", None, tokens, 1)
    text = _text(prompt)
    return ModelReply(text, (), "stop", None, tokens, len(text) // _CHARACTERS_A_TOKEN)


def _text(prompt: str) -> str:
    words = re.findall(r"\S+", prompt)
    if not words:
        return "The demo model was asked for nothing."
    said = " ".join(words[:WORDS]) + ("…" if len(words) > WORDS else "")
    return f"The demo model was asked: {said}"
