"""Events as the text that is stored and sent: one frame an event, the same for every watcher."""

import json

from loreweave.contracts.session_events import SESSION_EVENTS, SessionEvent


def sendable(event: SessionEvent) -> tuple[SessionEvent, str]:
    """The event as it can be stored and sent, and its text."""
    try:
        return event, event.model_dump_json(by_alias=True)
    except ValueError:
        # Half of a character that was cut in two, as a model may write it, is told as a question mark.
        written = json.dumps(event.model_dump(mode="python", by_alias=True), ensure_ascii=False)
        text = written.encode("utf-8", "replace").decode("utf-8")
        return SESSION_EVENTS.validate_json(text), text


def frame_of(text: str, seq: int, ts: str) -> str:
    """What is kept of an event, and sent: its text with number and time."""
    return f'{text[:-1]},"seq":{seq},"ts":"{ts}"}}'


def read_frame(frame: str) -> tuple[SessionEvent, str]:
    """The event of a frame and its time."""
    value = json.loads(frame)
    value.pop("seq")
    ts = value.pop("ts")
    return SESSION_EVENTS.validate_python(value), ts
