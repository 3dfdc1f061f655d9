"""Documents as a model reads them: passages found, one section, a term, and bearings that begin with what there is."""

from collections import Counter
from typing import Any

from loreweave.application import Application
from loreweave.contracts import ask as asked
from loreweave.faces.mcp.fitted_text import longest_fit, told_list, told_text
from loreweave.faces.mcp.tell_graphs import NOTHING, Ask, counted

NO_GROUP = "no group"
_MOST_GROUPS = 12
_LONGEST_CONTEXT = 1200  # characters of what somebody may have written at length


def tell_search(application: Application, request: Any, ask: Ask) -> str:
    return _results(ask(request), _graph(application, request), request.maxTokens)


def _results(found: asked.KeywordResponse, graph: str, budget: int) -> str:
    head = (graph if found.results else f"{graph}\n\n{NOTHING}") + (f"\n{found.warning}" if found.warning else "")

    def make(count: int) -> str:
        more = [f"{len(found.results) - count} more: call again with a larger maxTokens."]
        shown = map(_result, found.results[:count])
        return "\n\n".join([head, *shown, *(more if count < len(found.results) else [])])

    return longest_fit(budget, make, len(found.results))


def _result(result: asked.KeywordResult) -> str:
    return f"**{_titled(result)}** `{result.id}`\n{result.url}\n{result.snippet}"


def tell_answer(application: Application, request: Any, ask: Ask) -> str:
    answer = ask(request)
    graph, budget = _graph(application, request), request.maxTokens
    if isinstance(answer, asked.KeywordResponse):
        return _results(answer, graph, budget)
    notes = [f"Not found in the sources: {', '.join(answer.unverified)}"] if answer.unverified else []
    notes += ["The answer was cut off."] if answer.truncated else []
    sources = [f"- [{_titled(source)}]({source.url}) `{source.id}`" for source in answer.sources]
    return told_text(graph, "\n\n".join([answer.answer, *notes]), budget, _more, ["Sources:", *sources])


def tell_section(application: Application, request: Any, ask: Ask) -> str:
    section: asked.KnowledgeNode = ask(request)
    text = application.pages.section_source(section.id, request.graph)
    facts = [_graph(application, request), section.group or "", section.url]
    head = f"**{_titled(section)}** `{section.id}`\n{' · '.join(filter(None, facts))}"
    return told_text(head, text.strip(), request.maxTokens, _more)


def tell_term(application: Application, request: Any, ask: Ask) -> str:
    head = _graph(application, request)
    return told_text(head, _term(ask(request)), request.maxTokens, _more)


def tell_glossary(application: Application, request: Any, ask: Ask) -> str:
    terms = ask(request).terms
    head = f"{_graph(application, request)} · {counted(len(terms), 'term')}"
    return told_list(head, list(map(_term, terms)), request)


def _term(entry: asked.GlossaryEntry) -> str:
    also = f" (also {', '.join(entry.aliases)})" if entry.aliases else ""
    return f"**{entry.term}**{also}: {entry.definition}"


def tell_sections(application: Application, request: Any, ask: Ask) -> str:
    sections = ask(request).sections
    head = f"{_graph(application, request)} · {counted(len(sections), 'section')}"
    return told_list(head, [f"- `{section.id}` {_titled(section)}" for section in sections], request)


def tell_overview(application: Application, request: Any, ask: Ask) -> str:
    """Groups, counts and the most linked pages, then the pages one by one."""
    answer: asked.OverviewAnswer = ask(request)
    sections = application.asking.sections(None, request.graph).sections
    pages: dict[str, asked.SectionSummary] = {}
    parts = Counter[str]()
    for section in sections:
        page = section.id.partition("#")[0]
        pages.setdefault(page, section)
        parts[page] += 1
    groups = Counter(first.group or NO_GROUP for first in pages.values())
    linked = ", ".join(f"`{page.id}` {page.title}" for page in application.asking.most_linked(request.graph))
    head = [
        f"{_graph(application, request)} · {counted(len(pages), 'page')}, {counted(len(sections), 'section')}",
        f"Groups, by pages: {_counts(groups)}" if groups else "",
        f"Most linked: {linked}" if linked else "",
        answer.context[:_LONGEST_CONTEXT],
    ]
    ordered = sorted(pages, key=lambda page: (pages[page].group or "", page))
    lines = [f"- `{pages[page].id}` {pages[page].title} ({parts[page]})" for page in ordered]
    return told_list("\n".join(filter(None, head)) + "\n\nPages, with the number of their sections:", lines, request)


def _counts(groups: Counter[str]) -> str:
    listed = ", ".join(f"{group} ({count})" for group, count in groups.most_common(_MOST_GROUPS))
    rest = len(groups) - _MOST_GROUPS
    return f"{listed} and {rest} more" if rest > 0 else listed


def _titled(part: Any) -> str:
    return f"{part.title} › {part.heading}" if part.heading else part.title


def _graph(application: Application, request: Any) -> str:
    return f"graph `{application.asking.asked_graph(request.graph)}`"


def _more(tokens: int) -> str:
    return f"About {tokens} tokens more: call again with a larger maxTokens."
