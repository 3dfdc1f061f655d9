import pytest

from loreweave.knowledge.digest.section_searcher import deal_slugs, group_of, page_url


@pytest.mark.holds("ask.digest.slugs")
@pytest.mark.parametrize(
    ("paths", "slugs"),
    [
        (["index.md"], {"index.md": "index"}),
        (["guide/index.md", "guide/a.mdx"], {"guide/index.md": "guide", "guide/a.mdx": "guide/a"}),
        (["guide.md", "guide/index.md"], {"guide.md": "guide", "guide/index.md": "guide/index"}),
        (["a.mdx", "a.md", "a.markdown"], {"a.markdown": "a", "a.md": "a.md", "a.mdx": "a.mdx"}),
        (
            ["guide.md", "guide/index.md", "guide/index.mdx"],
            {"guide.md": "guide", "guide/index.md": "guide/index", "guide/index.mdx": "guide/index.mdx"},
        ),
        (["Ünïcode Straße.md"], {"Ünïcode Straße.md": "Ünïcode Straße"}),
    ],
)
def test_a_slug_is_the_path_and_of_two_the_first_path_keeps_it(paths: list[str], slugs: dict[str, str]) -> None:
    assert deal_slugs(paths) == slugs
    assert deal_slugs(reversed(paths)) == slugs


@pytest.mark.holds("ask.digest.slugs")
def test_no_two_documents_share_an_id_whatever_their_names() -> None:
    paths = ["c#.md", "c%23.md", "c.md", "c.mdx", "c/index.md", "c/index.markdown", "index.md", "index.mdx"]
    assert len(set(deal_slugs(paths).values())) == len(paths)


@pytest.mark.holds("ask.digest.page-urls")
@pytest.mark.parametrize(
    ("base", "slug", "url"),
    [
        ("/docs/", "guide/a", "/docs/guide/a"),
        ("/docs/", "index", "/docs"),
        ("/docs", "guide", "/docs/guide"),
        ("https://example.org/help/", "index", "https://example.org/help"),
        ("https://example.org/help/", "é", "https://example.org/help/é"),
        ("/", "index", "/"),
        ("/docs/", "Big Idea", "/docs/Big%20Idea"),
    ],
)
def test_a_page_lives_below_the_base_path(base: str, slug: str, url: str) -> None:
    assert page_url(base, slug) == url


@pytest.mark.holds("ask.digest.groups")
def test_a_group_is_the_headers_else_the_first_folder_else_none() -> None:
    assert group_of("guide/deep/page", "API") == "API"
    assert group_of("guide/deep/page", None) == "guide"
    assert group_of("page", None) is None
