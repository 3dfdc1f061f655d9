"""What becomes of a graph on the page: its history, its name, its folder that is watched, its addresses mapped."""

import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

Opener = Callable[..., Page]
Archiver = Callable[[dict[str, str]], bytes]

SOIL = "# Soil\n\nFed by compost.\n"


def _send(api: httpx.Client, archive: bytes, name: str) -> None:
    sent = api.post("/ingest", data={"sourceType": "zip"}, files={"file": (f"{name}.zip", archive)})
    assert sent.status_code == 200


@pytest.mark.holds("page.library.history-diffs", "graph.page.changes")
def test_history_lists_revisions_and_opens_what_changed_line_by_line(
    open_page: Opener, api: httpx.Client, zipped: Archiver
) -> None:
    for notes in (
        {"soil.md": SOIL, "sun.md": "# Sun\n"},
        {"soil.md": SOIL.replace("compost", "leaves"), "rain.md": "# Rain\n"},
        {"soil.md": "# Soil\n", "rain.md": "# Rain\n"},
    ):
        _send(api, zipped(notes), "plot")
    page = open_page("g/plot/history")
    rows = page.get_by_role("list", name="Revisions").get_by_role("link", name=re.compile("^Revision"))
    expect(rows).to_have_text(
        [re.compile("3.*1 changed"), re.compile("2.*1 added, 1 changed, 1 removed"), re.compile("1.*first")]
    )
    changed = page.get_by_role("list", name="Changed")
    expect(changed.get_by_role("link", name="Soil")).to_be_visible()
    rows.nth(1).click()
    expect(page).to_have_url(re.compile(r"rev=2$"))
    page.reload()
    changed.get_by_text("What changed").click()
    diff = changed.get_by_label("The difference, line by line")
    expect(diff.locator(".removed")).to_have_text("-Fed by compost.\n")
    expect(diff.locator(".added")).to_have_text("+Fed by leaves.\n")
    removed = page.get_by_role("list", name="Removed")
    removed.get_by_text("What it said").click()
    expect(removed.locator(".diff .removed")).to_have_text("-# Sun\n")
