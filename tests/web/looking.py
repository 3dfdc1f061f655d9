"""Whether a page keeps somebody out: what axe finds serious on it."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from tests.examples import DEEP
from tests.waits import until_installed

AXE = Path(__file__).parent / "drawing/node_modules/axe-core/axe.min.js"
# Of what it finds in order it would write down every node, and how to find it: most of its work, and nobody reads it.
LOOK = """(only) => axe.run(document, {iframes: false, resultTypes: ["violations"], ...(only ? {runOnly: only} : {})})
    .then(({violations}) => violations
    .filter(({impact}) => impact === "serious" || impact === "critical")
    .map(({id, nodes}) => `${id}: ${nodes[0].html}`))"""
OF_COLOURS = ["color-contrast", "link-in-text-block"]


def findings(page: Page, only: list[str] | None = None) -> list[str]:
    """Of the page as it stands."""
    until_installed("drawing")
    assert AXE.exists(), "axe is not installed: run `make test`."
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    return list(page.evaluate(LOOK, only))


def findings_in(page: Page, *schemes: Any) -> dict[str, list[str]]:
    """By colour scheme. What another scheme changes are colours: in a short run it is looked at for them alone."""
    found = {}
    for number, scheme in enumerate(schemes):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found[str(scheme)] = findings(page, OF_COLOURS if number and not DEEP else None)
    return {scheme: said for scheme, said in found.items() if said}
