"""The map keeps its shape: what is dragged stays, what is new finds its place, and nobody else moves."""

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

SETTLED = "[data-settled=true]"
NOTES = {
    **{f"ring/n{number}.md": f"# Note {number}\n\n[[n{(number + 1) % 12}]] [[hub]]\n" for number in range(12)},
    "hub.md": "---\ntype: moc\ndescription: The middle of it all.\n---\n# Hub\n\n[[n0]] [[n3]] [[n6]]\n",
    "alone.md": "# Alone\n",
}


def kept(api: httpx.Client) -> dict[str, list[float]]:
    return api.get("/places", params={"graphId": "ring"}).json()["places"]


@pytest.mark.holds("page.library.map-stable", "page.library.map-looks")
def test_a_dragged_note_stays_and_an_edit_moves_no_other(
    open_page: Callable[..., Page], api: httpx.Client, zipped: Callable[[dict[str, str]], bytes]
) -> None:
    def send(notes: dict[str, str]) -> None:
        api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("ring.zip", zipped(notes))})

    send(NOTES)
    page = open_page("g/ring/map", reduced_motion="reduce")
    with page.expect_response(lambda reply: reply.url.endswith("/places") and reply.request.method == "POST"):
        expect(page.locator(SETTLED)).to_be_visible()
    first = kept(api)
    assert set(first) == {"skill:hub", "skill:alone", *(f"skill:n{number}" for number in range(12))}

    canvas = page.get_by_role("application")
    canvas.focus()
    page.keyboard.press("ArrowRight")  # the first press lands on the best connected note
    card = page.locator(".hover-card")
    expect(card).to_contain_text("The middle of it all.")
    left, top, above = card.evaluate(
        """(card) => [...["--left", "--top"].map((name) => parseFloat(card.style.getPropertyValue(name))),
                      card.classList.contains("above")]"""
    )
    box: Any = canvas.bounding_box()
    x, y = box["x"] + left - 18, box["y"] + top + (16 if above else -22)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=4)
    with page.expect_response(lambda reply: reply.url.endswith("/places") and reply.request.method == "POST"):
        page.mouse.up()
    dragged = kept(api)
    assert dragged["skill:hub"][2] == 1
    assert dragged["skill:hub"][:2] != first["skill:hub"][:2]
    assert {id: place for id, place in dragged.items() if id != "skill:hub"} == {
        id: place for id, place in first.items() if id != "skill:hub"
    }

    send({**NOTES, "ring/n3.md": "# Note 3\n\n[[hub]] and [[n9]], said otherwise.\n", "new.md": "# New\n\n[[n3]]\n"})
    with page.expect_response(lambda reply: reply.url.endswith("/places") and reply.request.method == "POST"):
        page.goto(page.url)
    after = kept(api)
    assert {id: after[id][:3] for id in dragged} == {id: place[:3] for id, place in dragged.items()}
    assert "skill:new" in after


@pytest.mark.holds("page.library.map-follows", "page.library.cards")
def test_what_is_read_again_appears_on_the_open_map_and_list_without_moving_the_rest(
    open_page: Callable[..., Page], server: str, api: httpx.Client, zipped: Callable[[dict[str, str]], bytes]
) -> None:
    def send(notes: dict[str, str]) -> None:
        api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("grown.zip", zipped(notes))})

    send(NOTES)
    page = open_page("g/grown/map?n=skill:hub", reduced_motion="reduce")
    with page.expect_response(lambda reply: reply.url.endswith("/places") and reply.request.method == "POST"):
        expect(page.locator(SETTLED)).to_be_visible()
    page.evaluate("window.unloaded = false")
    first = api.get("/places", params={"graphId": "grown"}).json()["places"]
    send({**NOTES, "hub.md": NOTES["hub.md"].replace("middle", "heart"), "new.md": "# New\n\n[[hub]]\n"})
    expect(page.locator(".map-canvas[data-settled=true][data-marks='15']")).to_be_visible()
    expect(page.get_by_role("complementary", name="Hub")).to_contain_text("The heart of it all.")
    now = api.get("/places", params={"graphId": "grown"}).json()["places"]
    assert {each: now[each][:2] for each in first} == {each: place[:2] for each, place in first.items()}
    page.get_by_role("link", name="List", exact=True).click()
    send({"hub.md": NOTES["hub.md"]})
    expect(page.get_by_role("row")).to_have_count(2)  # with the head
    assert page.evaluate("window.unloaded") is False
    page.goto(server)
    dyes = page.get_by_role("listitem").filter(has_text="grown").locator(".map-picture circle")
    expect(dyes.first).to_have_attribute("fill", re.compile(r"^var\(--dye-(?!slate)"))


@pytest.mark.lengthy
@pytest.mark.holds("page.library.cards", "page.library.places-kept")
def test_the_picture_of_a_map_nobody_opened_has_its_colours_and_is_where_the_map_begins(
    open_page: Callable[..., Page], api: httpx.Client, zipped: Callable[[dict[str, str]], bytes]
) -> None:
    api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("unseen.zip", zipped(NOTES))})
    page = open_page(reduced_motion="reduce")
    dots = page.get_by_role("listitem").filter(has_text="unseen").locator(".map-picture > circle")
    expect(dots).to_have_count(14)
    assert len({dot.get_attribute("fill") for dot in dots.all()}) > 1
    first = api.get("/places", params={"graphId": "unseen"}).json()["places"]
    assert len(first) == 14
    page.goto(f"{page.url}g/unseen/map")
    expect(page.locator(SETTLED)).to_be_visible()
    assert api.get("/places", params={"graphId": "unseen"}).json()["places"] == first


@pytest.mark.holds("page.library.map-looks")
def test_the_map_is_coloured_filtered_and_narrowed_and_find_flies_to_the_best_hit(
    open_page: Callable[..., Page], api: httpx.Client, zipped: Callable[[dict[str, str]], bytes]
) -> None:
    api.post("/ingest", data={"sourceType": "zip"}, files={"file": ("rings.zip", zipped(NOTES))})
    page = open_page("g/rings/map", reduced_motion="reduce")
    expect(page.locator(SETTLED)).to_be_visible()
    page.get_by_text("1 note without links").click()
    expect(page.get_by_role("link", name="Alone")).to_be_visible()
    page.get_by_label("Colours tell").select_option("folder")
    folders = page.get_by_role("list", name="Notes by folder").get_by_role("listitem")
    expect(folders).to_have_text([re.compile(r"ring\s*12"), re.compile(r"top folder\s*2")])
    folders.first.get_by_role("button").click()
    expect(page).to_have_url(re.compile("colour=folder&only=ring"))
    page.get_by_label("Find notes").fill("hub")
    expect(page.get_by_text(re.compile(r"\d+ found"))).to_be_visible()
    before = page.locator(".map-canvas").screenshot()
    page.get_by_label("Find notes").press("Enter")
    expect(page).to_have_url(re.compile("n=skill%3Ahub"))
    expect(page.get_by_role("complementary", name="Hub")).to_be_visible()
    page.get_by_label("Around it").select_option("1")
    expect(page).to_have_url(re.compile("around=1"))
    assert page.locator(".map-canvas").screenshot() != before
    page.reload()
    expect(page.get_by_label("Colours tell")).to_have_value("folder")
    expect(page.get_by_label("Around it")).to_have_value("1")
