"""The pages agree with the product and with one another."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from loreweave.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
OURS = sorted(path for path in DOCS.rglob("*.md") if "contracts" not in path.parts)
FENCE = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def prose(path: Path) -> str:
    """A page without its examples."""
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def anchors(path: Path) -> set[str]:
    """The addresses of a page's headings, as forges make them."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(prose(path))}


def leads_somewhere(page: Path, link: str) -> bool:
    address, _, anchor = link.partition("#")
    target = (page.parent / address).resolve() if address else page
    return target.exists() and (not anchor or anchor in anchors(target))


@pytest.mark.holds("house.docs.guide")
def test_the_front_page_shows_the_product_and_says_what_is_to_be_seen() -> None:
    shown = PICTURE.findall(prose(ROOT / "README.md"))
    assert shown
    for words, place in shown:
        assert len(words.split()) > 5
        assert 0 < (ROOT / place).stat().st_size < 150_000


@pytest.mark.holds("house.docs.guide")
def test_every_link_between_pages_leads_somewhere() -> None:
    assert DOCS / "guides" / "skill-graph.md" in OURS
    dead = [
        (str(page.relative_to(ROOT)), link)
        for page in OURS
        for link in LINK.findall(prose(page))
        if "://" not in link and not leads_somewhere(page, link)
    ]
    assert dead == []


def test_every_setting_named_in_the_pages_exists() -> None:
    known = {"LORE_" + field.name.upper() for field in fields(Settings)}
    named = {name for page in OURS for name in re.findall(r"\bLORE_[A-Z_]+\b", page.read_text(encoding="utf-8"))}
    assert named - known == set()


def test_every_dependency_has_its_line() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(one for extra in project["optional-dependencies"].values() for one in extra),
    ]
    names = {re.split(r"[\[<>=!~; ]", requirement)[0].lower() for requirement in wanted}
    page = (DOCS / "concepts" / "dependencies.md").read_text(encoding="utf-8")
    lines = {name.lower() for name in re.findall(r"^\| ([\w-]+) \|", page, re.MULTILINE)}
    assert names - lines == set()


def test_the_contracts_stand_beside_the_code() -> None:
    assert [path.name[:3] for path in sorted((DOCS / "contracts").iterdir())] == [
        "000",
        "001",
        "002",
        "003",
        "004",
    ]
