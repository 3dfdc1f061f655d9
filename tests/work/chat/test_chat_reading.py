"""What a turn reads: by each tool, over both wire formats, of fused graphs, whatever a model writes as arguments."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.model_server import ModelServer, call, open_section, say, search
from tests.work.chat.chat_rig import BACKUP, chat, names, open_house, remember, request, sources_of, text_of

from loreweave.application import Application
from loreweave.contracts.skill_graph import FuseRequest
from loreweave.language.tokens import count_tokens


@pytest.fixture
def house(tmp_path: Path, model_server: ModelServer) -> Iterator[Application]:
    application = open_house(tmp_path, model_server)
    yield application
    application.close()


@pytest.mark.holds("chat.reads.all-rooms", "chat.cites.what-was-read")
def test_a_section_of_a_note_is_read_by_itself_and_cited(house: Application, model_server: ModelServer) -> None:
    events = chat(
        house,
        model_server,
        call(("read_node", {"id": "storage", "section": "restore"}), ("context", {"query": "failed upload"})),
        say("ready"),
        say("Run [it](/docs/storage#restore) [again](/docs/retries)."),
        asked="undo that",
    )
    later = [(source.kind, source.id, source.url) for source in sources_of(events)]
    assert ("section", "skill:storage#restore", "/docs/storage#restore") in later
    assert ("node", "skill:retries", "/docs/retries") in later
    done: Any = events[-1]
    assert [citation.id for citation in done.citations] == ["skill:storage#restore", "skill:retries"]


@pytest.mark.holds("chat.cites.what-was-read")
def test_what_was_found_and_not_opened_is_not_cited(house: Application, model_server: ModelServer) -> None:
    """Unless nothing else was read: then the best hits are what the answer is made of."""
    found = call(("next_skill", {"message": "hello"}), search("upload"))
    cites = say("See [Retries](/docs/retries).")
    beside = chat(house, model_server, found, say("ready"), cites, asked="TOOL_BACKUP_DIR")
    assert text_of(beside) == "See Retries."
    alone = chat(house, model_server, found, say("ready"), cites, asked="zzzz qqqq")
    assert text_of(alone) == "See [Retries](/docs/retries)."


@pytest.mark.holds("chat.streams", "chat.reads.all-rooms")
def test_the_other_wire_format_is_spoken_too(tmp_path: Path, model_server: ModelServer) -> None:
    house = open_house(
        tmp_path,
        model_server,
        model="openai:gpt-4o-mini",
        openai_api_key="sk-test",
        openai_base_url=model_server.openai_url,
    )
    try:
        events = chat(
            house,
            model_server,
            call(search("restore"), open_section("storage#restore")),
            call(("recall", {"query": "backup"})),
            say("ready"),
            say("Run `tool restore", " --all` ([Restore](/docs/storage", "#restore))."),
        )
    finally:
        house.close()
    assert text_of(events) == "Run `tool restore --all` ([Restore](/docs/storage#restore))."
    assert names(events)[-1] == "done"
    assert len(model_server.asked) == 4
    assert [message["role"] for message in model_server.asked[2].body["messages"]] == [
        "system", "user", "assistant", "tool", "tool", "assistant", "tool",
    ]  # fmt: skip


@pytest.mark.holds("chat.reads.only")
@pytest.mark.parametrize("value", ["x" * 5_000, "\0", "\ud800", "a\nb\0c", 7, None, ["a"]], ids=str)
def test_whatever_a_model_writes_as_an_argument_the_turn_goes_on(
    house: Application, model_server: ModelServer, value: Any
) -> None:
    arguments = {"id": value, "query": value, "section": value, "message": value}
    tools = ["context", "read_node", "search_sections", "open_section", "recall", "next_skill", "read_skill"]
    calls = call(*((tool, arguments) for tool in tools), ("read_node", {"id": "storage", "section": value}))
    events = chat(house, model_server, calls, say("ready"), say("Set it."))
    assert names(events)[-2:] == ["text", "done"]
    assert "The tool failed" not in model_server.asked[1].text


@pytest.mark.holds("chat.reads.only")
def test_arguments_that_are_no_object_are_told_to_the_model(house: Application, model_server: ModelServer) -> None:
    broken = call(("context", {}), raw_arguments="[1, 2")
    events = chat(house, model_server, broken, say("ready"), say("Set it."))
    assert names(events)[-1] in ("done", "error")
    assert names(events).count("done") + names(events).count("error") == 1


@pytest.mark.holds("chat.reads.all-rooms")
def test_a_fused_graph_is_talked_about_like_any_other(
    tmp_path: Path, house: Application, model_server: ModelServer
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "tapes.md").write_text("# Tapes\n\nA backup may go to tape.\n", encoding="utf-8")
    house.graphs.ingest_folder(other, name="other")
    house.graphs.fuse(FuseRequest(name="both", graphIds=["tools", "other"]))
    asked = request("backup to tape", graphId="both")
    read = sources_of(chat(house, model_server, say("ready"), say("Yes."), asked=asked))
    found = next(source for source in read if "tapes" in source.id)
    events = chat(house, model_server, say("ready"), say(f"On [tape]({found.url})."), asked=asked)
    done: Any = events[-1]
    assert [citation.id for citation in done.citations] == [found.id]


@pytest.mark.holds("chat.budget", "chat.no-model")
def test_the_passages_of_a_large_house_stay_within_the_budget(tmp_path: Path, model_server: ModelServer) -> None:
    notes = {f"note-{number}.md": f"# Note {number}\n\n" + "A backup is made daily. " * 900 for number in range(8)}
    house = open_house(tmp_path, model_server, notes, model="none")
    remember(house, "The backup disk is rotated on Fridays.", "Disk rotation")
    try:
        events = chat(house, model_server, asked=request(BACKUP, tokenBudget=4_000))
    finally:
        house.close()
    assert 0 < count_tokens(text_of(events)) <= 4_000
    assert "daily" in text_of(events)
    assert "rotated on Fridays" in text_of(events)  # many notes do not crowd out what is remembered


@pytest.mark.holds("chat.faults")
def test_a_model_that_falls_silent_is_an_error(tmp_path: Path, model_server: ModelServer) -> None:
    house = open_house(tmp_path, model_server, ask_timeout_s=3.0)
    try:
        events = chat(house, model_server, say("ready"), say("Set", fault="stall"))
    finally:
        house.close()
    error: Any = events[-1]
    assert (error.event, error.code) == ("error", "model_silent")
    assert json.loads(error.model_dump_json())["error"].endswith(".")
