"""A hook of the build: what is packed holds the page, or is not packed.

An editable install needs no page: `make install` builds it afterwards, in its place.
"""

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = "src/loreweave/faces/http/static/index.html"
HOW = "run `make install` in the checkout first, or put Node.js 20.19 or newer on the PATH"


class PageBuildHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version == "editable" or (root / PAGE).is_file():
            return
        built = subprocess.run(["sh", "scripts/build_page.sh"], cwd=root, stdout=subprocess.DEVNULL)
        if built.returncode != 0 or not (root / PAGE).is_file():
            raise RuntimeError(f"The page is not built and could not be: {HOW}.")
