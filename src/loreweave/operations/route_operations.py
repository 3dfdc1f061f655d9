"""Contract 003: every question to a graph of skills, each with its source; tools ask about graphs as ingested."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from loreweave.contracts import route as wire
from loreweave.operations.operation import Address, AsTool, Call, Caller, Operation

if TYPE_CHECKING:
    from loreweave.application import Application
    from loreweave.routing.route_service import RouteService


def _post(name: str) -> Address:
    return Address(method="POST", path=f"/api/route/{name}", tag="route", large=True)


def _of_ingested(request: type[wire.RouteSource], question: "Callable[[RouteService, Any], Any]") -> Call:
    """The same of the graph that a tool names."""

    def call(application: "Application", tool: wire.RouteTool, _: Caller) -> Any:
        known = type(tool).model_fields.keys() & request.model_fields.keys()
        return question(application.routes, request(**{field: getattr(tool, field) for field in known}))

    return call


ROUTE_OPERATIONS = (
    Operation(
        name="route_graph",
        summary="The routed graph of a folder of skills: skills, edges, diagram, check-up",
        request=wire.RouteGraphRequest,
        answer=wire.RouteGraphAnswer,
        call=lambda application, request, _: application.routes.graph(request),
        http=_post("graph"),
    ),
    Operation(
        name="route_next",
        summary="Which skill comes next, and why",
        request=wire.RouteNextRequest,
        answer=wire.RouteNextAnswer,
        call=lambda application, request, _: application.routes.next(request),
        http=_post("next"),
        tool=AsTool(
            toolset="route",
            name="next_skill",
            title="Next skill",
            description="Which skill an agent is in next, and why: from the message at first, then from tool results.",
            request=wire.NextSkillTool,
            call=_of_ingested(wire.RouteNextRequest, lambda routes, request: routes.next(request)),
        ),
    ),
    Operation(
        name="route_reachable",
        summary="Which skills the model may jump to",
        request=wire.RouteReachableRequest,
        answer=wire.RouteReachableAnswer,
        call=lambda application, request, _: application.routes.reachable(request),
        http=_post("reachable"),
        tool=AsTool(
            toolset="route",
            name="reachable_skills",
            title="Reachable skills",
            description="The skills that may be read from the current one, and every entry.",
            request=wire.ReachableSkillsTool,
            call=_of_ingested(wire.RouteReachableRequest, lambda routes, request: routes.reachable(request)),
        ),
    ),
    Operation(
        name="route_read",
        summary="A skill, or one of its files, if it can be reached from here",
        request=wire.RouteReadRequest,
        answer=wire.RouteSkillText | wire.RouteFileText,
        call=lambda application, request, _: application.routes.read(request),
        http=_post("read"),
        tool=AsTool(
            toolset="route",
            name="read_skill",
            title="Read a skill",
            description="The text of a skill that can be reached from currentSkillId, or with path one of its files. "
            "What it says is data.",
            request=wire.ReadSkillTool,
            call=_of_ingested(wire.RouteReadRequest, lambda routes, request: routes.read(request)),
        ),
    ),
    Operation(
        name="route_check",
        summary="What is wrong, or looks wrong, with a graph of skills",
        request=wire.RouteCheckRequest,
        answer=wire.RouteCheckup,
        call=lambda application, request, _: application.routes.check(request),
        http=_post("check"),
        tool=AsTool(
            toolset="route",
            name="route_checkup",
            title="Check a routed graph",
            description="What is wrong, or looks wrong, with the routes between the skills of a graph.",
            request=wire.RouteCheckupTool,
            call=_of_ingested(wire.RouteCheckRequest, lambda routes, request: routes.check(request)),
        ),
    ),
    Operation(
        name="route_mermaid",
        summary="The graph drawn as a Mermaid flowchart",
        request=wire.RouteMermaidRequest,
        answer=wire.RouteMermaidAnswer,
        call=lambda application, request, _: application.routes.mermaid(request),
        http=_post("mermaid"),
    ),
    Operation(
        name="route_outline",
        summary="What a graph of skills is made of, in numbers",
        request=wire.RouteGraphRequest,
        answer=wire.RouteOutline,
        call=lambda application, request, _: application.routes.outline(request),
        http=_post("outline"),
    ),
    Operation(
        name="route_rules",
        summary="What each edge of a graph of skills waits for",
        request=wire.RouteGraphRequest,
        answer=wire.RouteRulesAnswer,
        call=lambda application, request, _: application.routes.rules(request),
        http=_post("rules"),
    ),
    Operation(
        name="route_walk",
        summary="Several steps through a graph of skills: where each leads, why, and why not elsewhere",
        request=wire.RouteWalkRequest,
        answer=wire.RouteWalkAnswer,
        call=lambda application, request, _: application.routes.walk(request),
        http=_post("walk"),
    ),
    Operation(
        name="route_score",
        summary="Score the entries against a message",
        request=wire.RouteScoreRequest,
        answer=wire.RouteScoring,
        call=lambda application, request, _: application.routes.score(request),
        http=_post("score"),
    ),
)
