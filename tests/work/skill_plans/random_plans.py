"""Plans of every shape: branches in branches, skills that call skills, and now and then one that fails."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st
from tests.work.skill_plans.plan_desk import Json, agent, ask, branch, composite, invoke, output, plan, put, simple

KEYS = ["a", "b", "c"]
WORDS = ["", "x", "y", "{{a}}", "{{b}} and {{c}}", "{{nobody}}"]
SKILLS = [f"s{number}" for number in range(12)]
ANSWERS = ["x", "y", "", ["x", "y"], "{{a}}", 3]


class PlanMaker:
    """Draws from one seed, which is far quicker than drawing every word from hypothesis, so plans can be large."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def steps(self, callable_skills: Sequence[str], depth: int = 3) -> list[Json]:
        numbers = itertools.count()
        return self._list(callable_skills, depth, numbers)

    def _list(self, skills: Sequence[str], depth: int, numbers: Any) -> list[Json]:
        return [self._step(skills, depth, numbers) for _ in range(self.random.randint(1, 5))]

    def _step(self, skills: Sequence[str], depth: int, numbers: Any) -> Json:
        pick = self.random.choice
        name = f"n{next(numbers)}"
        kinds = [
            "put",
            "put",
            "output",
            "ask",
            "agent",
            *(["invoke"] * 2 if skills else []),
            *(["branch"] * 2 if depth else []),
        ]
        match pick(kinds):
            case "put":
                return put(name, pick(KEYS), pick(WORDS))
            case "output":
                return output(name, pick(WORDS))
            case "ask":
                return ask(name, store=pick(KEYS))
            case "agent":
                return agent(name, f"do {pick(WORDS)}", pick(KEYS))
            case "invoke":
                return invoke(name, pick(skills), pick(KEYS))
        value = pick(["", "", "x", "y", "3"])
        return branch(name, pick(KEYS), value, *self._list(skills, depth - 1, numbers))

    def request(self) -> Json:
        """Skills call later ones, so chains grow long; a few call back, or call one that nobody knows."""
        skills = [self._skill(number) for number in range(len(SKILLS))]
        more = {"skillId": self.random.choice(SKILLS)} if self.random.random() < 0.1 else {}
        return plan(*self.steps(SKILLS[:3]), skills=skills, **more)

    def _skill(self, number: int) -> Json:
        name = SKILLS[number]
        if self.random.random() < 0.2:
            return simple(
                name, self.random.choice(["", *WORDS[1:], "sing", "dance"]), template=self.random.random() < 0.5
            )
        later = SKILLS[number + 1 : number + 3]
        chance = self.random.random()
        strays = SKILLS[: number + 1] if chance < 0.1 else ["unknown"] if chance < 0.15 else []
        return composite(name, *self.steps([*later, *strays], depth=2))

    def answers(self) -> dict[str, Json | None]:
        """What a person says to each step: nothing at all to a few."""
        said: dict[str, Json | None] = {f"n{number}": {"Colour": self.random.choice(ANSWERS)} for number in range(400)}
        if self.random.random() < 0.2:
            said[f"n{self.random.randint(0, 10)}"] = None
        return said


seeds = st.integers(0, 2**32)


def step_lists() -> st.SearchStrategy[list[Json]]:
    return seeds.map(lambda seed: PlanMaker(seed).steps(SKILLS))


def requests() -> st.SearchStrategy[Json]:
    return seeds.map(lambda seed: PlanMaker(seed).request())


def answers() -> st.SearchStrategy[dict[str, Json | None]]:
    return seeds.map(lambda seed: PlanMaker(seed).answers())
