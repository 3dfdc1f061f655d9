"""The demo model plays its part in a skill offline, by fixed rules."""

import asyncio

import pytest

from loreweave.seams.models.language_model import ModelCall, ModelReply, ModelSaid, OfferedTool, ToolSaid, UserSaid
from loreweave.seams.models.open_model import open_model

pytestmark = pytest.mark.holds("session.agent.demo-answers-skills")
LIST_FILES = OfferedTool("list_files", "Lists.", {"type": "object", "properties": {}})


def asked(call: ModelCall) -> ModelReply:
    async def run() -> ModelReply:
        model = open_model("demo")
        assert model is not None
        async with model.opened() as line:
            return await line.ask(call)

    return asyncio.run(run())


def test_it_looks_at_the_files_once_and_then_answers_in_the_prompts_own_words() -> None:
    brief = {"prompt": "Name three  things about\nowls."}
    first = ModelCall("skill", "Be kind.", (UserSaid("boxed"),), tools=(LIST_FILES,), brief=brief)
    looked = asked(first)
    (found,) = looked.calls
    assert (found.name, found.arguments, looked.stop) == ("list_files", {"path": "."}, "tools")
    messages = (*first.messages, ModelSaid("", looked.calls), ToolSaid(found, "nothing"))
    said = asked(ModelCall("skill", "Be kind.", messages, tools=(LIST_FILES,), brief=brief))
    assert (said.text, said.calls) == ("The demo model was asked: Name three things about owls.", ())
    assert said.output_tokens > 0


def test_equal_prompts_give_equal_texts_and_long_ones_are_cut() -> None:
    call = ModelCall("skill", "", (), brief={"prompt": "word " * 100})
    assert asked(call) == asked(call)
    assert asked(call).text == "The demo model was asked: " + " ".join(["word"] * 40) + "…"


def test_an_empty_prompt_is_answered_too() -> None:
    assert asked(ModelCall("skill", "", ())).text == "The demo model was asked for nothing."
