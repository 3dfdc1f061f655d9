"""The first page: graphs, reading notes in, and what was found in them."""

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests import forked
from tests.faces.served import LORE
from tests.web.tabs import Tabs

Opener = Callable[..., Page]
Archiver = Callable[[dict[str, str]], bytes]

GARDEN = {
    "compost.md": "---\ndescription: Feeds the soil.\ntype: skill\ndomain: garden\n---\n"
    "# Compost\n\nIt feeds the [[soil]] and the [[rosess]] by the wall.\n",
    "soil.md": "---\ndescription: What roots live in.\ntype: skill\ndomain: garden\n---\n"
    "# Soil\n\nMade by [[compost]] for [[roses]].\n",
    "roses.md": "---\ntype: claim\ndomain: garden\n---\n# Roses\n\nThey want good [[soil]].\n",
}


def choose_zip(page: Page, name: str, archive: bytes) -> None:
    page.get_by_label("ZIP of markdown notes").set_input_files(
        {"name": name, "mimeType": "application/zip", "buffer": archive}
    )


@pytest.mark.holds("graph.page.graphs")
def test_the_demo_graph_is_listed_with_score_revision_and_counts(open_page: Opener, api: httpx.Client) -> None:
    [demo] = [graph for graph in api.get("/graphs").json()["graphs"] if graph["graphId"] == "demo"]
    page = open_page()
    card = page.get_by_role("listitem").filter(has_text="demo")
    expect(card).to_contain_text(f"{demo['nodeCount']} notes")
    expect(card).to_contain_text(f"{demo['edgeCount']} links")
    expect(card).to_contain_text(f"revision {demo['revision']}")
    expect(card.get_by_label(f"Score {demo['score']} of 100")).to_be_visible()


@pytest.mark.holds("graph.page.ingest")
def test_an_uploaded_zip_is_read_and_its_findings_are_shown(
    open_page: Opener, api: httpx.Client, zipped: Archiver
) -> None:
    page = open_page()
    choose_zip(page, "garden.zip", zipped(GARDEN))
    findings = page.get_by_role("region", name="Findings in garden")
    expect(findings).to_contain_text("3 notes")
    expect(findings).to_contain_text("Revision 1: 3 added.")
    [broken] = api.post("/validate", json={"graphId": "garden"}).json()["issues"]["brokenLinks"]
    item = findings.get_by_role("listitem").filter(has_text="rosess")
    expect(item).to_contain_text(f"compost.md:{broken['line']}")
    expect(item).to_contain_text("It feeds the [[soil]] and the [[rosess]] by the wall.")
    expect(item).to_contain_text("Did you mean skill:roses?")
    expect(findings).to_contain_text("Missing descriptions 1")
    expect(page.get_by_role("link", name="garden", exact=True)).to_be_visible()
    findings.get_by_role("link", name="Open the map").click()
    expect(page.locator("[data-settled=true][data-marks='3']")).to_be_visible()


@pytest.mark.lengthy
@pytest.mark.holds("graph.page.ingest", "graph.page.changes")
def test_a_second_reading_says_what_changed(open_page: Opener, zipped: Archiver) -> None:
    page = open_page()
    findings = page.get_by_role("region", name="Findings in orchard")
    choose_zip(page, "orchard.zip", zipped(GARDEN))
    expect(findings).to_contain_text("Revision 1: 3 added.")
    changed = {**GARDEN, "roses.md": GARDEN["roses.md"] + "\nAnd sun.\n", "sun.md": "# Sun\n"}
    choose_zip(page, "orchard.zip", zipped(changed))
    expect(findings).to_contain_text("Revision 2: 1 added, 1 changed, 2 unchanged.")
    expect(findings.get_by_role("list", name="Added").get_by_role("listitem")).to_contain_text(["Sun sun.md"])
    expect(findings.get_by_role("list", name="Changed").get_by_role("listitem")).to_contain_text(["Roses roses.md"])
    choose_zip(page, "orchard.zip", zipped(changed))
    expect(findings).to_contain_text("Nothing changed: still revision 2.")
    expect(findings.get_by_role("list", name="Changed")).to_have_count(0)


@pytest.mark.lengthy
@pytest.mark.holds("graph.page.ingest")
def test_a_zip_can_be_dropped_on_the_page(open_page: Opener, zipped: Archiver) -> None:
    page = open_page()
    page.locator(".drop-zone").evaluate(
        """(zone, text) => {
            const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([bytes], "dropped.zip", {type: "application/zip"}));
            zone.dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
        }""",
        base64.b64encode(zipped(GARDEN)).decode(),
    )
    expect(page.get_by_role("region", name="Findings in dropped")).to_contain_text("3 notes")


@pytest.mark.holds("graph.page.ingest")
def test_what_the_server_refuses_is_told_in_its_own_sentence(open_page: Opener, api: httpx.Client, watch: Any) -> None:
    page = open_page()
    choose_zip(page, "broken.zip", b"this is no archive")
    answer = api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("broken.zip", b"this is no archive")})
    assert answer.status_code == 400
    expect(page.get_by_role("alert")).to_have_text(answer.json()["error"])
    page.get_by_label("or read a GitHub repository").fill("github.com/owner")
    page.get_by_role("button", name="Read", exact=True).click()
    fault = page.locator(".field-fault")
    expect(fault).to_have_text("Name an owner and a repository: github.com/owner/repository")
    expect(page.get_by_role("alert")).to_have_count(1)  # what was tried before is no longer spoken of
    choose_zip(page, "broken.zip", b"this is no archive")
    expect(page.get_by_role("alert")).to_have_text(answer.json()["error"])
    watch.forgive("Failed to load resource: the server responded with a status of 400")


@pytest.mark.holds("page.library.delete-undo")
def test_a_graph_that_is_deleted_can_be_had_back_for_a_while(
    open_page: Opener, api: httpx.Client, zipped: Archiver
) -> None:
    api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("doomed.zip", zipped(GARDEN))})
    page = open_page()
    delete = page.get_by_role("button", name="Delete doomed")
    delete.click()
    expect(delete).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_be_focused()  # what was pressed has gone with its card
    page.keyboard.press("Enter")
    expect(delete).to_be_focused()
    assert "doomed" in [graph["graphId"] for graph in api.get("/graphs").json()["graphs"]]
    delete.click()
    with page.expect_response(lambda reply: reply.request.method == "DELETE"):
        page.get_by_role("button", name="Delete now").click()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    expect(delete).to_have_count(0)
    assert "doomed" not in [graph["graphId"] for graph in api.get("/graphs").json()["graphs"]]


@pytest.mark.holds("page.library.folder", "page.library.health-repair", "page.library.cards")
def test_a_folder_is_added_and_its_best_finding_repaired(open_page: Opener, api: httpx.Client, tmp_path: Path) -> None:
    folder = tmp_path / "allotment"
    (folder / ".obsidian").mkdir(parents=True)
    for name, text in {**GARDEN, "rose.png": "no note", ".obsidian/app.md": "hidden"}.items():
        (folder / name).write_text(text, encoding="utf-8")
    with (folder / "soil.md").open("a", encoding="utf-8") as long_note:  # longer than what is packed in one go
        long_note.write("\nWorms turn it over.\n" * 20_000)
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("Folder of markdown notes").set_input_files(folder)
    findings = page.get_by_role("region", name="Findings in allotment")
    expect(findings).to_contain_text("3 notes")
    expect(page.get_by_text(re.compile("Left out: 1 other files"))).to_be_visible()
    card = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="allotment", exact=True))
    card.get_by_role("link", name=re.compile("^mend links")).click()
    expect(page.get_by_text("Open its line and correct the name")).to_be_visible()
    item = page.get_by_role("listitem").filter(has_text="rosess")
    item.get_by_role("button", name="Copy the mended line").click()
    expect(item).to_contain_text("Copied")
    mended = page.evaluate("() => navigator.clipboard.readText()")
    assert mended == "It feeds the [[soil]] and the [[roses]] by the wall."
    item.get_by_role("link", name=re.compile("^compost.md:")).click()
    wrong = page.locator(".source-text [aria-current]")
    expect(wrong).to_contain_text("[[rosess]]")
    note = folder / "compost.md"
    note.write_text(note.read_text().replace("[[rosess]]", "[[roses]]"))
    before = api.post("/validate", json={"graphId": "allotment"}).json()["score"]
    page.goto(page.url.partition("/g/")[0])
    page.get_by_label("Folder of markdown notes").set_input_files(folder)
    expect(page.get_by_role("region", name="Findings in allotment")).to_contain_text("Revision 2: 1 changed")
    assert api.post("/validate", json={"graphId": "allotment"}).json()["score"] > before


@pytest.mark.holds("graph.page.ingest")
def test_a_github_repository_is_read_from_its_archive(
    tabs: Tabs,
    server_with: Callable[..., str],
    archive_site: tuple[str, dict[str, bytes]],
    zipped: Archiver,
) -> None:
    site, archives = archive_site
    archives["/ada/garden/spring.zip"] = zipped({f"garden-1/{path}": text for path, text in GARDEN.items()})
    address = server_with(LORE_GITHUB_ARCHIVE_URL=site + "/{owner}/{repo}/{ref}.zip")
    page = tabs.take()
    page.goto(address)
    page.get_by_label("or read a GitHub repository").fill("https://github.com/ada/garden")
    page.get_by_label("Branch").fill("spring")
    page.get_by_text("Name and folder").click()
    page.get_by_label("Name of the graph").fill("Ada's garden")
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.get_by_role("region", name="Findings in ada-s-garden")).to_contain_text("3 notes")
    page.get_by_label("Branch").fill("autumn")
    page.get_by_role("button", name="Read", exact=True).click()
    missing = {"sourceType": "github", "source": "https://github.com/ada/garden", "branch": "autumn"}
    answer = httpx.post(f"{address}/api/skillgraph/ingest", json=missing)
    assert answer.status_code == 404
    expect(page.get_by_role("alert")).to_have_text(answer.json()["error"])


def test_a_server_that_demands_tokens_is_opened_with_one(
    tabs: Tabs, server_with: Callable[..., str], tmp_path: Path
) -> None:
    made = forked.run([*LORE, "token", "create", "--data", tmp_path], check=True, capture_output=True, text=True)
    address = server_with(LORE_AUTH="required")
    page = tabs.take()
    for place in ("memory", "ask", "studio/plan/new?kind=plan&starter=1", ""):  # each asks for it, in the same words
        page.goto(f"{address}/{place}")
        expect(page.get_by_role("heading", level=1)).to_have_text("This server wants an access token")
    page.get_by_label("Access token").fill("not this one")
    page.get_by_role("button", name="Use it in this tab").click()
    expect(page.get_by_role("alert")).to_have_text("It does not know the one of this tab. Give another one.")
    page.get_by_label("Access token").fill(json.loads(made.stdout)["token"])
    page.get_by_role("button", name="Use it in this tab").click()
    expect(page.get_by_text("No graph yet.")).to_be_visible()


def test_an_empty_library_says_what_to_do_next(tabs: Tabs, empty_server: str) -> None:
    page = tabs.take()
    page.goto(empty_server)
    expect(page.get_by_text("No graph yet.")).to_be_visible()
    expect(page.get_by_text("Drop a folder or a ZIP of linked markdown notes")).to_be_visible()


@pytest.mark.lengthy
@pytest.mark.holds("graph.page.ingest", "graph.ingest.demo")
def test_an_empty_library_loads_the_demo_with_one_click(tabs: Tabs, empty_server: str) -> None:
    page = tabs.take()
    page.goto(empty_server)
    load = page.get_by_role("button", name="Load the demo graph")
    load.click()
    findings = page.get_by_role("region", name="Findings in demo")
    expect(findings).to_be_focused()
    [demo] = httpx.get(f"{empty_server}/api/skillgraph/graphs").json()["graphs"]
    expect(findings).to_contain_text(f"{demo['nodeCount']} notes")
    expect(page.get_by_role("link", name="demo", exact=True)).to_be_visible()
    expect(load).to_have_count(0)
    findings.get_by_role("link", name="Open the map").click()
    expect(page.locator(f"[data-settled=true][data-marks='{demo['nodeCount']}']")).to_be_visible()


@pytest.mark.holds("graph.page.ingest", "graph.ingest.demo")
def test_a_library_without_the_demo_still_offers_it_and_a_refusal_is_told(
    tabs: Tabs, server_with: Callable[..., str], zipped: Archiver
) -> None:
    address = server_with(LORE_INGESTS_PER_HOUR="1")
    page = tabs.take(viewport={"width": 360, "height": 640})
    page.goto(address)
    choose_zip(page, "garden.zip", zipped(GARDEN))
    expect(page.get_by_role("region", name="Findings in garden")).to_be_visible()
    page.get_by_role("button", name="Load the demo graph").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The limit is 1 ingests an hour")
    expect(alert).to_be_in_viewport()
