"""/docs: every document of a graph as a page, as its source, and as lists for machines."""

from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from loreweave.application import Application
from loreweave.errors import NotFound
from loreweave.faces.http.asked_values import graph_asked
from loreweave.faces.http.sent_answers import ServiceCalls, cached_answer

if TYPE_CHECKING:
    from loreweave.contracts.context_packs import PageAnswer, PageGroup, PageLine

FEW_PAGES = 40  # so many are listed without folding any group

# Model text and documents are data: no script but our own runs here, nothing is fetched from elsewhere.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
HEADERS = {"Content-Security-Policy": POLICY, "Vary": "Accept, Accept-Encoding"}

# No document gives such ids to its headings: their anchors must stay theirs.
MAIN = "lore:text"
PAGES = "lore:pages"
_REL = {"before": "prev", "after": "next"}


def document_page(page: "PageAnswer", graph: str | None) -> str:
    title = "" if "<h1" in page.html else f"<h1>{escape(page.title)}</h1>"
    from loreweave.knowledge.digest.page_service import source_address

    source = escape(source_address(page.slug, graph))
    text = (
        f"<article>{title}{page.html}</article>"
        f'<nav class="ways" aria-label="Next pages">{_way(page.before, "before", graph)}'
        f"{_way(page.after, 'after', graph)}</nav>"
        f'<p class="source"><a href="{source}">This page as Markdown</a></p>'
    )
    return _frame(
        page.title,
        f'<main id="{MAIN}">{text}</main>{_contents(page)}{_pages(page, graph)}',
        head=f'<link rel="alternate" type="text/markdown" href="{source}">',
        graph=graph,
        name=page.graphId,
    )


def message_page(title: str, text: str) -> str:
    """A page for whoever looks for one that is not there."""
    ways = '<p><a href="/docs">All documents</a> · <a href="/">Graphs</a></p>'
    main = f'<main id="{MAIN}"><article><h1>{escape(title)}</h1><p>{escape(text)}</p>{ways}</article></main>'
    return _frame(title, main, head="", graph=None, name="")


def locked_page(sentence: str) -> str:
    """A page for whoever comes without a token; a browser cannot send one by following a link."""
    title = "An access token is needed"
    main = (
        f'<main id="{MAIN}"><article><h1>{title}</h1><p>{escape(sentence)}.</p>'
        '<p><strong>In a browser</strong>, open <a href="/">the graphs</a>: that page asks for the token, keeps it for '
        "this tab, and shows the same documents as notes.</p>"
        "<p><strong>In a program</strong>, send it with every request:</p>"
        "<pre><code>Authorization: Bearer TOKEN</code></pre>"
        "<p><strong>Without a token</strong>, ask whoever runs this server. There, one is made with:</p>"
        "<pre><code>lore token create NAME</code></pre></article></main>"
    )
    return _frame(title, main, head="", graph=None, name="", searches=False)


def takes_page(accept: str) -> bool:
    """Whether somebody looks, rather than a program that calls."""
    return "text/html" in accept


def _frame(title: str, body: str, *, head: str, graph: str | None, name: str, searches: bool = True) -> str:
    asked = f' data-graph="{escape(graph)}"' if graph else ""
    explorer = f'<a class="graph" href="/?graph={quote(name, safe="")}">{escape(name)}</a>' if name else ""
    pages = f'<a class="to-pages" href="#{PAGES}">Pages</a>' if name else ""
    scripts = f"""<script src="/ask.js" data-endpoint="/api/ask"{asked} defer></script>
<script src="/docs.js" defer></script>"""
    button = '<button type="button" data-ask-open>Search <kbd>/</kbd></button>'
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" type="image/svg+xml" href="/icon.svg">
<link rel="stylesheet" href="/docs.css">
{head}
{scripts if searches else ""}
</head>
<body>
<a class="skip" href="#{MAIN}">Skip to the text</a>
<header><a class="brand" href="/">Loreweave</a>{explorer}{pages}
{button if searches else ""}</header>
<div class="columns">{body}</div>
</body>
</html>
"""


def _way(line: "PageLine | None", name: str, graph: str | None) -> str:
    return f'<a class="{name}" rel="{_REL[name]}" href="{_href(line, graph)}">{escape(line.title)}</a>' if line else ""


def _href(line: "PageLine", graph: str | None) -> str:
    from loreweave.knowledge.digest.page_service import page_address

    return escape(page_address(line.slug, graph))


def _contents(page: "PageAnswer") -> str:
    if len(page.headings) < 2:
        return ""
    items = "".join(
        f'<li class="level-{part.level}"><a href="#{quote(part.anchor, safe="")}">{escape(part.heading)}</a></li>'
        for part in page.headings
    )
    return f'<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>{items}</ul></nav>'


def _pages(page: "PageAnswer", graph: str | None) -> str:
    is_open = sum(group.count for group in page.groups) <= FEW_PAGES
    groups = "".join(_group(group, page.slug, graph, is_open=is_open) for group in page.groups)
    return f'<nav class="pages" id="{PAGES}" aria-label="Pages">{groups}</nav>'


def _group(group: "PageGroup", here: str, graph: str | None, *, is_open: bool) -> str:
    items = "".join(
        f'<li><a href="{_href(line, graph)}"{_current(line.slug == here)}>{escape(line.title)}</a></li>'
        for line in group.pages
    )
    left = group.count - len(group.pages)
    more = f'<li class="more">{left} more: search finds them</li>' if left else ""
    pages = f"<ul>{items}{more}</ul>"
    if group.name is None:
        return pages
    opened = " open" if is_open or any(line.slug == here for line in group.pages) else ""
    return f"<details{opened}><summary>{escape(group.name)}</summary>{pages}</details>"


def _current(is_here: bool) -> str:
    return ' aria-current="page"' if is_here else ""


MARKDOWN = "text/markdown; charset=utf-8"
PLAIN = "text/plain; charset=utf-8"


def docs_routes(application: Application, calls: ServiceCalls) -> list[Route]:
    """Reading documents takes parts that are loaded when the first page is asked for."""

    async def page(request: Request) -> Response:
        graph = graph_asked(request)
        slug = request.path_params.get("slug", "").strip("/") or "index"
        try:
            rendered = await calls.read(lambda: application.pages.page(slug, graph))
        except NotFound as missing:
            source = await _source(slug, graph)
            if source is not None:
                return cached_answer(request, source.encode(), MARKDOWN)
            first = None
            with suppress(NotFound):
                first = await calls.read(lambda: application.pages.first_page(graph)) if slug == "index" else None
            if first is None:
                return _missing(request, missing, is_root=slug == "index" and graph is None)
            rendered = await calls.read(lambda: application.pages.page(first, graph))
        return cached_answer(request, document_page(rendered, graph).encode(), "text/html", **HEADERS)

    async def _source(slug: str, graph: str | None) -> str | None:
        """`<slug>.md` is the source of the page; a page may itself be called so."""
        with suppress(NotFound):
            if slug.endswith(".md"):
                return await calls.read(lambda: application.pages.source(slug.removesuffix(".md"), graph))
        return None

    async def llms(request: Request) -> Response:
        is_full = request.url.path == "/llms-full.txt"
        told = application.pages.llms_full if is_full else application.pages.llms
        return cached_answer(request, (await calls.read(told, graph_asked(request))).encode(), PLAIN)

    return [
        Route("/docs", page),
        Route("/docs/{slug:path}", page),
        Route("/llms.txt", llms),
        Route("/llms-full.txt", llms),
    ]


def _missing(request: Request, missing: NotFound, *, is_root: bool) -> Response:
    """A page for whoever looks, the usual shape for whoever calls."""
    if not takes_page(request.headers.get("accept", "")):
        raise missing
    if is_root:
        text = "No documents have been read yet. Read some in, and each of them becomes a page here."
        return HTMLResponse(message_page("Nothing here yet", text), headers=HEADERS)
    return HTMLResponse(message_page("There is no such page", str(missing)), status_code=404, headers=HEADERS)
