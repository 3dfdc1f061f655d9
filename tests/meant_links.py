"""Which documents link to which, as each of those says it that read links: all four have to say the same."""

import html
import re
from urllib.parse import unquote

from loreweave.application import Application
from loreweave.contracts.skill_graph import ExportRequest
from loreweave.knowledge.digest.page_service import page_address

Pairs = set[tuple[str, str]]

_HREF = re.compile(r'<a [^>]*?href="([^"]*)"')


def of_graph(application: Application, graph: str) -> Pairs:
    export = application.graphs.export(ExportRequest(graphId=graph))
    path = {node.id: node.path for node in export.nodes}
    return {(path[edge.source], path[edge.target]) for edge in export.edges}


def of_sections(application: Application, graph: str) -> Pairs:
    digest = application.digest_library.open(graph)
    path = {section.id: section.path for section in digest.sections}
    links = [(path[edge.source], path[edge.target]) for edge in digest.plain.edges if edge.kind == "link"]
    return {(source, target) for source, target in links if source != target}


def of_pages(application: Application, graph: str) -> Pairs:
    pages = application.digest_library.open(graph).pages
    path = {unquote(page_address(page.slug, graph)): page.path for page in pages.values()}
    found: Pairs = set()
    for page in pages.values():
        shown = application.pages.page(page.slug, graph).html
        addresses = (unquote(html.unescape(address).partition("#")[0]) for address in _HREF.findall(shown))
        found |= {(page.path, path[address]) for address in addresses if address in path}
    return {(source, target) for source, target in found if source != target}


def of_check(application: Application, graph: str) -> Pairs:
    digest = application.digest_library.open(graph)
    found: Pairs = set()
    for page in digest.pages.values():
        for link in page.links:
            meant = digest.link_map.find(page.path, link.target, link.wikilink)
            found |= {(page.path, meant[0].path)} if meant else set()
    return {(source, target) for source, target in found if source != target}
