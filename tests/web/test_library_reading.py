"""A note as a page, inside the shell."""

import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.web.test_explorer_notes import words_of

HOSTILE = (
    "# Hostile\n\n<script>window.hacked = 1</script>\n\n<img src=x onerror='window.hacked = 1'>\n\n"
    "<div id='inspector'>mine</div>\n\n[click](javascript:window.hacked=1)\n\n## Inspector\n\nBack [[home]].\n"
)
ARABIC = "# دفتر\n\nملاحظة قصيرة.\n\n- نقطة\n\n> اقتباس\n\n| ا | ب |\n|---|---|\n| ١ | ٢ |\n\n```\na = 1\n```\n"
AT_ITS_RIGHT = """(part) => {
  const written = document.createRange();
  written.selectNodeContents(part);
  const [text, room] = [written.getBoundingClientRect(), part.getBoundingClientRect()];
  return text.left > room.left + 20 && Math.abs(text.right - room.right) < 2;
}"""
NOTES = {
    "home.md": "# Home\n\nThe [[hostile#Inspector]] comes from the garden.\n\nשלום לכולם.\n",
    "garden/hostile.md": HOSTILE,
    **{f"garden/bed {number}.md": f"# Bed {number}\n\nOf [[home]].\n" for number in range(3)},
}


@pytest.mark.holds("page.library.read")
def test_a_note_is_read_with_its_tree_its_contents_and_who_links_to_it(
    open_page: Callable[..., Page], api: httpx.Client
) -> None:
    page = open_page("g/demo/read")
    expect(page).to_have_url(re.compile("/g/demo/read/index$"))
    expect(page.get_by_role("heading", level=1, name="Therapy Skills")).to_be_visible()
    tree = page.get_by_role("navigation", name="Pages", exact=True)
    expect(tree.get_by_role("link", name="Therapy Skills")).to_have_attribute("aria-current", "page")
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="Scope").click()
    expect(page).to_have_url(re.compile("/g/demo/read/index#scope$"))
    expect(page.locator(".reached")).to_have_text("Scope")
    expect(page.locator(".reached")).to_be_in_viewport()
    page.get_by_role("article").get_by_role("link", name="cognitive-model").click()
    node = api.get("/node", params={"graphId": "demo", "id": "cognitive-model", "level": 2}).json()
    expect(page.get_by_role("article").locator("h1")).to_have_text(node["name"])
    expect(page).to_have_title(re.compile(f"^{node['name']} · demo"))
    linked = page.get_by_role("region", name=re.compile("^Linked from")).get_by_role("listitem")
    expect(linked).to_have_count(len(node["backlinks"]))
    said = linked.first.get_by_role("blockquote").inner_text()
    assert words_of(said) == words_of(node["backlinks"][0]["context"])
    assert "[[" not in said
    page.reload()
    expect(page.get_by_role("article").locator("h1")).to_have_text(node["name"])
    page.go_back()
    expect(page.locator(".reached")).to_have_text("Scope")
    page.get_by_role("link", name="As written").click()
    expect(page.get_by_role("list", name="index.md as written").get_by_role("listitem").first).to_have_text("---")


@pytest.mark.holds("page.library.read", "graph.page.text-is-text")
def test_folders_are_the_tree_where_there_are_no_maps_and_a_document_takes_nothing_of_the_page(
    open_page: Callable[..., Page], api: httpx.Client, zipped: Callable[[dict[str, str]], bytes]
) -> None:
    api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("beds.zip", zipped(NOTES))})
    page = open_page("g/beds/read/home.md", viewport={"width": 390, "height": 844})
    expect(page).to_have_url(re.compile("/g/beds/read/home$"))
    tree = page.get_by_role("navigation", name="Pages", exact=True)
    tree.get_by_text("Folders").click()
    tree.get_by_text("garden").click()
    expect(tree.get_by_role("link")).to_have_text(["Bed 0", "Bed 1", "Bed 2", "Hostile", "Home"])
    assert page.get_by_role("article").locator("p").last.evaluate(AT_ITS_RIGHT), "it is read from right to left"
    page.get_by_role("article").get_by_role("link").click()
    expect(page).to_have_url(re.compile("/g/beds/read/garden/hostile#inspector$"))
    expect(page.locator(".reached")).to_have_count(1)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.goto(page.url.partition("#")[0] + "?n=skill:home")
    expect(page.locator("#inspector aside")).to_contain_text("Home")
    assert page.evaluate("() => window.hacked") is None


@pytest.mark.holds("page.library.read")
def test_lists_quotes_and_tables_of_a_note_run_as_its_language_does(
    open_page: Callable[..., Page], api: httpx.Client, zipped: Callable[[dict[str, str]], bytes]
) -> None:
    api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("daftar.zip", zipped({"daftar.md": ARABIC}))})
    article = open_page("g/daftar/read/daftar").get_by_role("article")
    expect(article.get_by_role("listitem")).to_be_visible()
    for part in ("ul", "blockquote", "table"):
        expect(article.locator(part)).to_have_css("direction", "rtl")
    expect(article.locator("blockquote")).to_have_css("border-right-width", "2px")
    expect(article.locator("pre")).to_have_css("direction", "ltr")
    first, second = (article.get_by_role("columnheader").nth(place).bounding_box() for place in (0, 1))
    assert first is not None
    assert second is not None
    assert first["x"] > second["x"]
