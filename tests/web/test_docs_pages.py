"""The pages of documents as a browser shows them."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect
from tests.faces.served import served
from tests.web.ask_box import Visits

from loreweave.application import open_application
from loreweave.settings import Settings

LONG = "word " * 400
SAMPLE = {
    "index.md": f"# Home\n\nSee [text](guide/text.md#pages) and [[far]].\n\n## One\n\n{LONG}\n\n## Two\n\n{LONG}\n",
    # Headings that a page might want for itself, in other scripts, twice, and with ids of their own.
    "guide/text.md": "# Text\n\n"
    + "\n\n".join(
        f"{heading}\n\n{LONG}"
        for heading in (
            "## Text",
            "## Pages",
            "## 安装 指南",
            "## C++ & C#",
            "## Text",
            "## Own {#my-id}",
            "### 100% `--flag`",
        )
    )
    + "\n",
    "far.md": (
        "A page without a heading.\n\n/// warning | Mind the gap\n\nInside.\n\n///\n\n> [!NOTE]\n> Alert.\n\n"
        "![A picture](https://pictures.test/a.png) ![kept elsewhere](b.png)\n\n"
        f"```\n{'x' * 600}\n```\n\n|{' column |' * 30}\n|{'---|' * 30}\n|{' cell |' * 30}\n"
    ),
    "hostile.md": (
        "# Hostile\n\n<script>window.hacked = 1</script>\n\n<img src=x onerror='window.hacked = 1'>\n\n"
        "[click](javascript:window.hacked=1) "
        "<a href='javascript:window.hacked=1' onclick='window.hacked=1'>here</a>\n\n"
        "<style>body{display:none}</style>\n\n<iframe src='https://evil.test'></iframe>\n"
    ),
    **{f"many/page-{number:03}.md": f"# Page {number}\n\nOne of many.\n" for number in range(120)},
}


def ingest(data: Path, folder: Path, **options: str) -> None:
    for path, text in SAMPLE.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    application = open_application(Settings(data_dir=data, embedder="none"))
    application.graphs.ingest_folder(folder, name="sample")
    application.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("pages")
    ingest(folder / "data", folder / "docs")
    with served(folder / "data", LORE_MODEL="none", LORE_EMBEDDER="none") as address:
        yield address


@pytest.mark.lengthy
@pytest.mark.holds("ask.pages.anchors")
def test_the_anchor_of_every_section_scrolls_into_view(visits: Visits, address: str) -> None:
    sections = httpx.get(f"{address}/api/ask/sections").json()["sections"]
    anchored = [section for section in sections if section["heading"]]
    assert len(anchored) == 9
    page = visits.visit(f"{address}/docs").page
    for section in anchored:
        page.goto(address + section["url"])
        name = section["url"].partition("#")[2]
        target = page.locator(":target")
        expect(target).to_be_in_viewport()
        assert target.get_attribute("id") == name
        assert target.inner_text() == section["heading"]
        header = page.locator("header").bounding_box()
        place = target.bounding_box()
        assert header is not None
        assert place is not None
        assert place["y"] >= header["height"]


@pytest.mark.holds("ask.pages.links")
def test_documents_lead_to_one_another_and_keep_the_graph(visits: Visits, address: str) -> None:
    box = visits.visit(f"{address}/docs?graph=sample")
    box.page.get_by_role("article").get_by_role("link", name="text").click()
    box.page.wait_for_url("**/docs/guide/text?graph=sample#pages")
    expect(box.page.locator("#pages")).to_be_in_viewport()
    box.page.get_by_role("navigation", name="Pages", exact=True).get_by_role("link", name="Home").click()
    box.page.wait_for_url("**/docs?graph=sample")
    box.page.get_by_role("article").get_by_role("link", name="far").click()
    expect(box.page.get_by_role("heading", level=1)).to_have_text("Far")
    assert box.troubles == []


@pytest.mark.holds("ask.pages.clean", "ask.pages.policy")
def test_nothing_in_a_document_runs_or_calls_out(visits: Visits, address: str) -> None:
    box = visits.visit(f"{address}/docs")
    requests: list[str] = []
    box.page.on("request", lambda request: requests.append(request.url))
    response = box.page.goto(f"{address}/docs/hostile")
    assert response is not None
    assert "script-src 'self';" in response.headers["content-security-policy"]
    assert "default-src 'none'" in response.headers["content-security-policy"]
    for link in box.page.locator("article").get_by_text("click").or_(box.page.get_by_text("here")).all():
        link.click()
    expect(box.page.get_by_role("heading", name="Hostile")).to_be_visible()
    assert box.page.evaluate("() => window.hacked") is None
    assert [url for url in requests if not url.startswith(address)] == []
    assert box.troubles == []


@pytest.mark.holds("ask.pages.policy")
def test_a_page_that_was_kept_still_has_its_looks_and_its_box(visits: Visits, address: str) -> None:
    box = visits.visit(f"{address}/docs/far")
    with box.page.expect_response(lambda reply: reply.url.endswith("/docs/far")):
        box.page.reload()
    assert box.page.locator("header").evaluate("header => getComputedStyle(header).position") == "sticky"
    box.open()
    assert box.troubles == []


@pytest.mark.holds("ask.pages.looks")
def test_notes_are_framed_and_pictures_show_their_words(visits: Visits, address: str) -> None:
    box = visits.visit(f"{address}/docs/far")
    article = box.page.locator("article")
    expect(article.locator(".aside.alarm")).to_contain_text("Mind the gap")
    expect(article.locator(".aside.alarm")).to_contain_text("Inside.")
    expect(article.locator("blockquote.note .aside-title")).to_have_text("Note")
    expect(article.get_by_role("link", name="A picture")).to_have_attribute("href", "https://pictures.test/a.png")
    expect(article).to_contain_text("kept elsewhere")
    assert "///" not in article.inner_text()
    assert box.troubles == []


@pytest.mark.lengthy(2)
@pytest.mark.holds("ask.pages.looks")
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_wide_code_and_tables_never_widen_the_page(visits: Visits, address: str, width: int, scheme: str) -> None:
    box = visits.visit(f"{address}/docs/far", viewport={"width": width, "height": 800}, color_scheme=scheme)
    wide, shown, ground = box.page.evaluate(
        "() => [document.documentElement.scrollWidth, innerWidth, getComputedStyle(document.body).backgroundColor]"
    )
    assert wide <= shown
    assert (ground == "rgb(21, 23, 26)") == (scheme == "dark")
    pages = box.page.get_by_role("navigation", name="Pages", exact=True)
    if width == 360:
        box.page.get_by_role("link", name="Pages", exact=True).click()
    expect(pages).to_be_in_viewport()


@pytest.mark.holds("ask.pages.looks")
def test_a_long_list_of_pages_shows_the_one_that_is_open(visits: Visits, address: str) -> None:
    box = visits.visit(f"{address}/docs/many/page-090")
    current = box.page.get_by_role("navigation", name="Pages", exact=True).locator("[aria-current=page]")
    expect(current).to_have_text("Page 90")
    expect(current).to_be_in_viewport()
    box.page.get_by_role("link", name="Page 91").last.click()
    box.page.wait_for_url("**/docs/many/page-091")
    expect(box.page.get_by_role("link", name="This page as Markdown")).to_have_attribute(
        "href", "/docs/many/page-091.md"
    )


@pytest.mark.lengthy
@pytest.mark.holds("ask.pages.empty")
def test_a_library_without_documents_says_what_to_do(visits: Visits, tmp_path: Path) -> None:
    with served(tmp_path, LORE_MODEL="none", LORE_EMBEDDER="none") as address:
        box = visits.visit(f"{address}/docs")
        expect(box.page.get_by_role("heading", level=1)).to_have_text("Nothing here yet")
        box.open()
        assert box.troubles == []
        box.page.keyboard.press("Escape")
        box.page.get_by_role("link", name="Graphs").click()
        expect(box.page.get_by_role("heading", name="Graphs")).to_be_visible()
