"""From what the files say to declarations: names bound, links followed, entries in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from loreweave.contracts.route_values import GraphProblem, ReadOnlyDict
from loreweave.routing.declaring.conditions import Keywords
from loreweave.routing.declaring.decision_tree import TreeDecision, decide
from loreweave.routing.declaring.declarations import (
    Declarations,
    DeclaredEntry,
    DeclaredRoute,
    EntryChoice,
    Place,
    declare_entry,
    declare_route,
)
from loreweave.routing.declaring.skill import Skill
from loreweave.routing.folders.body_links import find_body_links
from loreweave.routing.folders.bounded_pattern import BoundedKeywords
from loreweave.routing.folders.entry_line import Condition, EntryLine, NamedPredicates
from loreweave.routing.folders.graph_header import GRAPH_FILE, TreeNode
from loreweave.routing.folders.route_line import RouteLine
from loreweave.routing.folders.skill_file import SkillFile
from loreweave.routing.folders.skill_folder import SkillFolder
from loreweave.routing.graph_problems import SkillGraphError, quoted, skill_file_error

Tools = Mapping[str, Any] | Iterable[str] | None
OpenScorer = Callable[[str], Any]


def declare_folder(folder: SkillFolder, names: NamedPredicates, tools: Tools, open_scorer: OpenScorer) -> Declarations:
    """A name that is not bound, or a tool that was not handed over, is a SkillFileError with its line."""
    return _Declaring(folder, names, tools, open_scorer).declarations()


class _Declaring:
    def __init__(self, folder: SkillFolder, names: NamedPredicates, tools: Tools, open_scorer: OpenScorer) -> None:
        self._folder = folder
        self._names = names
        self._tools = tools if tools is None or isinstance(tools, Mapping) else {name: name for name in tools}
        self._open_scorer = open_scorer
        self._findings = list(folder.findings)
        self._noted: set[tuple[str | None, str]] = set()

    def declarations(self) -> Declarations:
        folder = self._folder
        entries = self._entries()
        routes: list[DeclaredRoute] = []
        skills: list[Skill] = []
        for file in folder.skills:
            own = self._routes(file)
            linked, resources = self._follow_links(file, {route.to for route in own})
            routes += (*own, *linked)
            skills.append(self._skill(file, resources))
        tree = None if folder.header.tree is None else self._tree(folder.header.tree)
        if tree is not None:
            self._refuse_beside_tree()
            entries, routes = [], []  # what only links say, or a note's type, gives way to the tree
        return Declarations(
            skills=tuple(skills),
            entries=tuple(entries),
            routes=tuple(routes),
            tree=tree,
            choice=self._choice(),
            limits=folder.header.limits,
            findings=tuple(self._findings),
            files=ReadOnlyDict({file.id: file.path for file in folder.skills}),
        )

    def _skill(self, file: SkillFile, resources: tuple[str, ...]) -> Skill:
        tools: list[Any] = []
        for name in file.tools:
            if self._tools is not None and name not in self._tools:
                raise skill_file_error(f"{quoted(name)} is no tool that was handed over", file.path, file.tools_line)
            tools.append(name if self._tools is None else self._tools[name])
        try:
            return Skill(file.id, file.description, file.body, tuple(tools), file.end, resources, file.metadata)
        except SkillGraphError as trouble:
            raise skill_file_error(str(trouble), file.path, 1) from None

    def _entries(self) -> list[DeclaredEntry]:
        found: list[tuple[tuple[bool, int, str], DeclaredEntry, SkillFile, EntryLine]] = []
        for file in self._folder.skills:
            for line, entry in file.entries:
                place = Place(file.path, line)
                when = None if entry.condition is None else self._bound(entry.condition, file, place)
                try:
                    declared = declare_entry(file.id, when, entry.label, entry.kind == "always", place)
                except SkillGraphError as trouble:
                    raise skill_file_error(str(trouble), file.path, line) from None
                rank = file.rank if entry.order is None else (False, entry.order, file.id)
                found.append((rank, declared, file, entry))
        if not found and self._folder.header.tree is None:
            return [DeclaredEntry(file.id, place=Place(file.path)) for file in self._folder.skills]
        found.sort(key=lambda one: one[0])  # stable: several of one skill as it states them
        self._note_unordered([(file, declared) for rank, declared, file, _ in found if rank[0]], found)
        return [declared for _, declared, _, _ in found]

    def _note_unordered(self, unordered: list[tuple[SkillFile, DeclaredEntry]], found: list[Any]) -> None:
        plain = sum(declared.when is None for _, declared, _, _ in found)
        if plain < 2 or self._folder.is_vault or self._folder.header.entry_by is not None:
            return
        for file, declared in unordered:
            if declared.when is None:
                sentence = (
                    f"{quoted(file.id)} is an entry without a condition beside others and has no skillgraph.order, "
                    "so its name decides which one wins: give it an order"
                )
                line = declared.place.line if declared.place else None
                self._find("warning", "unordered-entries", sentence, file, line)

    def _routes(self, file: SkillFile) -> list[DeclaredRoute]:
        found = []
        for line, route in file.routes:
            place = Place(file.path, line)
            when = None if route.when is None else self._bound(route.when, file, place, on_route=True)
            try:
                found.append(_declared(file.id, route, when, place))
            except SkillGraphError as trouble:
                raise skill_file_error(f"the route cannot be read: {trouble}", file.path, line) from None
            if isinstance(route.tool, str) and route.tool not in (*file.tools, "read_skill"):
                sentence = f"{quoted(file.id)} routes on {quoted(route.tool)}, which its skillgraph.tools does not list"
                self._find("warning", "route-tool-not-owned", sentence, file, line)
        return found

    def _follow_links(self, file: SkillFile, routed: set[str]) -> tuple[list[DeclaredRoute], tuple[str, ...]]:
        """Bare edges to skills that no route leads to yet, and the files that belong to the skill."""
        edges: list[DeclaredRoute] = []
        resources: dict[str, None] = {}
        dead: set[str] = set()
        for link in find_body_links(file.body):
            target = self._folder.links.target_of(file.path, link)
            line = file.body_line + link.line
            if target.kind == "resource":
                resources[target.name] = None
            elif target.kind == "skill" and target.name != file.id and target.name not in routed:
                routed.add(target.name)
                place = Place(file.path, line)
                edges.append(DeclaredRoute(file.id, target.name, reason=link.reason, place=place))
            elif target.kind == "nothing" and link.target not in dead:
                dead.add(link.target)
                sentence = f"{quoted(file.id)} links to {quoted(link.target)}, which is not there: correct the link"
                self._find("warning", "dangling-link", sentence, file, line)
        return edges, tuple(resources)

    def _choice(self) -> EntryChoice:
        header = self._folder.header
        if header.entry_by in ("keyword", "relevance"):
            return EntryChoice("scorer", self._open_scorer(header.entry_by), header.policy)
        has_entry = header.tree is not None or any(file.entries for file in self._folder.skills)
        return EntryChoice("read") if header.entry_by == "read" or not has_entry else EntryChoice()

    def _tree(self, node: TreeNode | str) -> TreeDecision | str:
        """No deeper than a header may be nested."""
        if isinstance(node, str):
            return node
        predicate = self._bound(node.condition, None, Place(GRAPH_FILE, node.line))
        label = {} if node.label is None else {"label": node.label}
        try:
            return decide(predicate, self._tree(node.then), self._tree(node.otherwise), **label)
        except SkillGraphError as trouble:
            if hasattr(trouble, "path"):
                raise
            raise skill_file_error(str(trouble), GRAPH_FILE, node.line) from None

    def _refuse_beside_tree(self) -> None:
        for file in self._folder.skills:
            if self._folder.is_vault:
                continue
            for line, _ in (*file.entries, *file.routes):
                sentence = f"{GRAPH_FILE} has a tree, which routes by its questions alone: leave entries and routes out"
                raise skill_file_error(sentence, file.path, line)

    def _bound(self, condition: Condition, file: SkillFile | None, place: Place, *, on_route: bool = False) -> Any:
        if isinstance(condition, Keywords):
            return BoundedKeywords(condition.phrases)
        if not isinstance(condition, str):
            return condition
        predicate = self._names.find(condition, on_route=on_route)
        if predicate is None:
            raise skill_file_error(f"@{condition} is no predicate that was handed over", place.file, place.line)
        owner = file.id if file else None
        if not self._names.is_bound(condition) and (owner, condition) not in self._noted:
            self._noted.add((owner, condition))
            sentence = f"@{condition} has no function here: it holds where the answers of a question say so"
            found = GraphProblem("note", "unbound-predicate", sentence, owner, None, None, place.file, place.line)
            self._findings.append(found)
        return predicate

    def _find(self, kind: Any, code: str, sentence: str, file: SkillFile, line: int | None) -> None:
        self._findings.append(GraphProblem(kind, code, sentence, file.id, file=file.path, line=line))


def _declared(from_: str, route: RouteLine, when: Any, place: Place) -> DeclaredRoute:
    return declare_route(
        from_,
        route.to,
        when=when,
        on_tool_return=route.tool,
        on_status=route.statuses or None,
        where=route.where,
        priority=route.priority,
        label=route.label,
        carry=route.carry,
        reason=route.reason,
        place=place,
    )
