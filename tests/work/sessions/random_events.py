"""Events of every kind with values that meet one another, in orders that may happen."""

import types
from typing import Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic import BaseModel

from loreweave.contracts.session_events import (
    SessionComplete,
    SessionError,
    SessionEvent,
    SkillCompleted,
    SkillError,
    TokenUsage,
)

_KINDS: tuple[type[BaseModel], ...] = get_args(get_args(SessionEvent)[0])

# Letters of many scripts, marks that JSON writes differently, and halves of characters.
_TEXT = st.text(st.characters(categories=("L", "N", "P", "S", "Cc", "Cs")), max_size=8)
_FEW = {
    "id": st.sampled_from(["one", "two", "three"]),
    "task_id": st.sampled_from(["one", "two", "three"]),
    "name": st.sampled_from(["Ada", "Bob"]),
    "agent_name": st.sampled_from(["Ada", "Bob"]),
    "gate_id": st.sampled_from(["g1", "g2"]),
    "question_id": st.sampled_from(["q1", "q2"]),
    "frame": st.integers(1, 3),
}


def _values(annotation: Any) -> st.SearchStrategy[Any]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        return st.one_of([_values(each) for each in arguments])
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is list:
        return st.lists(_values(arguments[0]), max_size=3)
    if origin is dict:
        return st.dictionaries(_TEXT, st.integers() if arguments[1] is Any else _values(arguments[1]), max_size=2)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _models(annotation)
    plain = {
        str: _TEXT,
        int: st.integers(0, 10**6),
        float: st.floats(0, 10),
        bool: st.booleans(),
        type(None): st.none(),
    }
    return plain[annotation]


def _models(kind: type[BaseModel]) -> st.SearchStrategy[BaseModel]:
    fields = {
        field.alias or name: _FEW[name] if name in _FEW else _values(field.annotation)
        for name, field in kind.model_fields.items()
    }
    return st.fixed_dictionaries(fields).map(kind.model_validate)


def is_last(event: BaseModel) -> bool:
    match event:
        case SessionComplete() | SkillError():
            return True
        case SessionError():
            return not event.recoverable
        case SkillCompleted():
            return event.frame == 1
    return False


@st.composite
def stories(draw: st.DrawFn) -> list[list[Any]]:
    """Groups of events up to the one that ends a session, if there is one; each group is recorded at once."""
    told: list[list[Any]] = []
    for group in draw(st.lists(st.lists(events, min_size=1, max_size=4), min_size=1, max_size=10)):
        ends = [place for place, event in enumerate(group) if is_last(event)]
        told.append(group[: ends[0] + 1] if ends else group)
        if ends:
            break
    return told


events = st.one_of([_models(kind) for kind in _KINDS])
token_usages = _models(TokenUsage)
