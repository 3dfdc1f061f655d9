"""A place to run plans at: it keeps what is recorded, answers from tables, and can die at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from loreweave.contracts.session_events import SessionEvent
from loreweave.work.skill_plans.plan_faults import PlanFailure
from loreweave.work.skill_plans.plan_run import SkillTurn
from loreweave.work.skill_plans.read_plan import read_run
from loreweave.work.skill_plans.run_plan import run_plan

SESSION = "session-1"
Json = dict[str, Any]


class Died(BaseException):
    """The process is gone."""


@dataclass
class Desk:
    """The table is what would survive on a disk; `deaths` are the calls at which the process dies, before or after."""

    answers: dict[str, Json | None] = field(default_factory=dict)
    texts: Callable[[str], str] = field(default=lambda prompt: f"did {prompt}")
    dies_before: int | None = None
    dies_after: int | None = None
    recorded: dict[str, list[Json]] = field(default_factory=dict)
    agent_texts: dict[str, str | PlanFailure] = field(default_factory=dict)
    turns: list[SkillTurn] = field(default_factory=list)
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    calls: int = 0
    keys: set[str] = field(default_factory=set)

    async def record(self, key: str, *events: SessionEvent) -> None:
        self._before(key)
        self._keep(key, events)
        self._after()

    async def ask(
        self, key: str, event: Callable[[str], SessionEvent], *, place: str, headers: Sequence[str]
    ) -> Json | None:
        self._before(key)
        self._keep(key, [event(f"question {key}")])
        self.asked.append((place, tuple(headers)))
        self._after()
        return self.answers.get(place)

    async def run_agent(self, key: str, turn: SkillTurn) -> str:
        self._before(key)
        if key not in self.agent_texts:
            self.turns.append(turn)
            self.agent_texts[key] = self._work(turn)
        self._after()
        known = self.agent_texts[key]
        if isinstance(known, PlanFailure):
            raise known
        return known

    def _work(self, turn: SkillTurn) -> str | PlanFailure:
        try:
            return self.texts(turn.prompt)
        except PlanFailure as failure:
            return failure

    def _keep(self, key: str, events: Sequence[SessionEvent]) -> None:
        told = [event.model_dump(mode="json") for event in events]
        assert told, "nothing was to be recorded"
        assert self.recorded.setdefault(key, told) == told

    def _before(self, key: str) -> None:
        assert key not in self.keys, f"{key} stands for two calls"
        self.keys.add(key)
        self.calls += 1
        if self.calls == self.dies_before:
            raise Died

    def _after(self) -> None:
        if self.calls == self.dies_after:
            raise Died

    def restarted(self) -> Desk:
        """Another process over the same table."""
        return Desk(self.answers, self.texts, recorded=self.recorded, agent_texts=self.agent_texts, turns=self.turns)

    def run(self, request: Json) -> list[Json]:
        """All events of the run, in order."""
        checked = read_run(request)
        asyncio.run(run_plan(checked.plan, checked.allSkills, SESSION, self))
        return self.log()

    def log(self) -> list[Json]:
        return [event for events in self.recorded.values() for event in events]


def plan(*steps: Json, skills: Sequence[Json] = (), **more: Any) -> Json:
    return {"plan": {"skillName": "Tested", "steps": list(steps), **more}, "allSkills": list(skills)}


def ask(
    id: str = "ask", header: str = "Colour", options: Sequence[str] = ("red", "blue"), store: str = "colour"
) -> Json:
    return {
        "type": "ask_user",
        "id": id,
        "question": "Which one?",
        "header": header,
        "options": list(options),
        "storeAs": store,
    }


def branch(id: str, key: str, value: str, *steps: Json) -> Json:
    return {"type": "branch", "id": id, "contextKey": key, "matchValue": value, "thenSteps": list(steps)}


def invoke(id: str, skill: str, store: str = "result") -> Json:
    return {"type": "invoke_skill", "id": id, "skillId": skill, "storeAs": store}


def agent(id: str, prompt: str, store: str = "result") -> Json:
    return {"type": "run_agent", "id": id, "prompt": prompt, "storeAs": store}


def put(id: str, key: str, value: str) -> Json:
    return {"type": "set_context", "id": id, "key": key, "value": value}


def output(id: str, template: str) -> Json:
    return {"type": "output", "id": id, "template": template}


def simple(id: str, prompt: str, **more: Any) -> Json:
    return {"id": id, "name": "Simple", "prompt": prompt, "category": "agent", **more}


def composite(id: str, *steps: Json) -> Json:
    return {
        "id": id,
        "name": f"Flow {id}",
        "prompt": "",
        "category": "composite",
        "workspace": workspace(blocks(steps)),
    }


def workspace(first: Json | None) -> Json:
    start: Json = {"type": "skill_flow_start", "id": "start", "x": 20, "y": 20}
    return {
        "blocks": {"languageVersion": 0, "blocks": [start if first is None else {**start, "next": {"block": first}}]}
    }


def block(type: str, id: str, **fields: Any) -> Json:
    return {"type": type, "id": id, "fields": fields}


def chained(blocks: Sequence[Json]) -> Json | None:
    """Each below the one before."""
    below: Json | None = None
    for one in reversed(blocks):
        below = one if below is None else {**one, "next": {"block": below}}
    return below


def row(count: int, prefix: str = "o") -> list[Json]:
    """Blocks that each tell something."""
    return [block("skill_output", f"{prefix}{number}", TEMPLATE="t") for number in range(count)]


def around(id: str, inner: Json | None) -> Json:
    """A branch block with these inside."""
    return {
        **block("skill_branch_if", id, CONTEXT_KEY="k", MATCH_VALUE="v"),
        "inputs": {"THEN_BLOCKS": {"block": inner}},
    }


def blocks(steps: Sequence[Json]) -> Json | None:
    """Steps as the block editor would save them."""
    return chained([_block(step) for step in steps])


def _block(step: Json) -> Json:
    match step["type"]:
        case "ask_user":
            texts = {"QUESTION": step["question"], "HEADER": step["header"], "STORE_AS": step["storeAs"]}
            return block("skill_ask_user", step["id"], **texts, OPTIONS=", ".join(step["options"]))
        case "branch":
            inner = blocks(step["thenSteps"])
            made = block("skill_branch_if", step["id"], CONTEXT_KEY=step["contextKey"], MATCH_VALUE=step["matchValue"])
            return made if inner is None else {**made, "inputs": {"THEN_BLOCKS": {"block": inner}}}
        case "invoke_skill":
            return block("skill_invoke", step["id"], SKILL_ID=step["skillId"], STORE_AS=step["storeAs"])
        case "run_agent":
            return block("skill_run_agent", step["id"], PROMPT=step["prompt"], STORE_AS=step["storeAs"])
        case "set_context":
            return block("skill_set_context", step["id"], KEY=step["key"], VALUE=step["value"])
    return block("skill_output", step["id"], TEMPLATE=step["template"])


def short(event: Json) -> str:
    """An event in a few words."""
    match event["type"]:
        case "skill_started":
            return f"+{event['skill_id']}#{event['frame']}"
        case "skill_step":
            return f"{event['step_id']} {event['status']}"
        case "skill_question":
            return f"{event['step_id']} ?"
        case "skill_output":
            return f"{event['step_id']}: {event['content']}"
        case "skill_completed":
            return f"-{event['skill_id']}#{event['frame']}={event['result']}"
    return f"!{event['skill_id']} {event['outcome']}"


def story(events: Sequence[Json]) -> list[str]:
    return [short(event) for event in events]


def outputs(events: Sequence[Json]) -> list[str]:
    return [event["content"] for event in events if event["type"] == "skill_output"]


def error_of(events: Sequence[Json]) -> str:
    assert events[-1]["type"] == "skill_error", story(events)
    return str(events[-1]["message"])
