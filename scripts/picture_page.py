"""Takes the picture of the page that README.md shows: `.venv/bin/python scripts/picture_page.py`, after `make test`."""

import base64
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PICTURE = Path(__file__).resolve().parents[1] / "docs/pictures/map.webp"
SHOWN = "/g/demo/map?n=skill%3Acognitive-reframing&tab=links"
AS_WEBP = """async (png) => {
  const picture = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext("2d").drawImage(picture, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({type: "image/webp", quality: 0.8})).arrayBuffer());
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}"""


def taken(page: Page, address: str) -> bytes:
    page.goto(address + SHOWN)
    page.get_by_role("heading", name="Linked from").wait_for()
    page.wait_for_load_state("networkidle")  # its places are kept when the map has come to rest
    png = base64.b64encode(page.screenshot(animations="disabled")).decode()
    page.goto("about:blank")
    return str(page.evaluate(AS_WEBP, png)).encode("latin-1")


def main() -> None:
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        lore = Path(sys.executable).with_name("lore")
        command = [str(lore), "serve", "--demo", "--port", "0", "--data", data]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            told = next((line for line in server.stderr if "listens on" in line), None)
            assert told, "The server did not start."
            chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page(
                viewport={"width": 1280, "height": 760},
                device_scale_factor=1.5,
                color_scheme="light",
                reduced_motion="reduce",
            )
            PICTURE.write_bytes(taken(page, told.split()[-1]))
            browser.close()
            server.terminate()
    print(f"{PICTURE.name}: {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
