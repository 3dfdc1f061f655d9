"""What becomes of a graph on the page: its history, its name, its folder that is watched, its addresses mapped."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests import forked
from tests.faces.served import LORE
from tests.web.conftest import Watch, running_server
from tests.web.tabs import Tabs

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


@pytest.mark.holds("page.library.rename")
def test_a_graph_is_renamed_from_its_card_and_from_the_box_while_its_address_stays(
    open_page: Opener, api: httpx.Client, zipped: Archiver
) -> None:
    _send(api, zipped({"soil.md": SOIL}), "bed-7")
    page = open_page()
    page.get_by_role("button", name="Rename bed-7").click()
    name = page.get_by_role("textbox", name="Name of bed-7")
    name.fill("  The bed  by the wall ")
    name.press("Enter")
    expect(page.get_by_role("button", name="Rename bed-7")).to_be_focused()
    page.get_by_role("link", name="The bed by the wall").click()
    expect(page).to_have_url(re.compile("/g/bed-7/map$"))
    expect(page.get_by_role("heading", name="The bed by the wall")).to_be_visible()
    [told] = [graph for graph in api.get("/graphs").json()["graphs"] if graph["graphId"] == "bed-7"]
    assert told["name"] == "The bed by the wall"
    page.keyboard.press("Control+k")
    page.locator("lore-ask").get_by_role("combobox").fill("> rename")
    expect(page.locator("lore-ask").get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(name).to_have_value("The bed by the wall")
    name.fill("")
    name.press("Enter")
    expect(page.get_by_role("link", name="bed-7", exact=True)).to_be_visible()
    assert all("name" not in graph for graph in api.get("/graphs").json()["graphs"])


@pytest.mark.holds("page.library.mapped-root")
def test_links_below_an_address_of_the_site_are_mapped_with_one_press(
    open_page: Opener, api: httpx.Client, zipped: Archiver
) -> None:
    below = "/handbook/2026/en/guide"  # deeper than is looked for by itself
    links = {f"n{number}.md": f"# N{number}\n\n[next]({below}/n{number + 1})\n" for number in range(3)}
    archive = zipped({**links, "n3.md": "# N3\n"})
    page = open_page()
    page.get_by_label("ZIP of markdown notes").set_input_files(
        {"name": "site.zip", "mimeType": "application/zip", "buffer": archive}
    )
    findings = page.get_by_role("region", name="Findings in site")
    expect(findings).to_contain_text("3 links start with /handbook/ and lead to no note")
    expect(findings).to_contain_text("4 notes, 0 links")
    address = findings.get_by_label("Address below which the notes are published")
    expect(address).to_have_value("/handbook/")
    address.fill(f"{below}/")
    findings.get_by_role("button", name="Map the links and read again").click()
    expect(findings).to_contain_text("4 notes, 3 links")
    expect(address).to_have_count(0)


@pytest.mark.holds("page.shell.find")
def test_the_box_looks_in_this_space_or_with_backspace_everywhere(
    server: str, tabs: Tabs, watch: Watch, api: httpx.Client, zipped: Archiver
) -> None:
    _send(api, zipped({"quagga.md": "# Quagga\n\nA quagga eats grass.\n"}), "herd")
    page = tabs.take()
    watch.over(page)
    page.route("**/assets/index-*.js", lambda route: None)  # it is on its way
    page.goto(f"{server}/g/demo/list", wait_until="commit")
    page.wait_for_function("() => Symbol.for('loreweave.ask') in window")
    page.keyboard.press("Control+k")  # before the page has said in which space it is
    box = page.locator("lore-ask").get_by_role("combobox")
    options = page.locator("lore-ask").get_by_role("option")
    chip = page.locator("lore-ask .scope")
    box.fill("Quagga")
    expect(chip).to_be_hidden()
    page.unroute("**/assets/index-*.js")  # now it comes
    expect(chip).to_have_text("in demo")
    expect(box).to_have_value("Quagga")
    expect(box).to_be_focused()
    expect(options.filter(has_text="Ask Quagga")).to_be_visible()
    expect(options.filter(has_text="herd")).to_have_count(0)
    box.press("Home")
    box.press("Backspace")
    expect(chip).to_have_text("everything")
    expect(page.locator("lore-ask .group-head").first).to_have_text("Notes")
    expect(options.first).to_contain_text("herd")
    box.press("Enter")
    expect(page.get_by_role("complementary", name="Quagga")).to_be_visible()
    expect(page).to_have_url(re.compile("/g/herd/map"))
    watch.end()


@pytest.mark.holds("page.shell.find")
def test_a_box_opened_before_the_page_is_there_finds_what_the_page_finds(server: str, tabs: Tabs, watch: Watch) -> None:
    page = tabs.take()
    watch.over(page)
    page.route("**/assets/index-*.js", lambda route: None)  # it is on its way
    page.goto(f"{server}/memory", wait_until="commit")  # no space: nothing of the box changes when it is known
    page.wait_for_function("() => Symbol.for('loreweave.ask') in window")
    page.keyboard.press("Control+k")
    box = page.locator("lore-ask").get_by_role("combobox")
    box.fill("> trash")
    page.unroute("**/assets/index-*.js")  # now it comes
    expect(page.locator("lore-ask").get_by_role("option")).to_contain_text("Open the trash")
    box.press("Enter")
    expect(page).to_have_url(f"{server}/memory/trash")
    watch.end()


@pytest.mark.holds("page.shell.inspector")
def test_a_pinned_note_stays_when_one_goes_to_another_place(open_page: Opener) -> None:
    page = open_page("g/demo/list")
    page.get_by_role("link", name="Thought Records").first.click()
    note = page.get_by_role("complementary", name="Thought Records")
    note.get_by_role("button", name="Pin").click()
    page.get_by_role("link", name="Memory").first.click()
    expect(page).to_have_url(re.compile("/memory$"))
    expect(note.get_by_role("article")).to_be_visible()
    page.reload()
    expect(note.get_by_role("article")).to_be_visible()
    note.get_by_role("link", name="On the map").click()
    expect(page).to_have_url(re.compile(r"/g/demo/map\?n="))
    note.get_by_role("button", name="Pinned").click()
    page.get_by_role("link", name="Memory").first.click()
    expect(page.get_by_role("complementary")).to_have_count(0)


@pytest.mark.holds("page.library.watch")
def test_a_folder_is_watched_from_its_card_through_a_restart_and_its_loss_is_said(
    tabs: Tabs, tmp_path: Path, zipped: Archiver
) -> None:
    data, folder = tmp_path / "data", tmp_path / "patch"
    folder.mkdir()
    (folder / "soil.md").write_text(SOIL, encoding="utf-8")
    forked.run([*LORE, "ingest", folder, "--data", data], check=True, capture_output=True)
    page = tabs.take()
    watching = page.get_by_role("button", name="Watch the folder of patch")
    card = page.get_by_role("listitem").filter(has=watching)
    with running_server(data) as address:
        page.goto(address)
        watching.click()
        expect(watching).to_have_attribute("aria-pressed", "true")
        expect(card).to_contain_text("Its folder is watched")
        (folder / "rain.md").write_text("# Rain\n", encoding="utf-8")
        expect(card).to_contain_text("revision 2")
    (folder / "sun.md").write_text("# Sun\n", encoding="utf-8")
    with running_server(data) as address:  # what happened meanwhile is read, too
        page.goto(address)
        expect(card).to_contain_text("revision 3")
        folder.rename(tmp_path / "elsewhere")
        expect(card).to_contain_text("Its folder is gone. What was read stays")
        (tmp_path / "elsewhere" / "hail.md").write_text("# Hail\n", encoding="utf-8")
        (tmp_path / "elsewhere").rename(folder)
        expect(card).to_contain_text("revision 4")
        watching.click()
        expect(watching).to_have_attribute("aria-pressed", "false")
        zip_only = {"sourceType": "zip"}
        files = {"file": ("sent.zip", zipped({"a.md": "# A\n"}))}
        httpx.post(f"{address}/api/skillgraph/ingest", data=zip_only, files=files).raise_for_status()
        refused = httpx.post(f"{address}/api/skillgraph/watch", json={"graphId": "sent", "watching": True})
        assert (refused.status_code, refused.json()["field"]) == (400, "graphId")


def test_a_folder_is_watched_for_nobody_who_came_with_a_token(server_with: Callable[..., str], tmp_path: Path) -> None:
    made = forked.run([*LORE, "token", "create", "--data", tmp_path], check=True, capture_output=True, text=True)
    folder = tmp_path / "patch"
    folder.mkdir()
    (folder / "soil.md").write_text(SOIL, encoding="utf-8")
    forked.run([*LORE, "ingest", folder, "--data", tmp_path], check=True, capture_output=True)
    address = server_with(LORE_AUTH="required")
    headers = {"Authorization": f"Bearer {json.loads(made.stdout)['token']}"}
    asked = {"graphId": "patch", "watching": True}
    answer = httpx.post(f"{address}/api/skillgraph/watch", json=asked, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
