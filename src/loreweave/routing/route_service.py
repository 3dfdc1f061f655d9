"""The one door to routing over the wire: what a graph of skills says next, and why. Nothing is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loreweave.contracts import route as answers
from loreweave.contracts import route as asked
from loreweave.contracts.route_values import RouteContext
from loreweave.errors import Conflict, InvalidInput, NotFound, Unavailable
from loreweave.language.edits import nearest_ids
from loreweave.language.markdown.note_slugs import is_skill_file
from loreweave.routing.built_graph import SkillGraph
from loreweave.routing.declaring.skill import Skill
from loreweave.routing.entry_scorers import embedding_scorer, keyword_scorer
from loreweave.routing.entry_scoring import score_entries
from loreweave.routing.explain_move import active_in
from loreweave.routing.folders.route_sources import (
    LateEmbedder,
    OpenedSkills,
    ReadFiles,
    RouteSources,
    SourceLimits,
    refusal,
)
from loreweave.routing.graph_problems import SkillGraphError
from loreweave.routing.rule_words import every_rule
from loreweave.routing.walk_routes import walk_routes

if TYPE_CHECKING:
    from loreweave.routing.folders.export_skills import SkillExport

MOST_DEPTH = 100  # of what a hop carries: deeper values cannot be sent


class RouteService:
    """Each question names its graph, or is asked of one that was opened before."""

    def __init__(
        self,
        read_files: ReadFiles,
        revision_of: Callable[[str], int],
        limits: SourceLimits,
        open_embedder: Callable[[], Any],
    ) -> None:
        self._sources = RouteSources(read_files, revision_of, limits, open_embedder)
        self._open_embedder = open_embedder

    def revision(self, graph_id: str) -> int:
        return self._sources.revision_of(graph_id)

    def open_folder(self, folder: Path) -> OpenedSkills:
        return self._sources.open_folder(folder)

    def export(self, source: str, folder: Path, *, overwrite: bool) -> tuple[SkillExport, bool]:
        """A folder of this computer or a graph, as folders of Agent Skills; and whether anything was written."""
        from loreweave.routing.folders.export_skills import plan_export, write_export

        skills = Path(source).expanduser()
        is_folder = skills.is_dir()
        if is_folder and folder.resolve().is_relative_to(skills.resolve()):
            raise InvalidInput("DIR lies inside the skills: what is written there would be read with them", field="dir")
        opened = self._sources.open_folder(skills) if is_folder else self._sources.open(source, None)
        try:
            export = plan_export(opened, skills if is_folder else None)
            return export, write_export(export, folder, overwrite=overwrite)
        except SkillGraphError as trouble:
            raise refusal(trouble) from None

    def graph(self, request: asked.RouteGraphRequest, opened: OpenedSkills | None = None) -> answers.RouteGraphAnswer:
        graph = self._graph(request, opened)
        return answers.RouteGraphAnswer(
            kind=graph.kind,
            entryBy=graph.entry_by,
            skills=[_without_body(skill) for skill in graph.skills],
            nodes=list(graph.nodes),
            edges=list(graph.edges),
            mermaid=graph.to_mermaid(),
            checkup=graph.checkup(),
        )

    def outline(self, request: asked.RouteGraphRequest, opened: OpenedSkills | None = None) -> answers.RouteOutline:
        graph = self._graph(request, opened)
        links = sum(edge.kind == "model" for edge in graph.edges)
        entries = graph.tables.entry_ids if graph.kind == "flat" else graph.tables.leaves
        problems = graph.checkup().problems
        errors = sum(problem.kind == "error" for problem in problems)
        return answers.RouteOutline(
            kind=graph.kind,
            entryBy=graph.entry_by,
            skills=len(graph.skills),
            entries=len(entries),
            ends=len(graph.tables.ends),
            rules=sum(edge.kind != "entry" for edge in graph.edges) - links,
            links=links,
            errors=errors,
            warnings=len(problems) - errors,
        )

    def rules(self, request: asked.RouteGraphRequest, opened: OpenedSkills | None = None) -> answers.RouteRulesAnswer:
        graph = self._graph(request, opened)
        return answers.RouteRulesAnswer(rules=list(every_rule(graph)), files=dict(graph.declarations.files))

    def walk(self, request: asked.RouteWalkRequest, opened: OpenedSkills | None = None) -> answers.RouteWalkAnswer:
        steps = walk_routes(self._graph(request, opened), request.steps)
        _refuse_deeper([step.state for step in steps], "steps")
        return answers.RouteWalkAnswer(steps=steps)

    def check(self, request: asked.RouteCheckRequest, opened: OpenedSkills | None = None) -> answers.RouteCheckup:
        return answers.RouteCheckup(self._graph(request, opened).checkup(request.knownTools))

    def next(self, request: asked.RouteNextRequest, opened: OpenedSkills | None = None) -> answers.RouteNextAnswer:
        _refuse_blank_cursor(request.context)
        graph = self._graph(request, opened)
        move = graph.explain_next_skill(request.context)
        _refuse_deeper([move.payload], "context")
        active = active_in(graph.tables, move)
        return answers.RouteNextAnswer(
            nextSkill=move.to,
            move=move,
            active=list(active),
            reachable=list(graph.reachable_skills(move.to)),
            tools=list(dict.fromkeys(name for skill in active for name in graph.skill(skill).tool_names)),
        )

    def reachable(
        self, request: asked.RouteReachableRequest, opened: OpenedSkills | None = None
    ) -> answers.RouteReachableAnswer:
        found = self._graph(request, opened).reachable_skills(request.currentSkillId)
        return answers.RouteReachableAnswer(currentSkillId=request.currentSkillId, reachable=list(found))

    def mermaid(
        self, request: asked.RouteMermaidRequest, opened: OpenedSkills | None = None
    ) -> answers.RouteMermaidAnswer:
        return answers.RouteMermaidAnswer(mermaid=self._graph(request, opened).to_mermaid(request.current))

    def score(self, request: asked.RouteScoreRequest, opened: OpenedSkills | None = None) -> answers.RouteScoring:
        _refuse_blank_cursor(request.context)
        graph, context = self._graph(request, opened), request.context
        score = graph.score_entries
        if request.by is not None:
            scorer: Any = keyword_scorer()
            if request.by == "relevance":
                scorer = embedding_scorer(LateEmbedder(self._open_embedder))
            policy = graph.policy if graph.entry_by == scorer.name else None
            found = score_entries(graph.tables, graph.declarations, scorer, policy, context)
        elif score is not None:
            found = score(context)  # type: ignore[assignment]
        else:
            raise Conflict(
                "This graph declares no scorer: say which with `by`, keyword or relevance", code="no_scorer", field="by"
            )
        try:
            scoring = asyncio.run(found)
        except SkillGraphError as trouble:  # the embedder answered something else than vectors
            raise Unavailable(f"The entries cannot be scored: {trouble}", what="embedder") from None
        return answers.RouteScoring(scoring)

    def read(
        self, request: asked.RouteReadRequest, opened: OpenedSkills | None = None
    ) -> answers.RouteSkillText | answers.RouteFileText:
        """A skill's text or one of its files, behind the gate that an agent has: only what is reachable from here."""
        opened = opened or self._sources.open(request.graphId, request.files)
        graph = opened.graph
        if request.id not in graph.tables.positions:
            shown = request.id[:200]
            refusal = NotFound(f"There is no skill {shown!r}", skill=shown)
            if near := nearest_ids(shown, graph.tables.positions):
                refusal.facts["nearest"] = near
            raise refusal
        allowed = graph.reachable_skills(request.currentSkillId)
        is_current = request.path is not None and request.id == request.currentSkillId
        if request.id not in allowed and not is_current:
            shown = ", ".join(allowed) or "none"
            sentence = f"{request.id} cannot be reached from here; allowed: {shown}"
            raise Conflict(sentence, code="not_reachable", allowed=list(allowed))
        skill = graph.skill(request.id)
        if request.path is not None:
            return answers.RouteFileText(id=skill.id, path=request.path, content=_file(opened, skill.id, request.path))
        return answers.RouteSkillText(
            id=skill.id,
            description=skill.description,
            body=skill.body,
            tools=list(skill.tool_names),
            resources=list(skill.resources),
        )

    def _graph(self, request: asked.RouteSource, opened: OpenedSkills | None) -> SkillGraph:
        return (opened or self._sources.open(request.graphId, request.files)).graph


def _file(opened: OpenedSkills, name: str, path: str) -> str:
    """One of the resources, or a file of the skill's own folder."""
    graph = opened.graph
    own = graph.declarations.files.get(name)
    if path in opened.files and (path in graph.skill(name).resources or path == own or _owner(graph, path) == name):
        return opened.files[path]
    raise NotFound(f"{name} has no file {path[:200]!r}", skill=name, path=path[:200])


def _owner(graph: SkillGraph, path: str) -> str | None:
    """The skill in whose folder a file lies, the innermost of several."""
    folders = {file.rpartition("/")[0]: name for name, file in graph.declarations.files.items() if is_skill_file(file)}
    while path:
        path = path.rpartition("/")[0]
        if path in folders:
            return folders[path]
    return None


def _refuse_blank_cursor(context: RouteContext) -> None:
    if context.current_skill_id == "":
        raise InvalidInput("context.currentSkillId must not be empty", field="context.currentSkillId")


def _without_body(skill: Skill) -> answers.RouteSkill:
    assert skill.trigger is not None  # every skill of a built graph has one
    return answers.RouteSkill(
        id=skill.id,
        description=skill.description,
        tools=list(skill.tool_names),
        trigger=skill.trigger.kind,
        end=skill.end,
        resources=list(skill.resources),
    )


def _refuse_deeper(carried: Sequence[Any], field: str) -> None:
    level = list(carried)
    for _ in range(MOST_DEPTH + 1):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list | tuple)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return
    raise InvalidInput(f"A carried field is nested deeper than {MOST_DEPTH}", field=field)
