from collections.abc import Callable

import pytest

from loreweave.entities.digest import Digest
from loreweave.knowledge.digest.orientation import llms_full_text, llms_text

PAGES = {
    "index.md": "# Acme [x]\n\nAcme makes widgets.\n",
    "guide/a b.md": "# Guide\n\nHow to.\n",
    "empty.md": "",
    "api/cli.md": "# CLI\n\nUse it.\n",
}


@pytest.mark.holds("ask.digest.llms")
def test_llms_txt_has_a_title_a_quote_and_the_pages_by_group(digest_made: Callable[..., Digest]) -> None:
    text = llms_text(digest_made(PAGES), lambda path, slug: f"/docs/{slug.replace(' ', '%20')}.md")
    assert text == (
        "# Acme [x]\n\n"
        "> Acme [x]. Acme makes widgets. The documentation has 3 pages in 3 sections. Groups: api (1), guide (1).\n\n"
        "## Docs\n\n- [empty](/docs/empty.md)\n- [Acme \\[x\\]](/docs/index.md): Acme makes widgets.\n\n"
        "## api\n\n- [CLI](/docs/api/cli.md): Use it.\n\n"
        "## guide\n\n- [Guide](/docs/guide/a%20b.md): How to.\n"
    )


@pytest.mark.holds("ask.digest.llms")
def test_llms_full_holds_every_source(digest_made: Callable[..., Digest]) -> None:
    text = llms_full_text(digest_made(PAGES), PAGES.__getitem__)
    assert text.startswith("# Acme [x]\n")
    for source in PAGES.values():
        assert source.strip() in text
    assert "Source: /docs/guide/a%20b\n" in text
