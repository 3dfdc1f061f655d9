"""A graph as one dict, and the door to both forms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, overload

from loreweave.routing.built_graph import SkillGraph
from loreweave.routing.declaring.skill import Skill
from loreweave.routing.declaring.skill_graph_builder import SkillGraphBuilder
from loreweave.routing.graph_problems import ModeConflict, NotASkill, SkillGraphError

_KEYS = ("skills", "start", "steps", "tree", "limits", "check")
_START_KEYS = {"use": ("use",), "rules": ("rules",), "entries": ("entries", "scored_by", "by_relevance", "policy")}
_RULE_KEYS = ("when", "use")
_STEP_KEYS = ("from", "to", "when", "on_tool_return", "on_status", "where", "priority", "label", "carry")
_LIMIT_KEYS = ("max_hops", "max_visits")


@overload
def skill_graph() -> SkillGraphBuilder: ...
@overload
def skill_graph(spec: Mapping[str, Any], /) -> SkillGraph: ...
@overload
def skill_graph(**spec: Any) -> SkillGraph: ...
def skill_graph(spec: Mapping[str, Any] | None = None, /, **named: Any) -> SkillGraphBuilder | SkillGraph:
    """A builder; or, of a dict or keywords, the graph they declare."""
    if spec is None:
        return _build(named) if named else SkillGraphBuilder()
    if named:
        raise SkillGraphError("give a graph as one dict or as keywords, not both")
    if not isinstance(spec, Mapping):
        raise SkillGraphError(f"a graph is given as a dict, not as {type(spec).__name__}")
    return _build(spec)


def _build(spec: Mapping[str, Any]) -> SkillGraph:
    _refuse_unknown(spec, _KEYS, "a graph")
    builder = SkillGraphBuilder()
    for skill in _listed(spec.get("skills"), "skills"):
        if not isinstance(skill, Skill):
            raise NotASkill(f"skills holds skills made with define_skill, not {skill!r:.100}")
        builder.skill(skill)
    if spec.get("start") is not None:
        _declare_start(builder, spec["start"])
    for step in _listed(spec.get("steps"), "steps"):
        _declare_step(builder, step)
    if spec.get("tree") is not None:
        builder.tree(spec["tree"])
    if spec.get("limits") is not None:
        limits = _mapping(spec["limits"], "limits")
        _refuse_unknown(limits, _LIMIT_KEYS, "limits")
        builder.limits(**limits)
    return builder.build(spec.get("check", "throw"))


def _declare_start(builder: SkillGraphBuilder, start: Any) -> None:
    if not isinstance(start, Mapping):
        builder.entry(start)
        return
    kinds = [kind for kind in _START_KEYS if kind in start]
    _refuse_unknown(start, [key for keys in _START_KEYS.values() for key in keys], "start")
    if len(kinds) != 1:
        raise ModeConflict("start has exactly one of use, rules and entries")
    _refuse_unknown(start, _START_KEYS[kinds[0]], f"start with {kinds[0]}")
    if kinds[0] == "use":
        builder.entry(start["use"])
    elif kinds[0] == "rules":
        for rule in _listed(start["rules"], "rules"):
            _refuse_unknown(_mapping(rule, "a rule"), _RULE_KEYS, "a rule")
            if "use" not in rule:
                raise SkillGraphError("a rule needs use: the skill to start in")
            builder.entry(rule["use"], rule.get("when"))
    else:
        for entry in _listed(start["entries"], "entries"):
            builder.entry(entry)
        _declare_choice(builder, start)


def _declare_choice(builder: SkillGraphBuilder, start: Mapping[str, Any]) -> None:
    scorer, embedder, policy = start.get("scored_by"), start.get("by_relevance"), start.get("policy")
    if scorer is not None:
        builder.entry_by(scorer, policy)
    if embedder is not None:
        builder.entry_by_relevance(embedder, policy)
    if scorer is None and embedder is None:
        if policy is not None:
            raise SkillGraphError("a policy needs a scorer: give scored_by or by_relevance")
        builder.entry_by_read()


def _declare_step(builder: SkillGraphBuilder, step: Any) -> None:
    _refuse_unknown(_mapping(step, "a step"), _STEP_KEYS, "a step")
    for end in ("from", "to"):
        if end not in step:
            raise SkillGraphError(f"a step needs {end}")
    named = {key: value for key, value in step.items() if key not in ("from", "to")}
    builder.route(step["from"], step["to"], **named)


def _refuse_unknown(given: Mapping[str, Any], known: Iterable[str], what: str) -> None:
    unknown = [key for key in given if key not in known]
    if unknown:
        raise SkillGraphError(f"{what} has no {unknown[0]!r}; it takes {', '.join(known)}")


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise SkillGraphError(f"{what} is a dict, not {type(value).__name__}")
    return value


def _listed(value: Any, what: str) -> Iterable[Any]:
    if value is None:
        return ()
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise SkillGraphError(f"{what} is a list, not {type(value).__name__}")
    return value
