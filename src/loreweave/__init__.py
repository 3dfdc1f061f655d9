"""Loreweave: a folder of markdown as a graph of know-how."""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it; importing typing would cost more than all the rest here
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

# Loaded when first asked for: importing the package alone stays cheap.
_HOMES = {
    "routing.agent.routed_skills": ("RoutedSkills",),
    "routing.agent.routed_toolset": ("RoutedToolset",),
    "routing.checkup_values": ("GraphCheckup", "GraphProblem"),
    "routing.conditions": ("keywords", "pattern"),
    "routing.entry_scorers": ("embedding_scorer", "keyword_scorer"),
    "routing.entry_scoring": ("softmax",),
    "routing.entry_values": ("EntryCandidate", "EntryPolicy", "EntryScore", "EntryScoring"),
    "routing.fit_policy": ("fit_entry_policy",),
    "routing.folders.load_skill_graph": ("load_skill_graph",),
    "routing.folders.write_skill_folder": ("write_skill_folder",),
    "routing.object_form": ("skill_graph",),
    "routing.read_gate": ("ReadAnswer",),
    "routing.route_errors": (
        "BadCondition",
        "CheckupFailed",
        "DuplicateSkill",
        "ModeConflict",
        "NotASkill",
        "SkillFileError",
        "SkillGraphError",
        "UnknownSkill",
    ),
    "routing.route_run": ("RouteRun",),
    "routing.route_values": (
        "Conflict",
        "Fired",
        "Limit",
        "Message",
        "Move",
        "PredicateError",
        "RouteContext",
        "SkillEdge",
        "SkillNode",
        "ToolResult",
    ),
    "routing.skill": ("Skill", "decide", "define_skill"),
    "routing.skill_graph": ("SkillGraph",),
    "routing.skill_graph_builder": ("SkillGraphBuilder",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

if TYPE_CHECKING:
    from loreweave.routing.agent.routed_skills import RoutedSkills as RoutedSkills
    from loreweave.routing.agent.routed_toolset import RoutedToolset as RoutedToolset
    from loreweave.routing.checkup_values import GraphCheckup as GraphCheckup
    from loreweave.routing.checkup_values import GraphProblem as GraphProblem
    from loreweave.routing.conditions import keywords as keywords
    from loreweave.routing.conditions import pattern as pattern
    from loreweave.routing.entry_scorers import embedding_scorer as embedding_scorer
    from loreweave.routing.entry_scorers import keyword_scorer as keyword_scorer
    from loreweave.routing.entry_scoring import softmax as softmax
    from loreweave.routing.entry_values import EntryCandidate as EntryCandidate
    from loreweave.routing.entry_values import EntryPolicy as EntryPolicy
    from loreweave.routing.entry_values import EntryScore as EntryScore
    from loreweave.routing.entry_values import EntryScoring as EntryScoring
    from loreweave.routing.fit_policy import fit_entry_policy as fit_entry_policy
    from loreweave.routing.folders.load_skill_graph import load_skill_graph as load_skill_graph
    from loreweave.routing.folders.write_skill_folder import write_skill_folder as write_skill_folder
    from loreweave.routing.object_form import skill_graph as skill_graph
    from loreweave.routing.read_gate import ReadAnswer as ReadAnswer
    from loreweave.routing.route_errors import BadCondition as BadCondition
    from loreweave.routing.route_errors import CheckupFailed as CheckupFailed
    from loreweave.routing.route_errors import DuplicateSkill as DuplicateSkill
    from loreweave.routing.route_errors import ModeConflict as ModeConflict
    from loreweave.routing.route_errors import NotASkill as NotASkill
    from loreweave.routing.route_errors import SkillFileError as SkillFileError
    from loreweave.routing.route_errors import SkillGraphError as SkillGraphError
    from loreweave.routing.route_errors import UnknownSkill as UnknownSkill
    from loreweave.routing.route_run import RouteRun as RouteRun
    from loreweave.routing.route_values import Conflict as Conflict
    from loreweave.routing.route_values import Fired as Fired
    from loreweave.routing.route_values import Limit as Limit
    from loreweave.routing.route_values import Message as Message
    from loreweave.routing.route_values import Move as Move
    from loreweave.routing.route_values import PredicateError as PredicateError
    from loreweave.routing.route_values import RouteContext as RouteContext
    from loreweave.routing.route_values import SkillEdge as SkillEdge
    from loreweave.routing.route_values import SkillNode as SkillNode
    from loreweave.routing.route_values import ToolResult as ToolResult
    from loreweave.routing.skill import Skill as Skill
    from loreweave.routing.skill import decide as decide
    from loreweave.routing.skill import define_skill as define_skill
    from loreweave.routing.skill_graph import SkillGraph as SkillGraph
    from loreweave.routing.skill_graph_builder import SkillGraphBuilder as SkillGraphBuilder


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
