"""Whoever draws the map, a graphics card or the processor by itself, draws the same one."""

import base64

import pytest
from playwright.sync_api import expect
from tests.web.conftest import Watch
from tests.web.tabs import Tabs

# What stands in for a card here bears another name: the page takes it for one.
NAMED_OTHERWISE = """() => {
    const told = WebGL2RenderingContext.prototype.getParameter;
    WebGL2RenderingContext.prototype.getParameter = function (name) {
        return name === 0x9246 ? "A card" : told.call(this, name);
    };
}"""
WITHOUT_ANY = """() => {
    const given = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...settings) {
        return kind === "webgl2" ? null : given.call(this, kind, ...settings);
    };
}"""
COMPARED = """async (pictures) => {
    const seen = await Promise.all(pictures.map(async (text) => {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
        const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        pen.drawImage(picture, 0, 0);
        return pen.getImageData(0, 0, picture.width, picture.height).data;
    }));
    const [one, other] = seen;
    let [drawn, differing] = [0, 0];
    for (let at = 0; at < one.length; at += 4) {
        const away = (from, to) => Math.max(...[0, 1, 2].map((part) => Math.abs(from[part] - to[part])));
        const pixel = [one[at], one[at + 1], one[at + 2]];
        if (away(pixel, [one[0], one[1], one[2]]) > 80) drawn += 1;
        if (away(pixel, [other[at], other[at + 1], other[at + 2]]) > 80) differing += 1;
    }
    return [drawn, differing];
}"""


@pytest.mark.lengthy
@pytest.mark.holds("page.library.map-looks")
def test_a_map_looks_the_same_with_a_graphics_card_and_without(tabs: Tabs, watch: Watch, server: str) -> None:
    pictures: list[str] = []
    for changed, has_card in ((NAMED_OTHERWISE, True), (WITHOUT_ANY, False)):
        page = tabs.make(reduced_motion="reduce")  # what was changed in it stays
        watch.over(page)
        page.add_init_script(f"({changed})()")
        page.goto(f"{server}/g/demo/map")
        expect(page.locator("[data-settled=true]")).to_be_visible()
        assert page.evaluate("document.querySelector('.map-drawing').getContext('webgl2') !== null") is has_card
        pictures.append(base64.b64encode(page.locator(".map-canvas").screenshot()).decode())
    drawn, differing = tabs.take().evaluate(COMPARED, pictures)
    watch.end()
    assert drawn > 3_000  # marks, lines and names
    assert differing < drawn / 10
