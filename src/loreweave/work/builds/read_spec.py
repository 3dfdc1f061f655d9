"""From any value to a build that may start: every field is looked at, and what is unknown is kept and named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from loreweave.contracts.argument_values import SHOWN_FAULTS, Fault, faults_of, refusal_of
from loreweave.contracts.project_spec import ProjectSpec, SpecValue
from loreweave.contracts.session import WorkspaceSaveRequest
from loreweave.errors import InvalidInput
from loreweave.language.strange_text import shown

Given = TypeVar("Given")
ROLE_NAMES = {"builder": "Builder", "tester": "Tester", "reviewer": "Reviewer", "custom": "Helper"}
DESIGN_FILES = ("project.json", "workspace.json", "skills.json", "rules.json", "portals.json")
_FREE = {"hardware", "workspace"}  # objects whose keys are the editor's own


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """What a build was started with. `given` is the spec as it came."""

    spec: ProjectSpec
    given: dict[str, Any]
    workspace_path: str | None
    workspace_json: dict[str, Any] | None
    continues: str | None
    warnings: list[str]


def read_start(value: Any) -> BuildOrder:
    """The order, or `InvalidInput` whose `fields` name what is wrong with it."""
    if not isinstance(value, dict):
        raise InvalidInput("The body must be a JSON object", field="body")
    given = value.get("spec")
    if not isinstance(given, dict):
        raise refusal_of([Fault("spec", "is required" if given is None else "must be an object")])
    looked_at = {"project": {}} | {name: value for name, value in given.items() if name != "project" or value}
    faults = [*faults_of(ProjectSpec, looked_at, ""), *_repeated_names(given)]  # the goal alone has no default
    if faults:
        raise refusal_of(faults)
    return BuildOrder(
        spec=ProjectSpec.model_validate(given),
        given=given,
        workspace_path=_given(value, "workspace_path", str, "text"),
        workspace_json=_given(value, "workspace_json", dict, "an object"),
        continues=_given(value, "continues", str, "text"),
        warnings=_warnings(given),
    )


def design_of(given: dict[str, Any]) -> WorkspaceSaveRequest:
    """The design files that a build leaves in the folder it was given."""
    parts = {name: given["spec"].get(name) for name in ("skills", "rules", "portals")}
    return WorkspaceSaveRequest(
        workspace_path=given["workspace_path"], workspace_json=given.get("workspace_json"), **parts
    )


def _given(value: dict[str, Any], name: str, kind: type[Given], called: str) -> Given | None:
    found = value.get(name)
    if found is not None and not isinstance(found, kind):
        raise refusal_of([Fault(name, f"must be {called}")])
    return found


def _repeated_names(given: dict[str, Any]) -> Iterator[Fault]:
    """A task names its agent, so a name must mean one."""
    seen = set()
    agents = given.get("agents")
    for number, agent in enumerate(agents if isinstance(agents, list) else []):
        name = agent.get("name") if isinstance(agent, dict) else None
        if not isinstance(name, str) or not name:
            continue
        if name in seen:
            yield Fault(f"agents.{number}.name", "must be the name of no other agent")
        seen.add(name)


def _warnings(given: dict[str, Any]) -> list[str]:
    found = list(_unknown(ProjectSpec, given, ""))
    more = [f"{len(found) - SHOWN_FAULTS} more keys mean nothing here"] if len(found) > SHOWN_FAULTS else []
    return [f"{path} means nothing here" for path in found[:SHOWN_FAULTS]] + more


def _unknown(model: type[SpecValue], value: dict[str, Any], path: str) -> Iterator[str]:
    for name, part in value.items():
        field = model.model_fields.get(name)
        if field is None:
            yield path + shown(str(name))
            continue
        inner = _model_in(field.annotation)
        if inner is None or name in _FREE:
            continue
        if isinstance(part, dict):
            yield from _unknown(inner, part, f"{path}{name}.")
        elif isinstance(part, list):
            for number, one in enumerate(part):
                if isinstance(one, dict):
                    yield from _unknown(inner, one, f"{path}{name}.{number}.")


def _model_in(annotation: Any) -> type[SpecValue] | None:
    if isinstance(annotation, type) and issubclass(annotation, SpecValue):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part)) is not None), None)
