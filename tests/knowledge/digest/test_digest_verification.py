"""Whether a digest still says what its documents say."""

import json
from pathlib import Path
from typing import Any

import pytest

from loreweave.contracts.ask import VerifyReport
from loreweave.contracts.skill_graph import PageSettings
from loreweave.errors import InvalidInput, NotFound
from loreweave.knowledge.digest.check_digest import html_ids

PAGES = {
    "index.md": "# Acme\n\nAcme makes widgets.\n\n## Install\n\nRun `acme --now`.\n",
    "api/My Tool.md": "# CLI\n\nText.\n\n## Flags & more\n\nUse `--depth`.\n",
}


def _verify(builder: Any, folder: Path, **options: Any) -> VerifyReport:
    report: VerifyReport = builder.service.verify_folder(folder, **options)
    return report


def _found(report: VerifyReport) -> list[tuple[str, str]]:
    return [(problem.kind, problem.id) for problem in report.problems]


def _edit(folder: Path, change: Any) -> None:
    file = folder / ".ask" / "digest.json"
    digest = json.loads(file.read_bytes())
    change(digest)
    file.write_text(json.dumps(digest))


@pytest.mark.holds("ask.verify.kinds")
def test_a_fresh_digest_has_no_problems(docs: Any, builder: Any) -> None:
    folder = docs(PAGES)
    builder.build(folder)
    assert _verify(builder, folder).model_dump() == {"ok": True, "problems": []}


@pytest.mark.holds("ask.verify.kinds")
def test_changed_new_and_deleted_sections_are_told_apart(docs: Any, builder: Any) -> None:
    folder = docs({**PAGES, "gone.md": "# Gone\n\nText.\n"})
    builder.build(folder)
    docs({"gone.md": None, "new.md": "# New\n\nText.\n", "index.md": PAGES["index.md"].replace("--now", "--then")})
    report = _verify(builder, folder)
    assert not report.ok
    assert _found(report) == [
        ("orphan", "gone"),
        ("stale", "index#install"),
        ("missing", "new"),
        ("fact", "index#install"),
        ("fact", "index#install"),
    ]


@pytest.mark.holds("ask.verify.kinds")
def test_what_was_changed_in_the_digest_itself_is_seen(docs: Any, builder: Any) -> None:
    folder = docs(PAGES)
    builder.build(folder)

    def change(digest: dict[str, Any]) -> None:
        first, second, _third, _fourth = digest["nodes"]
        first["facts"] = [{"literal": "never written"}, "none"]
        second["url"] = "https://elsewhere"
        digest["nodes"] += [3, {"id": ["odd"]}]
        digest["contentHash"] = "0"

    _edit(folder, change)
    report = _verify(builder, folder)
    assert _found(report) == [("stale", "api/My Tool#flags--more"), ("fact", "api/My Tool"), ("fact", "api/My Tool")]
    _edit(folder, lambda digest: digest["nodes"][1].update(url="/docs/api/My%20Tool#flags--more"))
    assert ("stale", "") in _found(_verify(builder, folder))


@pytest.mark.holds("ask.verify.links")
def test_broken_links_are_named_and_are_no_failure(docs: Any, builder: Any) -> None:
    links = (
        "[a](gone.md) [b](index.md#nowhere) [[Ghost]] [c](https://example.org/gone) [d](pic.png) [e](index.md#install)"
    )
    folder = docs({**PAGES, "links.md": f"# Links\n\n{links}\n"})
    builder.build(folder)
    report = _verify(builder, folder)
    assert report.ok
    assert [(problem.kind, problem.id, problem.message.split()[0].rstrip(":")) for problem in report.problems] == [
        ("link", "links", "gone.md"),
        ("link", "links", "index.md#nowhere"),
        ("link", "links", "Ghost"),
    ]


@pytest.mark.holds("ask.verify.site")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("index.html", "api/my-tool/index.html"),
        ("docs/index.html", "docs/api/My Tool.html"),
        ("docs.html", "docs/api/my-tool.html"),
    ],
)
def test_anchors_are_looked_for_in_the_built_site(
    docs: Any, builder: Any, tmp_path: Path, first: str, second: str
) -> None:
    folder = docs(PAGES)
    builder.build(folder)
    site = tmp_path / "site"
    for name in (first, second):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
    (site / first).write_text("<h2 id=install>Install</h2>")
    (site / second).write_text('<section><h2\nclass="x" ID="flags--more">Flags</h2></section>')
    assert _verify(builder, folder, site=site).ok
    (site / second).write_text(
        '<h2 id="flags-more">Flags</h2><!-- <a id="flags--more"> --><script>"<a id=flags--more>"</script>'
    )
    assert _found(_verify(builder, folder, site=site)) == [("anchor", "api/My Tool#flags--more")]
    (site / first).unlink()
    assert ("anchor", "index#install") in _found(_verify(builder, folder, site=site))


@pytest.mark.holds("ask.verify.site")
def test_ids_are_read_as_a_browser_reads_them() -> None:
    html = "<p id='a'><b id=b><i id=\"c&amp;d\"><u ID = e><x-y id=f /><p data-id=g><p id><textarea id=h></textarea>"
    assert html_ids(html) == {"a", "b", "c&d", "e", "f", "h"}
    assert html_ids("<p id='unclosed") <= {"unclosed"}


@pytest.mark.holds("ask.verify.site")
def test_without_a_site_our_own_pages_are_looked_at(docs: Any, builder: Any) -> None:
    headings = ("## Foo", "## Foo", "## Ünï *x* `--y`", "## Own {#own-id}", "Set\n---", "# Late")
    odd = "# A\n\n" + "".join(f"{heading}\n\ntext\n\n" for heading in headings)
    folder = docs({"a.md": odd, "b.mdx": "import X from 'x'\n\n<Tabs>\n\n## In a component\n\nText.\n\n</Tabs>\n"})
    builder.build(folder)
    assert _verify(builder, folder).model_dump() == {"ok": True, "problems": []}


@pytest.mark.holds("ask.verify.kinds")
def test_a_digest_that_is_not_there_or_unreadable_is_refused(docs: Any, builder: Any, tmp_path: Path) -> None:
    folder = docs(PAGES)
    with pytest.raises(NotFound):
        _verify(builder, folder)
    builder.build(folder)
    with pytest.raises(NotFound):
        _verify(builder, folder, site=tmp_path / "no-site")
    docs({".ask/digest.json": "{"})
    with pytest.raises(InvalidInput):
        _verify(builder, folder)


@pytest.mark.holds("ask.verify.kinds")
def test_a_digest_is_verified_under_its_own_settings(docs: Any, builder: Any) -> None:

    folder = docs(PAGES)
    builder.build(folder, settings=PageSettings(basePath="https://x.org/d/", slugScheme="mkdocs", headingDepth=2))
    assert builder.digest(folder)["nodes"][0]["url"] == "https://x.org/d/api/My%20Tool"
    assert builder.build(folder).status == "skipped"
    assert _verify(builder, folder).ok
