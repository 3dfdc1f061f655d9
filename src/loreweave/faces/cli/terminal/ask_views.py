"""Answers of `ask` for a person on a terminal; links can be clicked where the terminal knows how."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.text import Text

from loreweave.contracts import ask
from loreweave.faces.cli.program import safe
from loreweave.faces.cli.terminal.terminal_text import plain, table


def show_on_terminal(answer: BaseModel) -> None:
    Console().print(VIEWS[type(answer)](answer))


def link(text: str, url: str) -> Text:
    """Clickable where the address is a whole one; a path leads nowhere outside a browser."""
    shown = plain(text)
    if url.startswith(("http://", "https://")):
        shown.stylize(Style(link=safe(url)))
    return shown


def glossary(answer: ask.GlossaryList) -> RenderableType:
    if not answer.terms:
        return plain("The documents define no terms.")
    rows = ((entry.term, ", ".join(entry.aliases), entry.definition) for entry in answer.terms)
    return table(("term", "also", "definition"), rows)


def entry(answer: ask.GlossaryEntry) -> RenderableType:
    also = f" ({', '.join(answer.aliases)})" if answer.aliases else ""
    return Group(_bold(answer.term + also), plain(answer.definition))


def sections(answer: ask.SectionList) -> RenderableType:
    if not answer.sections:
        return plain("There are no sections here: `lore ingest FOLDER` reads documents.")
    rows = ((part.id, part.title, part.heading or "", part.group or "") for part in answer.sections)
    return table(("id", "page", "heading", "group"), rows)


def node(answer: ask.KnowledgeNode) -> RenderableType:
    facts = [plain(f"{fact.kind:8}{fact.literal}") for fact in answer.facts]
    return Group(
        _bold(answer.title + (f" › {answer.heading}" if answer.heading else "")),
        link(answer.url, answer.url),
        Text(),
        plain(answer.summary),
        *([Text(), _bold("Facts"), *facts] if facts else []),
    )


def overview(answer: ask.OverviewAnswer) -> RenderableType:
    return Group(plain(answer.context), Text(), plain(answer.overview))


def results(answer: ask.KeywordResponse) -> RenderableType:
    if not answer.results:
        return plain("Nothing found. Other words may help; `ask overview` shows what there is.")
    parts: list[RenderableType] = []
    for number, found in enumerate(answer.results, start=1):
        name = found.title + (f" › {found.heading}" if found.heading else "")
        parts += [_bold(f"{number}. {name}"), link(found.url, found.url), highlighted(found), Text()]
    return Group(*parts[:-1])


def highlighted(found: ask.KeywordResult) -> Text:
    snippet = plain(found.snippet)
    for start, end in found.highlights:
        snippet.stylize("bold", start, end)
    return snippet


def _bold(text: str) -> Text:
    shown = plain(text)
    shown.stylize("bold")
    return shown


VIEWS: dict[type, Callable[[Any], RenderableType]] = {
    ask.GlossaryList: glossary,
    ask.GlossaryEntry: entry,
    ask.SectionList: sections,
    ask.KnowledgeNode: node,
    ask.OverviewAnswer: overview,
    ask.KeywordResponse: results,
}


class AnswerOnTerminal:
    """An answer as it comes: what is searched, the text, then its sources and what could not be found in them."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._found: list[dict[str, Any]] = []
        self._in_line = False  # the text on the screen stands in a line that is not ended

    def end(self) -> None:
        """Whatever comes next on the screen begins a line, also where the answer was broken off."""
        if self._in_line:
            self._console.print()
            self._in_line = False

    def show(self, event: str, value: dict[str, Any]) -> None:
        getattr(self, f"_{event}", self._other)(value)

    def _other(self, value: dict[str, Any]) -> None:
        """An event of a later version: nothing to show."""

    def _keyword(self, value: dict[str, Any]) -> None:
        self._console.print(results(ask.KeywordResponse.model_validate(value, strict=False)))

    def _search(self, value: dict[str, Any]) -> None:
        self._console.print(plain(f"searching: {value['query']}"), style="dim")

    def _sources(self, value: dict[str, Any]) -> None:
        self._found = value["sources"]

    def _token(self, value: dict[str, Any]) -> None:
        self._console.print(plain(value["text"]), end="", soft_wrap=True)
        self._in_line = True

    def _error(self, value: dict[str, Any]) -> None:
        self.end()

    def _done(self, value: dict[str, Any]) -> None:
        self.end()
        if value.get("truncated"):
            self._console.print(plain("The answer was cut off at its length limit."), style="dim")
        for source in self._found:
            name = source.get("heading") or source.get("title") or source["url"]
            self._console.print(Text("  • "), link(name, source["url"]), plain(f" {source['url']}"), sep="")
        if value.get("unverified"):
            self._console.print(plain("Not found in the sources: " + ", ".join(value["unverified"])), style="dim")


class ChatOnTerminal(AnswerOnTerminal):
    """A turn of a conversation as it comes: what is read, the text, then what it cites."""

    def _read(self, value: dict[str, Any]) -> None:
        names = ", ".join(source["title"] for source in value["sources"])
        self._console.print(plain(f"reading: {names}"), style="dim")
        self._found += value["sources"]

    _text = AnswerOnTerminal._token

    def _done(self, value: dict[str, Any]) -> None:
        titles = {source["id"]: source["title"] for source in self._found}
        cited = value["citations"] if value["mode"] == "answer" else []  # passages stand below their links
        self._found = [{"title": titles[each["id"]], "url": each["url"]} for each in cited]
        super()._done(value)
