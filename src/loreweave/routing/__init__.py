"""Which skill an agent is in, what moves it on, and where the model may jump.

The names of the library are here, each loaded when it is first asked for; `loreweave` has them too.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it; importing typing would cost more than all the rest here
if TYPE_CHECKING:
    from typing import Any

    from loreweave.contracts.route_values import EntryScore as EntryScore
    from loreweave.contracts.route_values import EntryScoring as EntryScoring
    from loreweave.contracts.route_values import Fired as Fired
    from loreweave.contracts.route_values import GraphCheckup as GraphCheckup
    from loreweave.contracts.route_values import GraphProblem as GraphProblem
    from loreweave.contracts.route_values import Limit as Limit
    from loreweave.contracts.route_values import Message as Message
    from loreweave.contracts.route_values import Move as Move
    from loreweave.contracts.route_values import PredicateError as PredicateError
    from loreweave.contracts.route_values import RouteConflict as Conflict  # noqa: F401
    from loreweave.contracts.route_values import RouteContext as RouteContext
    from loreweave.contracts.route_values import SkillEdge as SkillEdge
    from loreweave.contracts.route_values import SkillNode as SkillNode
    from loreweave.contracts.route_values import ToolResult as ToolResult
    from loreweave.routing.agent.route_run import ReadAnswer as ReadAnswer
    from loreweave.routing.agent.route_run import RouteRun as RouteRun
    from loreweave.routing.agent.routed_toolset import RoutedSkills as RoutedSkills
    from loreweave.routing.agent.routed_toolset import RoutedToolset as RoutedToolset
    from loreweave.routing.built_graph import SkillGraph as SkillGraph
    from loreweave.routing.declaring.conditions import keywords as keywords
    from loreweave.routing.declaring.conditions import pattern as pattern
    from loreweave.routing.declaring.decision_tree import decide as decide
    from loreweave.routing.declaring.object_form import skill_graph as skill_graph
    from loreweave.routing.declaring.skill import Skill as Skill
    from loreweave.routing.declaring.skill import define_skill as define_skill
    from loreweave.routing.declaring.skill_graph_builder import SkillGraphBuilder as SkillGraphBuilder
    from loreweave.routing.entry_scorers import embedding_scorer as embedding_scorer
    from loreweave.routing.entry_scorers import keyword_scorer as keyword_scorer
    from loreweave.routing.entry_scoring import softmax as softmax
    from loreweave.routing.entry_values import EntryCandidate as EntryCandidate
    from loreweave.routing.entry_values import EntryPolicy as EntryPolicy
    from loreweave.routing.fit_policy import fit_entry_policy as fit_entry_policy
    from loreweave.routing.folders.load_skill_graph import load_skill_graph as load_skill_graph
    from loreweave.routing.folders.write_skill_folder import write_skill_folder as write_skill_folder
    from loreweave.routing.graph_problems import BadCondition as BadCondition
    from loreweave.routing.graph_problems import CheckupFailed as CheckupFailed
    from loreweave.routing.graph_problems import DuplicateSkill as DuplicateSkill
    from loreweave.routing.graph_problems import ModeConflict as ModeConflict
    from loreweave.routing.graph_problems import NotASkill as NotASkill
    from loreweave.routing.graph_problems import SkillFileError as SkillFileError
    from loreweave.routing.graph_problems import SkillGraphError as SkillGraphError
    from loreweave.routing.graph_problems import UnknownSkill as UnknownSkill

_HOMES = {
    "contracts.route_values": (
        "EntryScore",
        "EntryScoring",
        "Fired",
        "GraphCheckup",
        "GraphProblem",
        "Limit",
        "Message",
        "Move",
        "PredicateError",
        "RouteConflict",
        "RouteContext",
        "SkillEdge",
        "SkillNode",
        "ToolResult",
    ),
    "routing.agent.route_run": ("ReadAnswer", "RouteRun"),
    "routing.agent.routed_toolset": ("RoutedSkills", "RoutedToolset"),
    "routing.declaring.conditions": ("keywords", "pattern"),
    "routing.declaring.object_form": ("skill_graph",),
    "routing.declaring.decision_tree": ("decide",),
    "routing.declaring.skill": ("Skill", "define_skill"),
    "routing.declaring.skill_graph_builder": ("SkillGraphBuilder",),
    "routing.entry_scorers": ("embedding_scorer", "keyword_scorer"),
    "routing.entry_scoring": ("softmax",),
    "routing.entry_values": ("EntryCandidate", "EntryPolicy"),
    "routing.fit_policy": ("fit_entry_policy",),
    "routing.folders.load_skill_graph": ("load_skill_graph",),
    "routing.folders.write_skill_folder": ("write_skill_folder",),
    "routing.graph_problems": (
        "BadCondition",
        "CheckupFailed",
        "DuplicateSkill",
        "ModeConflict",
        "NotASkill",
        "SkillFileError",
        "SkillGraphError",
        "UnknownSkill",
    ),
    "routing.built_graph": ("SkillGraph",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
NAMES = frozenset({*_HOME_OF, "Conflict"} - {"RouteConflict"})  # beside the error, which is a Conflict too


def __getattr__(name: str) -> Any:
    if name not in NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    real = "RouteConflict" if name == "Conflict" else name
    globals()[name] = value = getattr(import_module(f"loreweave.{_HOME_OF[real]}"), real)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *NAMES})
