"""The largest plans cost what their size says, and no more."""

import pytest
from tests.pace import within
from tests.work.skill_plans.plan_desk import Desk, Json, branch, composite, invoke, output, plan, put

from loreweave.contracts.skill_plan import SkillRunRequest
from loreweave.work.skill_plans.read_plan import read_run

TEMPLATE = ("{{a}}{{b}} text " * 400)[:5_000]


def largest() -> Json:
    """Five hundred steps, each with as long a template as there may be."""
    groups = [
        branch(f"b{group}", "", "", *(put(f"s{group}-{number}", f"k{number}", TEMPLATE) for number in range(49)))
        for group in range(10)
    ]
    return plan(*groups)


@pytest.mark.holds("session.plan.speed")
def test_the_largest_plan_is_read_quickly() -> None:
    request = largest()
    assert isinstance(within(0.3, lambda: read_run(request)), SkillRunRequest)


@pytest.mark.holds("session.plan.speed")
def test_the_largest_plan_runs_quickly_and_is_written_in_few_pieces() -> None:
    request = largest()
    desks: list[Desk] = []

    def run() -> list[Json]:
        desks.append(Desk())
        return desks[-1].run(request)

    log = within(1.0, run)
    assert len(log) == 2 + 2 * 500
    assert len(desks[-1].recorded) <= 25


@pytest.mark.holds("session.plan.speed")
def test_what_is_known_by_many_callers_is_found_quickly() -> None:
    steps = [put(f"p{number}", f"k{number}", "v" * 100) for number in range(40)]
    request = plan(*steps, *(output(f"o{number}", "{{k1}}{{nobody}}" * 300) for number in range(10)))
    assert len(within(0.5, lambda: Desk().run(request))) == 2 + 2 * 40 + 3 * 10


@pytest.mark.holds("session.plan.speed")
def test_a_flow_that_is_entered_often_is_read_once() -> None:
    untaken = [[output(f"o{group}-{number}", "") for number in range(49)] for group in range(9)]
    idle = [branch(f"b{group}", "", "never", *steps) for group, steps in enumerate(untaken)]
    often = composite("often", *(invoke(f"c{number}", "large") for number in range(50)))
    request = plan(*(invoke(f"r{number}", "often") for number in range(15)), skills=[often, composite("large", *idle)])
    log = within(2.0, lambda: Desk().run(request))
    assert sum(event["type"] == "skill_completed" for event in log) == 1 + 15 + 15 * 50
