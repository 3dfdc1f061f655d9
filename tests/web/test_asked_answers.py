"""Answers in the box as a scripted model gives them: streamed, stopped, broken, hostile; on a site of somebody else."""

import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect
from tests.faces.asked_documents import write_documents
from tests.faces.served import served
from tests.model_server import ModelServer, call, open_section, running_model_server, say, search
from tests.pace import PATIENCE
from tests.web.ask_box import AskBox, Visits
from tests.web.third_party_site import ThirdPartySite, running_site

from loreweave.application import open_application
from loreweave.settings import Settings

GATHER = call(search("backup folder"), open_section("guide/storage#backups"))
ENOUGH = say("enough")
QUESTION = "how do I make a backup"


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with running_model_server() as server:
        yield server


@pytest.fixture(scope="module")
def site() -> Iterator[ThirdPartySite]:
    with running_site() as site:
        yield site


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, model: ModelServer, site: ThirdPartySite) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("answered")
    application = open_application(Settings(data_dir=folder / "data", embedder="none"))
    application.graphs.ingest_folder(write_documents(folder / "docs"), name="docs")
    application.close()
    settings = {
        "ANTHROPIC_API_KEY": "sk-test-not-to-be-shown",
        "ANTHROPIC_BASE_URL": model.base_url,
        "LORE_EMBEDDER": "none",
        "LORE_CORS_ORIGINS": site.address,
        "NO_PROXY": "127.0.0.1",
    }
    with served(folder / "data", **settings) as address:
        yield address


@pytest.fixture
def box(visits: Visits, address: str) -> AskBox:
    return visits.visit(f"{address}/docs/guide/cli", permissions=["clipboard-read", "clipboard-write"]).open()


@pytest.mark.holds("ask.overlay.answers", "ask.overlay.stop")
def test_an_answer_arrives_piece_by_piece_with_everything_around_it(
    box: AskBox, model: ModelServer, address: str
) -> None:
    going_on = threading.Event()
    text = (
        "Set `TOOL_BACKUP_DIR` first, see [Backups](/docs/guide/storage#backups).\n\n",
        "```sh\ntool backup --all\n```\n\n| Flag | What |\n|---|---|\n| all | everything |\n\nNot `--made-up`.",
    )
    model.script(GATHER, ENOUGH, say(*text, between=going_on))
    box.ask(QUESTION)
    turn = box.turns.last
    expect(turn).to_contain_text("Set TOOL_BACKUP_DIR first")
    expect(turn.get_by_role("list", name="Searched for")).to_contain_text("backup folder")
    expect(box.button("Stop answering")).to_be_visible()
    expect(turn.locator(".text")).to_have_attribute("aria-busy", "true")
    going_on.set()
    expect(turn.locator("pre")).to_have_text("tool backup --all")
    expect(turn.get_by_role("cell", name="everything")).to_be_visible()
    expect(turn.locator(".text a")).to_have_attribute("href", f"{address}/docs/guide/storage#backups")
    expect(turn.locator("mark.doubt")).to_have_text("--made-up")
    expect(turn).to_contain_text("Not found in the sources: --made-up")
    expect(box.button("Stop answering")).to_be_hidden()
    box.button("Copy answer").click()
    expect(box.dialog.get_by_role("status")).to_have_text("Copied")
    assert box.page.evaluate("() => navigator.clipboard.readText()").startswith(
        "Set `TOOL_BACKUP_DIR` first, see [Back"
    )
    box.button("Not helpful").click()
    expect(box.dialog.get_by_role("status")).to_have_text("Thank you.")
    gaps = httpx.get(f"{address}/api/ask/gaps").json()["gaps"]
    assert (QUESTION, "unhelpful") in [(gap["query"], gap["reason"]) for gap in gaps]
    assert box.troubles == []


@pytest.mark.holds("ask.overlay.follow-up")
def test_a_follow_up_knows_what_was_said(box: AskBox, model: ModelServer) -> None:
    model.script(GATHER, ENOUGH, say("It goes to the moon."), GATHER, ENOUGH, say("By rocket."))
    box.ask("where does it go")
    box.button("Ask a follow-up").click()
    expect(box.field).to_be_focused()
    box.ask("and how")
    expect(box.turns.nth(1)).to_contain_text("By rocket.")
    assert "It goes to the moon." in model.asked[-1].text
    box.button("New conversation").click()
    expect(box.turns).to_have_count(0)
    model.script(GATHER, ENOUGH, say("Anew."))
    box.ask("something else")
    expect(box.turns).to_contain_text(["Anew."])
    assert "It goes to the moon." not in model.asked[-1].text


@pytest.mark.holds("ask.overlay.stop")
def test_stop_ends_the_answer_and_what_it_asks_of_the_model(box: AskBox, model: ModelServer) -> None:
    model.script(GATHER, ENOUGH, say("It begins", fault="stall"))
    box.ask(QUESTION)
    expect(box.turns.last).to_contain_text("It begins")
    box.button("Stop answering").click()
    expect(box.turns.last).to_contain_text("Stopped.")
    assert model.asked[-1].gone.wait(PATIENCE)
    expect(box.turns.last).to_contain_text("It begins")


@pytest.mark.holds("ask.overlay.new-question-aborts")
def test_a_new_question_ends_the_running_one(box: AskBox, model: ModelServer) -> None:
    model.script(GATHER, ENOUGH, say("First answer", fault="stall"), GATHER, ENOUGH, say("Second answer."))
    box.ask("first question")
    expect(box.turns.last).to_contain_text("First answer")
    running = model.asked[-1]
    box.ask("second question")
    expect(box.turns.nth(0)).to_contain_text("Stopped.")
    assert running.gone.wait(PATIENCE)
    expect(box.turns.nth(1)).to_contain_text("Second answer.")
    expect(box.turns.nth(0)).not_to_contain_text("Second")


@pytest.mark.holds("ask.overlay.new-question-aborts")
def test_closing_the_box_ends_the_running_answer(box: AskBox, model: ModelServer) -> None:
    model.script(GATHER, ENOUGH, say("It begins", fault="stall"))
    box.ask(QUESTION)
    expect(box.turns.last).to_contain_text("It begins")
    box.page.keyboard.press("Escape")
    assert model.asked[-1].gone.wait(PATIENCE)


@pytest.mark.holds("ask.overlay.faults")
def test_a_fault_keeps_what_there_was_and_can_be_tried_again(box: AskBox, model: ModelServer) -> None:
    model.script(GATHER, ENOUGH, say("Half an answer", fault="error frame"), GATHER, ENOUGH, say("A whole one."))
    box.ask(QUESTION)
    expect(box.dialog.get_by_role("alert")).to_be_visible()
    expect(box.turns.last).to_contain_text("Half an answer")
    expect(box.turns.last).not_to_contain_text("upstream-words")
    box.button("Try again").click()
    expect(box.turns.last).to_contain_text("A whole one.")


@pytest.mark.holds("ask.overlay.faults", "ask.overlay.no-model")
def test_a_model_that_refuses_leaves_results_and_says_why_once(box: AskBox, model: ModelServer) -> None:
    for time in range(2):
        model.script(say(status=401))
        box.ask(QUESTION)
        expect(box.rows.filter(has_text="Backups").first).to_be_visible()
        expect(box.field).to_have_value(QUESTION)
        expect(box.dialog.locator(".note")).to_be_visible(visible=time == 0)


@pytest.mark.holds("ask.overlay.any-site", "ask.overlay.opens")
def test_a_site_of_somebody_else_keeps_its_styles_its_shortcuts_and_its_policy(
    visits: Visits, site: ThirdPartySite, address: str, model: ModelServer
) -> None:
    site.lore, site.attributes = address, f'data-endpoint="{address}" data-graph="docs" data-theme="dark"'
    site.policy = (
        f"default-src 'none'; script-src 'self' {address}; style-src 'self'; connect-src {address}; img-src data:; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    box = visits.visit(f"{site.address}/guide")
    page = box.page
    own = (
        "() => [getComputedStyle(own).color, getComputedStyle(own).fontSize, document.styleSheets.length, heard.length]"
    )
    before = page.evaluate(own)
    for writable in (page.locator("input.own"), page.locator("#editable")):
        writable.press("/")
        expect(box.dialog).to_be_hidden()
    page.locator("#editable").blur()
    page.evaluate("() => { heard.length = 0; }")
    page.get_by_role("link", name="Ask").click()
    expect(box.field).to_be_focused()
    page.keyboard.type("backup g")
    expect(box.rows.first).to_contain_text("Ask")
    assert page.evaluate("() => heard") == []
    looks = box.rows.last.evaluate(
        "row => { const s = getComputedStyle(row); return [s.fontSize, s.letterSpacing, s.textTransform, s.color]; }"
    )
    assert looks == ["15px", "normal", "none", "rgb(230, 232, 228)"]
    model.script(GATHER, ENOUGH, say("As [here](/docs/guide/storage#backups)."))
    box.ask(QUESTION)
    expect(box.turns.last.locator(".text a")).to_have_attribute("href", f"{site.address}/docs/guide/storage#backups")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    expect(page.locator("h1")).to_have_text("own shortcut")
    assert page.evaluate(own)[:3] == before[:3]
    assert box.troubles == []


@pytest.mark.holds("ask.overlay.any-site")
def test_a_base_leads_to_the_pages_of_the_server(visits: Visits, site: ThirdPartySite, address: str) -> None:
    site.lore, site.policy = address, None
    site.attributes = f'data-endpoint="{address}/api/ask" data-graph="docs" data-base="{address}"'
    box = visits.visit(f"{site.address}/guide").open()
    box.field.fill("TOOL_BACKUP_DIR")
    expect(box.rows.nth(1)).to_contain_text("Backups")
    box.rows.nth(1).click()
    box.page.wait_for_url(f"{address}/docs/guide/storage?graph=docs#backups")


@pytest.mark.holds("ask.overlay.any-site")
def test_a_site_that_the_server_does_not_know_is_told_which_setting_names_it(
    visits: Visits, site: ThirdPartySite, tmp_path: Path
) -> None:
    with served(tmp_path, LORE_MODEL="none", LORE_EMBEDDER="none") as strange:
        site.lore, site.policy, site.attributes = strange, None, f'data-endpoint="{strange}"'
        box = visits.visit(f"{site.address}/guide").open()
        box.field.fill("backup")
        expect(box.dialog).to_contain_text("its setting LORE_CORS_ORIGINS must name it")
    box.field.fill("backups")
    expect(box.dialog).to_contain_text("The server cannot be reached.")


HOSTILE = (
    "<img src=x onerror='window.hacked=1'> <script>window.hacked=1</script> [a](javascript:window.hacked=1) "
    "[b](<javascript:window.hacked=1>) [c](https://evil.test) <https://evil.test> ![d](https://evil.test/p.png)\n\n"
    "<a href='https://evil.test'>e</a>\n\n[f]: https://evil.test\n\n| [g](https://evil.test) |\n|---|\n| <b>h</b> |\n\n"
    "[real](</docs/x#y>) and [`code`](/docs/x#y)"
)


@pytest.mark.holds("ask.overlay.inert")
def test_whatever_a_server_sends_stays_inert(visits: Visits, site: ThirdPartySite, address: str) -> None:
    site.lore, site.policy = address, None
    site.attributes = f'data-endpoint="{site.address}/hostile/api/ask"'
    site.events = [
        ("search", {"query": "<b>bold</b>"}),
        (
            "sources",
            {"sources": [{"url": "/docs/x#y", "title": "<i>X</i>"}, {"url": "javascript:alert(1)", "title": "Bad"}]},
        ),
        ("token", {"text": HOSTILE}),
        ("done", {"answerId": "1", "unverified": ["<u>z</u>"]}),
    ]
    box = visits.visit(f"{site.address}/guide").open()
    requests: list[str] = []
    box.page.on("request", lambda request: requests.append(request.url))
    box.ask("anything")
    expect(box.button("Copy answer")).to_be_visible()
    hrefs = box.turns.locator("a").evaluate_all("links => links.map((link) => link.href)")
    assert set(hrefs) == {f"{site.address}/docs/x#y"}
    assert box.turns.locator("img, script, b, i, u, iframe").count() == 0
    expect(box.turns).to_contain_text(["<img src=x onerror='window.hacked=1'>"])
    assert box.page.evaluate("() => window.hacked") is None
    assert [url for url in requests if "evil" in url] == []


@pytest.mark.holds("ask.overlay.late-replies")
def test_a_late_reply_is_dropped(visits: Visits, site: ThirdPartySite, address: str) -> None:
    site.lore, site.policy = address, None
    site.attributes = f'data-endpoint="{site.address}/hostile/api/ask"'
    site.held.clear()
    box = visits.visit(f"{site.address}/guide").open()
    shown = "() => { window.shown = []; const list = document.querySelector('lore-ask').shadowRoot.querySelector('ul');"
    box.page.evaluate(
        shown + " new MutationObserver(() => shown.push(list.innerText)).observe(list, {childList: true}); }"
    )
    with box.page.expect_request(lambda request: "slow" in (request.post_data or "")):
        box.field.fill("slow words")
    box.field.fill("quick words")
    expect(box.rows.last).to_contain_text("About quick words")
    site.held.set()
    box.field.fill("last words")
    expect(box.rows.last).to_contain_text("About last words")
    assert [text for text in box.page.evaluate("() => shown") if "slow" in text] == []
