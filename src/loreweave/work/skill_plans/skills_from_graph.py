"""Notes as skills: a note is a prompt, and a map of notes asks which of them is meant and runs that one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from loreweave.contracts.skill_plan import MOST_OPTIONS, CutLink, GraphSkills, SkillCategory, SkillSpec
from loreweave.knowledge.graph.graph_library import GraphLibrary, PinnedGraph
from loreweave.knowledge.graph.stored_notes import render_sections
from loreweave.language.headers.read_header import read_header

LONGEST_PROMPT = 5_000
LONGEST_NAME = 200
MOST_MADE = 1_000  # skills of one graph in one run: each has up to 5,000 characters, and all are kept with it
MOST_FRAMES = 9  # below the plan that invokes the first
_IN_A_NEST = 40  # branches beside one another: a list of steps is bounded
_CATEGORIES: dict[str, SkillCategory] = {
    "moc": "composite",
    "technique": "feature",
    "claim": "feature",
    "framework": "agent",
    "exploration": "agent",
}


def skills_from_graph(library: GraphLibrary, graph_id: str, node_id: str) -> GraphSkills:
    """The note, and everything that it leads to by way of maps."""
    with library.pin(graph_id) as pinned:
        root = pinned.resolve(node_id)
        making = _Making(pinned)
        making.add(root)
        return GraphSkills(
            root=making.identity(root),
            skills=list(making.skills.values()),
            cut=making.cut,
            revision=pinned.view.revision,
        )


@dataclass
class _Making:
    pinned: PinnedGraph
    skills: dict[str, SkillSpec] = field(default_factory=dict)
    cut: list[CutLink] = field(default_factory=list)

    def identity(self, node: int) -> str:
        return _short(f"{self.pinned.view.graph_id}/{self.pinned.view.nodes[node].id}")

    def add(self, root: int) -> None:
        """Maps before what they lead to, each note once; without recursion, however deep maps lie in one another."""
        waiting: list[tuple[int, tuple[int, ...]]] = [(root, ())]
        while waiting:
            node, path = waiting.pop()
            if self.identity(node) in self.skills:
                continue
            category = self._category(node)
            options = self._options(node, (*path, node)) if category == "composite" else []
            options = self._counted(node, options, MOST_MADE - len(self.skills) - len(waiting) - 1)
            if options:
                self._add_map(node, options)
                waiting += [(option, (*path, node)) for option in reversed(options)]
            else:
                self._add_prompt(node, "feature" if category == "composite" else category)

    def _options(self, node: int, path: tuple[int, ...]) -> list[int]:
        """What a map leads to; a link back to where one came from would never end."""
        options = []
        for linked in self.pinned.linked(node):
            if linked in path or (len(path) >= MOST_FRAMES and self._category(linked) == "composite"):
                self.cut.append(CutLink(source=self.identity(node), target=self.identity(linked)))
            else:
                options.append(linked)
        return options

    def _counted(self, node: int, options: list[int], room: int) -> list[int]:
        """As many as there is room for, their groups counted; the rest is cut."""
        most = max(0, room - room // MOST_OPTIONS - 1)
        self.cut += [CutLink(source=self.identity(node), target=self.identity(left)) for left in options[most:]]
        return options[:most]

    def _category(self, node: int) -> SkillCategory:
        """What the note itself says counts more than what its type suggests."""
        [(_, source, _)] = self.pinned.readings([node], "")
        said = read_header(source).fields.get("category")
        if isinstance(said, str) and said.strip().lower() in get_args(SkillCategory):
            return said.strip().lower()  # type: ignore[return-value]
        return _CATEGORIES.get(self.pinned.view.nodes[node].type, "feature")

    def _add_prompt(self, node: int, category: SkillCategory) -> None:
        self._add(self.identity(node), self.pinned.view.nodes[node].name, self._prompt(node), category)

    def _prompt(self, node: int) -> str:
        """All of the note, or its sections, or what it is about: whatever fits, whole."""
        body = self.pinned.bodies([node])[node].strip()
        if len(body) <= LONGEST_PROMPT:
            return body
        sections = render_sections(self.pinned.sections([node])[node])
        return sections if len(sections) <= LONGEST_PROMPT else self._description(node)

    def _description(self, node: int) -> str:
        return self.pinned.level_one([node])[node].description[:LONGEST_PROMPT]

    def _add_map(self, node: int, options: Sequence[int]) -> None:
        view = self.pinned.view
        name, identity = view.nodes[node].name, self.identity(node)
        question = self._description(node) or f"{name}: which of these?"
        choices = [(view.nodes[option].name, self.identity(option)) for option in options]
        if len(choices) <= MOST_OPTIONS:
            self._add(identity, name, "", "composite", _flow(identity, name, question, choices))
            return
        groups = [choices[start : start + MOST_OPTIONS] for start in range(0, len(choices), MOST_OPTIONS)]
        named = []
        for number, group in enumerate(groups, 1):
            title = f"{group[0][0]} … {group[-1][0]}"
            inner = _short(f"{identity}#{number}")
            named.append((title, inner))
        self._add(identity, name, "", "composite", _flow(identity, name, question, named))
        for (title, inner), group in zip(named, groups, strict=True):
            self._add(inner, title, "", "composite", _flow(inner, name, question, group))

    def _add(
        self, identity: str, name: str, prompt: str, category: SkillCategory, flow: dict[str, Any] | None = None
    ) -> None:
        """Notes are no templates: two braces in them are two braces."""
        self.skills[identity] = SkillSpec(
            id=identity, name=name[:LONGEST_NAME], prompt=prompt, category=category, workspace=flow, template=False
        )


def _short(identity: str) -> str:
    """Ids of skills are bounded; equal notes get equal ids."""
    if len(identity) <= LONGEST_NAME:
        return identity
    return f"{identity[: LONGEST_NAME - 17]}~{hashlib.sha256(identity.encode()).hexdigest()[:16]}"


def _flow(identity: str, name: str, question: str, choices: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Asked once, the chosen one is invoked, and what it comes to is told."""
    labels = _labels([label for label, _ in choices])
    asked = {"QUESTION": _literal(question)[:2_000], "HEADER": name[:LONGEST_NAME], "OPTIONS": ",".join(labels)}
    blocks = [
        _block(_short(f"{identity}:ask"), "skill_ask_user", {**asked, "STORE_AS": "chosen"}),
        _block("begin", "skill_set_context", {"KEY": "asked", "VALUE": "yes"}),
        *_nests(labels, [skill for _, skill in choices]),
        _block("tell", "skill_output", {"TEMPLATE": "{{result}}"}),
    ]
    start = {"type": "skill_flow_start", "id": "start"}
    return {"blocks": {"blocks": [_chained([start, *blocks])]}}


def _literal(text: str) -> str:
    """Questions and options are templates; what a note says is none."""
    return text.replace("{{", "{ {")


def _nests(labels: Sequence[str], skills: Sequence[str]) -> Iterator[dict[str, Any]]:
    branches = [
        _block(
            f"if-{number}",
            "skill_branch_if",
            {"CONTEXT_KEY": "chosen", "MATCH_VALUE": label},
            [_block(f"run-{number}", "skill_invoke", {"SKILL_ID": skill, "STORE_AS": "result"})],
        )
        for number, (label, skill) in enumerate(zip(labels, skills, strict=True), 1)
    ]
    for start in range(0, len(branches), _IN_A_NEST):
        inside = {"CONTEXT_KEY": "asked", "MATCH_VALUE": "yes"}
        yield _block(f"nest-{start}", "skill_branch_if", inside, branches[start : start + _IN_A_NEST])


def _labels(names: Sequence[str]) -> list[str]:
    """Options are split at commas, and of two that read alike only one could ever be chosen."""
    labels: list[str] = []
    for name in names:
        label = plain = " ".join(_literal(name).replace(",", " ").split())[:400] or "?"
        count = 1
        while label in labels:
            count += 1
            label = f"{plain} ({count})"
        labels.append(label)
    return labels


def _block(
    identity: str, kind: str, fields: dict[str, str], inside: Sequence[dict[str, Any]] | None = None
) -> dict[str, Any]:
    block: dict[str, Any] = {"type": kind, "id": identity, "fields": fields}
    if inside:
        block["inputs"] = {"THEN_BLOCKS": {"block": _chained(inside)}}
    return block


def _chained(blocks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Each under the one before it, as the editor saves them."""
    chained = dict(blocks[-1])
    for block in reversed(blocks[:-1]):
        chained = {**block, "next": {"block": chained}}
    return chained
