"""/docs: every document of a graph as a page, as its source, and as lists for machines."""

from html import escape
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from loreweave.application import Application
from loreweave.errors import NotFound
from loreweave.faces.http.cached_answers import cached_answer
from loreweave.faces.http.query_values import graph_asked
from loreweave.faces.http.service_calls import ServiceCalls

# Model text and documents are data: no script but our own runs here, nothing is fetched from elsewhere.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
MARKDOWN = "text/markdown; charset=utf-8"
PLAIN = "text/plain; charset=utf-8"


def docs_router(application: Application) -> APIRouter:
    calls = ServiceCalls()
    pages = application.pages
    router = APIRouter(tags=["docs"], redirect_slashes=False, include_in_schema=False)

    async def page(request: Request) -> Response:
        graph = graph_asked(request)
        slug = request.path_params.get("slug", "").strip("/") or "index"
        try:
            rendered = await calls.read(pages.page, slug, graph)
        except NotFound:
            source = await _source(slug, graph)
            if source is not None:
                return cached_answer(request, source.encode(), MARKDOWN)
            first = await calls.read(pages.first_page, graph) if slug == "index" else None
            if first is None:
                raise
            rendered = await calls.read(pages.page, first, graph)
        return cached_answer(
            request, _document(rendered, graph).encode(), "text/html", **{"Content-Security-Policy": POLICY}
        )

    async def _source(slug: str, graph: str | None) -> str | None:
        """`<slug>.md` is the source of the page; a page may itself be called so."""
        if not slug.endswith(".md"):
            return None
        try:
            return await calls.read(pages.source, slug.removesuffix(".md"), graph)
        except NotFound:
            return None

    async def llms(request: Request) -> Response:
        text = await calls.read(pages.llms, graph_asked(request))
        return cached_answer(request, text.encode(), PLAIN)

    async def llms_full(request: Request) -> Response:
        text = await calls.read(pages.llms_full, graph_asked(request))
        return cached_answer(request, text.encode(), PLAIN)

    for path, endpoint in (
        ("/docs", page),
        ("/docs/{slug:path}", page),
        ("/llms.txt", llms),
        ("/llms-full.txt", llms_full),
    ):
        router.add_api_route(path, endpoint, methods=["GET", "HEAD"])
    return router


def _document(page: Any, graph: str | None) -> str:
    """The page around a document: lists of pages and sections, a search box, the text."""
    groups = "".join(_group(group, lines, page.slug) for group, lines in page.groups)
    sections = "".join(
        f'<li class="level-{level}"><a href="#{escape(anchor)}">{escape(heading)}</a></li>'
        for anchor, heading, level in page.headings
    )
    contents = f'<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>{sections}</ul></nav>'
    graph_attribute = f' data-graph="{escape(graph)}"' if graph else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(page.title)}</title>
<link rel="stylesheet" href="/docs.css">
<link rel="alternate" type="text/markdown" href="{escape(_mirror(page.slug, graph))}">
<script src="/ask.js" data-endpoint="/api/ask"{graph_attribute} defer></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header><a href="/">Loreweave</a><span>{escape(page.graph_id)}</span>
<button type="button" data-ask-open>Search <kbd>/</kbd></button></header>
<div class="columns">
<nav class="pages" aria-label="Pages">{groups}</nav>
<main id="text"><article>{page.html}</article></main>
{contents if sections else ""}
</div>
</body>
</html>
"""


def _group(group: str | None, lines: Any, here: str) -> str:
    items = "".join(
        f'<li><a href="{escape(line.href)}"{_current(line.slug == here)}>{escape(line.title)}</a></li>'
        for line in lines
    )
    heading = f"<h2>{escape(group)}</h2>" if group else ""
    return f"{heading}<ul>{items}</ul>"


def _current(is_here: bool) -> str:
    return ' aria-current="page"' if is_here else ""


def _mirror(slug: str, graph: str | None) -> str:
    return f"/docs/{quote(slug, safe='/')}.md" + (f"?graph={quote(graph, safe='')}" if graph else "")
