"""Whether what is found is of use: is the text that answers in the pack, is the page that answers on top?

Packs and searches come from the service itself, each corpus ingested as a folder. Beside every figure stands that of
a naive packer over the same files in the same run, its tokens counted by our own counter.
"""

import json
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.benchmarks.ask_questions import read_site
from tests.benchmarks.measuring import Line
from tests.benchmarks.naive_packer import NaivePacker
from tests.benchmarks.workshop import Workshop
from tests.meant_links import of_check, of_graph, of_pages, of_sections

from loreweave.application import Application, open_application
from loreweave.contracts.ask import AskRequest
from loreweave.contracts.session_events import Task
from loreweave.contracts.skill_graph import ContextRequest, NodeRequest, SearchRequest
from loreweave.settings import Settings
from loreweave.work.grounding.task_knowledge import TaskKnowledge

CASE = "useful"
NEEDED = ("answers.json", "k8s-questions.json", "docs-site", "skill-vault", "agent-skills", "k8s-docs")
KINDS = {"a": "paraphrase", "b": "shared words", "c": "keywords", "d": "identifier", "e": "symptom"}
IN_PACK = {1500: 0.78, 3000: 0.83, 6000: 0.88}  # tokens: share of all questions at least
PARAPHRASES = {3000: 0.45}
BELOW_NAIVE = 0.02  # on any one corpus, at most
PAGES: dict[str, float | None] = {"hit@1": None, "hit@5": 0.42, "hit@10": 0.56, "MRR": 0.28}
KNOWN_ITEMS: dict[str, float | None] = {
    "hit@1": 0.929,
    "hit@5": 0.978,
    "MRR": 0.951,
}  # may not fall by more than a point
QUESTIONED_SITE, KNOWN_SITE = "k8s-docs", "docs-site"
RESULTS = 50  # that a search shows
TOLERANCE = 1e-9  # a share that is the promise is not below it


@dataclass(frozen=True, slots=True)
class Packed:
    """Whether the answer to a question is in our pack and in the naive one, by budget."""

    corpus: str
    kind: str
    ours: dict[int, bool]
    naive: dict[int, bool]


@pytest.mark.holds(
    "graph.budget.answer-in-pack", "ask.search.page-found", "one.build.useful", "retrieval.ranking.pages",
    "retrieval.ranking.agree", "graph.reading.links-agree",
)  # fmt: skip
def useful_case(workshop: Workshop) -> Iterator[Line]:
    given = workshop.given
    missing = [name for name in NEEDED if given is None or not (given / name).exists()]
    if given is None or missing:
        yield Line(CASE, "no questions to ask", 0, "", remark=f"needs {', '.join(missing)} in the data folder")
        return
    application = open_application(Settings(data_dir=workshop.new_folder("useful")))
    answers = json.loads((given / "answers.json").read_text(encoding="utf-8"))
    corpora = list(dict.fromkeys(answer["corpus"] for answer in answers))
    graphs = {name: application.graphs.ingest_folder(given / name, name=name).graphId for name in corpora}
    packed: list[Packed] = []
    for name in corpora:
        naive = NaivePacker(given / name)
        asked = [answer for answer in answers if answer["corpus"] == name]
        packed += [_packed(application, graphs[name], naive, answer) for answer in asked]
    yield from _pack_lines(packed, corpora)
    told = [_told_to_agent(application, graphs[answer["corpus"]], answer) for answer in answers]
    share = _share([one.ours[6000] for one in packed])
    yield _promised(
        "in a build's prompt or first search", _share(told), share, "packs", "packs at 6,000", share, len(told)
    )
    pages = json.loads((given / "k8s-questions.json").read_text(encoding="utf-8"))
    found = [_page_rank(application, graphs[QUESTIONED_SITE], one["question"], one["page"]) for one in pages]
    yield from _rank_lines("page found", found, PAGES)
    yield from _rank_lines("known item", _known_items(application, graphs[KNOWN_SITE], given), KNOWN_ITEMS)
    asked = [(graphs[one["corpus"]], one["question"]) for one in answers]
    asked += [(graphs[QUESTIONED_SITE], one["question"]) for one in pages]
    agreed = _share([len(_first_notes(application, *question)) == 1 for question in asked])
    yield _promised("context, search and ask search have one page first", agreed, 1.0, questions=len(asked))
    for graph in graphs.values():
        known = [of(application, graph) for of in (of_graph, of_sections, of_pages, of_check)]
        every = set.union(*known)
        share = len(set.intersection(*known)) / len(every) if every else 1.0
        yield Line(
            CASE, f"links that graph, sections, pages and check share, {graph}", share, "", promise="= 1",
            kept=share == 1, remark=f"{len(known[0])} links",
        )  # fmt: skip
    application.close()


def _first_notes(application: Application, graph: str, question: str) -> set[str | None]:
    """What each of those has first that order what a question finds; None where one finds nothing."""
    request = ContextRequest(graphId=graph, query=question, tokenBudget=min(IN_PACK))
    packed = [node.id for node in application.retrieval.context(request).contextPack.nodes if node.level >= 3]
    found = application.retrieval.search(SearchRequest(graphId=graph, query=question, limit=1)).results
    paths = {page.slug: page.path for page in application.digest_library.open(graph).pages.values()}
    pages = [paths[section.partition("#")[0]] for section in _found(application, graph, question)[:1]]
    asked = [application.retrieval.read_node(NodeRequest(graphId=graph, id=page)).id for page in pages]
    return {next(iter(ids), None) for ids in (packed, [node.id for node in found], asked)}


def _packed(application: Application, graph: str, naive: NaivePacker, answer: dict) -> Packed:
    question, gold = answer["question"], answer["gold"]
    ours: dict[int, bool] = {}
    for budget in IN_PACK:
        request = ContextRequest(graphId=graph, query=question, tokenBudget=budget)
        nodes = application.retrieval.context(request).contextPack.nodes
        ours[budget] = any(text in (node.content or "") for node in nodes for text in gold)
    packs = {budget: naive.pack(question, budget) for budget in IN_PACK}
    theirs = {budget: any(text in pack for text in gold) for budget, pack in packs.items()}
    return Packed(answer["corpus"], answer["kind"], ours, theirs)


def _told_to_agent(application: Application, graph: str, answer: dict) -> bool:
    """Whether an agent whose task is the question has its answer before it, or after it searched for it once."""
    session_id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{graph}/{answer['question']}"))
    application.knowledge.take(session_id, graph)
    knowledge = TaskKnowledge(application.knowledge, session_id, "task", 1)
    empty = {"status": "pending", "agent_name": "", "dependencies": [], "acceptance_criteria": [], "retry_count": 0}
    task = Task.model_validate({"id": "task", "name": "", "description": answer["question"], **empty})
    texts = [text for _, text in knowledge.brief(task, application.settings.token_budget)["texts"]]
    search = knowledge.lookups().search_docs
    assert search is not None
    return any(gold in text for text in [*texts, search(answer["question"])] for gold in answer["gold"])


def _pack_lines(packed: Sequence[Packed], corpora: Sequence[str]) -> Iterator[Line]:
    for corpus in corpora:
        chosen = [one for one in packed if one.corpus == corpus]
        for budget in IN_PACK:
            naive = _share([one.naive[budget] for one in chosen])
            yield _pack_line(corpus, budget, chosen, naive - BELOW_NAIVE, "naive−.02")
    for kind, name in KINDS.items():
        for budget in IN_PACK:
            chosen = [one for one in packed if one.kind == kind]
            yield _pack_line(f"{kind} {name}", budget, chosen, PARAPHRASES.get(budget) if kind == "a" else None)
    for budget, least in IN_PACK.items():
        yield _pack_line("all", budget, packed, least)


def _pack_line(of: str, budget: int, chosen: Sequence[Packed], least: float | None, said: str = "") -> Line:
    ours, naive = (_share([getattr(one, who)[budget] for one in chosen]) for who in ("ours", "naive"))
    return _promised(f"in pack at {budget:,}, {of}", ours, least, said, "naive packer", naive, len(chosen))


def _known_items(application: Application, graph: str, given: Path) -> list[int | None]:
    """Sections that their own headings, links and literals ask for, of the half that nothing was tuned on."""
    questions = [question for question in read_site(given / KNOWN_SITE).questions if not question.tuned]
    return [_place(_found(application, graph, question.text), question.answer) for question in questions]


def _page_rank(application: Application, graph: str, question: str, page: str) -> int | None:
    pages = list(dict.fromkeys(found.partition("#")[0] for found in _found(application, graph, question)))
    return _place(pages, page.removesuffix(".md"))


def _found(application: Application, graph: str, question: str) -> list[str]:
    results = application.asking.search(AskRequest(query=question, limit=RESULTS, typing=True), graph).results
    return [result.id for result in results]


def _place(found: Sequence[str], wanted: str) -> int | None:
    return found.index(wanted) if wanted in found else None


def _rank_lines(what: str, ranks: Sequence[int | None], promises: dict[str, float | None]) -> Iterator[Line]:
    for figure, least in promises.items():
        if figure == "MRR":
            value = sum(1 / (rank + 1) for rank in ranks if rank is not None) / max(1, len(ranks))
        else:
            most = int(figure.removeprefix("hit@"))
            value = _share([rank is not None and rank < most for rank in ranks])
        yield _promised(f"{what}, {figure}", value, least, questions=len(ranks))


def _promised(
    what: str, value: float, least: float | None, said: str = "", against: str = "", other: float | None = None,
    questions: int = 0,
) -> Line:  # fmt: skip
    promise = "" if least is None else f"≥ {said or format(least, '.3g')}"
    kept = None if least is None else value >= least - TOLERANCE
    return Line(CASE, what, value, "", against, other, promise, kept, f"{questions} questions")


def _share(hits: Sequence[bool]) -> float:
    return sum(hits) / max(1, len(hits))
