"""/docs: every document of a graph as a page, as its source, and as lists for machines."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from loreweave.application import Application
from loreweave.errors import NotFound
from loreweave.faces.http.cached_answers import cached_answer
from loreweave.faces.http.docs_page import HEADERS, document_page, message_page, takes_page
from loreweave.faces.http.query_values import graph_asked
from loreweave.faces.http.service_calls import ServiceCalls

MARKDOWN = "text/markdown; charset=utf-8"
PLAIN = "text/plain; charset=utf-8"


def docs_routes(application: Application, calls: ServiceCalls) -> list[Route]:
    pages = application.pages

    async def page(request: Request) -> Response:
        graph = graph_asked(request)
        slug = request.path_params.get("slug", "").strip("/") or "index"
        try:
            rendered = await calls.read(pages.page, slug, graph)
        except NotFound as missing:
            source = await _source(slug, graph)
            if source is not None:
                return cached_answer(request, source.encode(), MARKDOWN)
            try:
                first = await calls.read(pages.first_page, graph) if slug == "index" else None
            except NotFound:
                first = None
            if first is None:
                return _missing(request, missing, is_root=slug == "index" and graph is None)
            rendered = await calls.read(pages.page, first, graph)
        return cached_answer(request, document_page(rendered, graph).encode(), "text/html", **HEADERS)

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

    return [
        Route("/docs", page),
        Route("/docs/{slug:path}", page),
        Route("/llms.txt", llms),
        Route("/llms-full.txt", llms_full),
    ]


def _missing(request: Request, missing: NotFound, *, is_root: bool) -> Response:
    """A page for whoever looks, the usual shape for whoever calls."""
    if not takes_page(request.headers.get("accept", "")):
        raise missing
    if is_root:
        text = "No documents have been read yet. Read some in, and each of them becomes a page here."
        return HTMLResponse(message_page("Nothing here yet", text), headers=HEADERS)
    return HTMLResponse(message_page("There is no such page", str(missing)), status_code=404, headers=HEADERS)
