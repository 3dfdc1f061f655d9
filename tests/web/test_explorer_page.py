"""A graph on the page: map, list, index, health, and how the page behaves as a page."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

Opener = Callable[..., Page]
Archiver = Callable[[dict[str, str]], bytes]

VIEWS = {
    "library": "",
    "map": "?graph=demo",
    "list": "?graph=demo&view=list",
    "index": "?graph=demo&view=index",
    "ask": "?graph=demo&view=ask&query=catastrophizing",
    "health": "?graph=demo&view=health",
    "changes": "?graph=demo&view=changes",
    "note": "?graph=demo&node=skill:cognitive-distortions&tab=full",
}
SETTLED = "[data-settled=true]"


def painted(drawing: Locator) -> int:
    """How many bytes a picture of it takes: an empty one takes hardly any."""
    return len(drawing.screenshot())


def wait_for_view(page: Page, view: str) -> None:
    if view in ("map", "ask", "note"):
        expect(page.locator(SETTLED)).to_be_visible()
    if view == "ask":
        expect(page.get_by_role("list", name="Loaded notes")).to_be_visible()
    expect(page.get_by_text(re.compile("^(Reading|Checking|Choosing|Comparing)"))).to_have_count(0)


@pytest.mark.holds("graph.page.views", "graph.page.colour-and-shape")
def test_the_demo_graph_is_drawn_whole_with_a_legend(open_page: Opener, api: httpx.Client) -> None:
    stats = api.get("/stats", params={"graphId": "demo"}).json()
    page = open_page("?graph=demo")
    drawn = page.locator(SETTLED)
    expect(drawn).to_have_attribute("data-marks", str(stats["nodeCount"]))
    expect(drawn).to_have_attribute("data-lines", str(stats["edgeCount"]))
    assert painted(page.locator(".map-canvas")) > 20_000
    types = page.get_by_role("list", name="Types of note").get_by_role("listitem")
    assert {tuple(text.split()) for text in types.all_inner_texts()} == {
        (name, str(count)) for name, count in stats["typeBreakdown"].items()
    }
    marks = types.locator("svg").evaluate_all("marks => marks.map((mark) => mark.innerHTML)")
    assert len(set(marks)) == len(stats["typeBreakdown"])
    lines = page.get_by_role("list", name="Types of link").locator("line")
    looks = lines.evaluate_all(
        "lines => lines.map((l) => l.getAttribute('stroke-dasharray') + l.getAttribute('stroke-width'))"
    )
    assert len(set(looks)) == len(stats["edgeTypeBreakdown"])


@pytest.mark.holds("graph.page.views")
def test_the_same_graph_is_always_drawn_alike(open_page: Opener) -> None:
    pictures = set()
    for _ in range(2):
        page = open_page("?graph=demo", reduced_motion="reduce")
        expect(page.locator(SETTLED)).to_be_visible()
        pictures.add(page.locator(".map-canvas").screenshot())
    assert len(pictures) == 1


@pytest.mark.lengthy
@pytest.mark.holds("graph.page.views")
def test_from_3000_notes_the_map_shows_clusters_first_when_asked(
    open_page: Opener, ingest_folder: Callable[[Path, str], None], tmp_path: Path
) -> None:
    for number in range(3100):
        ring = number - number % 100
        links = " ".join(f"[[n{ring + (number * step + 1) % 100}]]" for step in (1, 3, 7))
        (tmp_path / f"n{number}.md").write_text(f"# Note {number}\n\n{links}\n")
    ingest_folder(tmp_path, "crowd")
    page = open_page("?graph=crowd")
    expect(page.locator("[data-marks='3100']")).to_be_visible()
    page.get_by_role("button", name="Show clusters first").click()
    expect(page.get_by_text("3,100 notes in")).to_be_visible()
    drawn = page.locator(SETTLED)
    expect(drawn).to_be_visible()
    assert 31 <= int(drawn.get_attribute("data-marks") or "") < 310
    page.get_by_role("application", name=re.compile("clusters of notes")).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    opened = page.get_by_role("application", name=re.compile(r"^Map of \d+ notes"))
    expect(opened).to_be_visible()
    page.reload()
    expect(opened).to_be_visible()
    page.get_by_role("button", name="All clusters").click()
    expect(page.get_by_role("application", name=re.compile("clusters of notes"))).to_be_visible()


@pytest.mark.holds("graph.page.views", "graph.page.filters")
def test_the_list_is_filtered_by_type_and_found_as_one_types(open_page: Opener, api: httpx.Client) -> None:
    stats = api.get("/stats", params={"graphId": "demo"}).json()
    page = open_page("?graph=demo&view=list")
    rows = page.get_by_role("region", name="List of notes").locator("tbody tr")
    expect(rows).to_have_count(stats["nodeCount"])
    page.get_by_label("Type").select_option("moc")
    expect(rows).to_have_count(stats["typeBreakdown"]["moc"])
    page.get_by_label("Type").select_option("")
    page.get_by_label("Find notes").press_sequentially("catastroph")
    found = api.post("/search", json={"graphId": "demo", "query": "catastroph", "limit": 100}).json()
    assert 0 < found["total"] < stats["nodeCount"]
    expect(rows).to_have_count(len(found["results"]))
    expect(rows.first).to_contain_text(found["results"][0]["name"])
    page.get_by_role("button", name="Clear").click()
    expect(rows).to_have_count(stats["nodeCount"])


@pytest.mark.holds("graph.page.filters")
def test_the_map_hides_links_of_other_types_and_fades_notes_that_do_not_match(
    open_page: Opener,
) -> None:
    page = open_page("?graph=demo", reduced_motion="reduce")
    expect(page.locator(SETTLED)).to_be_visible()
    whole = page.locator(".map-canvas").screenshot()
    page.get_by_role("combobox", name="Links").select_option("CLUSTERS")
    expect(page).to_have_url(re.compile("edge=CLUSTERS"))
    some_links = page.locator(".map-canvas").screenshot()
    page.get_by_role("combobox", name="Links").select_option("")
    page.get_by_role("combobox", name="Type").select_option(index=1)
    expect(page).to_have_url(re.compile("type="))
    expect(page.get_by_label("Domain")).to_have_count(0)  # all of them are of one
    page.get_by_label("Find notes").fill("exposure")
    expect(page.get_by_text(re.compile(r"\d+ found"))).to_be_visible()
    assert len({whole, some_links, page.locator(".map-canvas").screenshot()}) == 3


@pytest.mark.holds("graph.page.moc-index")
def test_the_index_lists_maps_of_content_with_the_notes_they_gather(open_page: Opener, api: httpx.Client) -> None:
    exported = api.get("/export", params={"graphId": "demo", "format": "json"}).json()
    page = open_page("?graph=demo&view=index")
    for node in exported["nodes"]:
        if node["type"] != "moc":
            continue
        gathered = sum(edge["source"] == node["id"] and edge["type"] == "CLUSTERS" for edge in exported["edges"])
        entry = page.get_by_role("article").filter(has=page.get_by_role("heading", name=node["name"], exact=True))
        expect(entry.locator("summary")).to_have_text("1 note" if gathered == 1 else f"{gathered} notes")
        expect(entry.locator("li")).to_have_count(gathered)


@pytest.mark.holds("graph.page.health")
def test_the_score_is_shown_as_a_sum_that_comes_out(open_page: Opener, api: httpx.Client, zipped: Archiver) -> None:
    notes = {
        "a.md": "# A\n\nSee [[b]] and [[bee]].\n",
        "b.md": "# B\n\nBack to [[a]].\n",
        "lonely.md": "# Lonely\n",
    }
    api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("faulty.zip", zipped(notes))})
    many = {f"n{number}.md": f"# {number}\n\nSee [[gone {number}]].\n" for number in range(40)}
    api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("large.zip", zipped(many))})
    for graph in ("demo", "faulty", "large"):
        score = api.post("/validate", json={"graphId": graph}).json()["score"]
        page = open_page(f"?graph={graph}&view=health")
        expect(page.locator(".big-score")).to_have_text(f"{score} / 100")
        running = 0
        for row in page.get_by_role("table", name="How the score is made").locator("tr").all():
            points, label = row.locator("td").all_inner_texts()
            sign, value = points[0], int(re.sub(r"\D", "", points))
            if sign == "=":
                running = min(100, max(0, running))
                assert running == value, label
            else:
                running += -value if sign == "−" else value
        assert running == score


@pytest.mark.holds("graph.page.health")
def test_findings_name_file_line_and_what_may_have_been_meant(
    open_page: Opener, api: httpx.Client, zipped: Archiver
) -> None:
    notes = {
        "rose.md": "# Rose\n\nLine.\n\nNear the [[tulipp]].\n",
        "tulip.md": "# Tulip\n\nNear the [[rose]].\n",
    }
    api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("beds.zip", zipped(notes))})
    page = open_page("?graph=beds&view=health")
    finding = page.get_by_role("listitem").filter(has_text="tulipp")
    expect(finding).to_contain_text("rose.md:5")
    finding.get_by_role("link", name="Tulip", exact=True).click()
    expect(page.get_by_role("complementary", name="Tulip")).to_be_visible()


@pytest.mark.holds("graph.page.health", "page.library.health-warnings")
def test_health_repeats_what_reading_warned_of_at_its_line(
    open_page: Opener, api: httpx.Client, zipped: Archiver
) -> None:
    notes = {"ivy.md": "---\ndescription: Climbs.\ntype: claim\ndomain: wood\n---\n# Ivy\n\nOn [walls](./walls.md).\n"}
    told = api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("ivy.zip", zipped(notes))}).json()
    again = api.post("/validate", json={"graphId": "ivy"}).json()
    assert told["warnings"] == again["warnings"] != []
    assert again["warningCount"] == told["warningCount"]
    page = open_page("?graph=ivy&view=health")
    page.get_by_text("Warnings of reading 1").click()
    warning = page.get_by_role("listitem").filter(has_text="leads to no note")
    expect(warning).to_contain_text("(./walls.md) leads to no note")
    warning.get_by_role("link", name="ivy.md:8").click()
    expect(page).to_have_url(re.compile("/g/ivy/read/ivy"))


@pytest.mark.lengthy
@pytest.mark.holds("graph.page.changes", "graph.revisions.changes-named")
def test_what_the_last_revision_changed_is_named_long_after_it_was_read(
    open_page: Opener, api: httpx.Client, zipped: Archiver
) -> None:
    old = {"oak.md": "# Oak\n", "elm.md": "# Elm\n", "ash.md": "# Ash\n"}
    new = {"oak.md": "# Great Oak\n\nBy the [[yew]].\n", "ash.md": "# Ash\n", "yew.md": "# Yew\n"}
    api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("grove.zip", zipped(old))})
    page = open_page("?graph=grove&view=changes")
    expect(page.get_by_text("One reading so far.")).to_be_visible()
    expect(page.get_by_role("list", name="Added").get_by_role("listitem")).to_have_count(3)
    api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("grove.zip", zipped(new))})
    page.reload()
    sheet = page.get_by_role("region", name="History")
    expect(sheet.get_by_role("link", name=re.compile("^Revision 2"))).to_have_attribute("aria-expanded", "true")
    expect(sheet).to_contain_text("1 added, 1 changed, 1 removed, 1 unchanged")
    for title, named in (("Added", "Yew yew.md"), ("Changed", "Great Oak oak.md"), ("Removed", "Elm elm.md")):
        expect(sheet.get_by_role("list", name=title).get_by_role("listitem")).to_have_text([re.compile(named)])
    expect(sheet.get_by_role("list", name="Removed").get_by_role("link")).to_have_count(0)
    sheet.get_by_role("link", name="Great Oak").click()
    expect(page.get_by_role("complementary", name="Great Oak")).to_be_visible()


@pytest.mark.holds("graph.page.state-in-address")
def test_every_step_is_in_the_address_and_the_back_button_undoes_it(open_page: Opener) -> None:
    page = open_page()
    page.get_by_role("link", name="demo", exact=True).click()
    page.get_by_role("link", name="List", exact=True).click()
    page.get_by_role("link", name="Cognitive Distortions").click()
    drawer = page.get_by_role("complementary", name="Cognitive Distortions")
    drawer.get_by_role("tab", name="Links").click()
    expect(page).to_have_url(re.compile(r"/g/demo/list\?n=skill%3Acognitive-distortions&tab=links$"))
    page.reload()
    expect(drawer.get_by_role("tab", name="Links")).to_have_attribute("aria-selected", "true")
    page.go_back()
    expect(drawer).to_have_count(0)
    expect(page.get_by_role("region", name="List of notes")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("region", name="Map", exact=True)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Graphs")).to_be_visible()


@pytest.mark.holds("graph.page.accessible", "graph.page.same-origin")
def test_no_view_is_wider_than_the_screen_or_asks_another_origin_and_every_control_has_a_name(
    open_page: Opener, server: str, watch: Any
) -> None:
    page = open_page()
    for view, search in VIEWS.items():
        page.goto(f"{server}/{search}")
        for width, scheme in ((1280, "light"), (360, "dark")):
            page.set_viewport_size({"width": width, "height": 740})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            wait_for_view(page, view)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, view
            ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            brightness = sum(map(int, re.findall(r"\d+", ground)[:3])) / 3
            assert (brightness > 128) == (scheme == "light")
            nameless = re.findall(
                r"^\s*- (?:button|link|textbox|searchbox|combobox|slider|spinbutton|tab|radio)(?:$|:| \[).*",
                page.locator("body").aria_snapshot(),
                re.MULTILINE,
            )
            assert nameless == [], f"{view}, {width}"
    assert len(watch.requests) > len(VIEWS)
    assert [url for url in watch.requests if not url.startswith(f"{server}/")] == []


@pytest.mark.holds("graph.page.accessible")
def test_nothing_moves_for_people_who_asked_for_less_motion(open_page: Opener) -> None:
    page = open_page(VIEWS["note"], reduced_motion="reduce")
    expect(page.get_by_role("complementary", name="Cognitive Distortions")).to_be_visible()
    assert page.evaluate("document.getAnimations().length") == 0
    expect(page.locator(SETTLED)).to_be_visible()


@pytest.mark.holds("graph.page.content-security-policy")
def test_the_policy_allows_scripts_of_the_origin_alone(server: str, open_page: Opener) -> None:
    policy = httpx.get(f"{server}/").headers["content-security-policy"]
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";") if rule.strip()}
    assert rules["script-src"] == ["'self'"]
    assert rules["default-src"] == ["'self'"]
    page = open_page()
    assert page.locator("script:not([src])").count() == 0


@pytest.mark.lengthy
def test_a_note_that_is_opened_from_the_map_leaves_no_card_below_its_panel(open_page: Callable[..., Page]) -> None:
    page = open_page("g/demo/map", reduced_motion="reduce")
    expect(page.locator(SETTLED)).to_be_visible()
    page.get_by_role("application").press("ArrowRight")
    expect(page.locator(".hover-card")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary")).to_be_visible()
    expect(page.locator(".hover-card")).to_have_count(0)
