"""Trees as people keep them: site generators and note takers write more than plain Markdown."""

import time
from pathlib import Path

import pytest
from tests.knowledge.documents.read_notes import read_note
from tests.meant_links import of_check, of_pages
from tests.pace import PART, within

from loreweave.application import Application
from loreweave.contracts.graph_reports import IngestAnswer
from loreweave.contracts.skill_graph import ExportRequest, PageSettings
from loreweave.entities.digest import PageRecord
from loreweave.errors import NoMarkdown
from loreweave.knowledge.digest.check_digest import broken_links
from loreweave.knowledge.documents.dress_html import dress_html
from loreweave.knowledge.documents.page_record import record_page
from loreweave.knowledge.documents.render_page import render_page


def read(text: str, path: str = "page.md") -> PageRecord:
    return record_page(path, text, PageSettings())


def text_of(text: str, path: str = "page.md") -> str:
    return "\n".join(section.text for section in read(text, path).sections)


def ingest(application: Application, folder: Path, notes: dict[str, str], **pages: str) -> IngestAnswer:
    for path, text in notes.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return application.graphs.ingest_folder(folder, name="tree", pages=PageSettings(**pages))


def edges(application: Application) -> set[tuple[str, str]]:
    export = application.graphs.export(ExportRequest(graphId="tree"))
    path = {node.id: node.path for node in export.nodes}
    return {(path[edge.source], path[edge.target]) for edge in export.edges}


HUGO = {
    "_index.md": "---\ntitle: The site\n---\nSee [guides](/docs/guides/).\n",
    "guides/_index.md": "---\ntitle: Guides\n---\nStart with [pods](/docs/guides/pods/#limits).\n",
    "guides/pods.md": '---\ntitle: Pods\n---\n{{< note >}}\nA {{< glossary_tooltip text="pod" term_id="pod" >}} runs.\n'
    "{{< /note >}}\n\n## Limits {#limits}\n\nWords of limits.\n\n"
    '## {{% heading "whatsnext" %}}\n\n* Read [the other]({{< ref "other.md" >}}) or {{< relref "guides" >}}.\n',
    "other.md": "---\ntitle: Other\n---\nBack [home](/docs/).\n",
}


@pytest.mark.holds("graph.reading.site-root", "graph.reading.folder-pages", "graph.reading.shortcodes")
def test_a_hugo_tree_has_its_links_without_any_setting(application: Application, tmp_path: Path) -> None:
    answer = ingest(application, tmp_path / "site", HUGO)
    assert answer.siteRoot == "/docs/"
    assert edges(application) == {
        ("_index.md", "guides/_index.md"),
        ("guides/_index.md", "guides/pods.md"),
        ("guides/pods.md", "other.md"),
        ("guides/pods.md", "guides/_index.md"),
        ("other.md", "_index.md"),
    }
    assert {section.id for section in application.asking.sections(graph="tree").sections} == {
        "index", "guides", "guides/pods", "guides/pods#limits", "guides/pods#whats-next", "other",
    }  # fmt: skip
    assert answer.validation.brokenLinks == []


@pytest.mark.holds("graph.reading.shortcodes")
def test_shortcodes_leave_their_words_and_nothing_else() -> None:
    page = read(
        HUGO["guides/pods.md"] + "\n```sh\nrun --at {{< param version >}}\n```\n{{< comment >}}\nno\n{{< /comment >}}\n"
    )
    said = "\n".join(
        [*(section.text for section in page.sections), *(section.heading or "" for section in page.sections)]
    )
    assert "{{" not in said
    assert "A pod runs." in said
    assert "What's next" in said
    assert "no" not in said.split()
    assert not [fact.literal for section in page.sections for fact in section.facts if "{{" in fact.literal]
    assert "{{" not in render_page("page.md", HUGO["guides/pods.md"], slug_scheme="github", link=lambda *_: None)


@pytest.mark.holds("graph.reading.site-root")
@pytest.mark.parametrize("link", ["/en/guide/x/", "/en/guide/x", "/en/guide/x.html#y", "/en/guide/x.md"])
def test_a_link_from_the_root_of_the_site_is_found_below_its_prefix(
    application: Application, tmp_path: Path, link: str
) -> None:
    notes = {"a.md": f"[x]({link})\n", "guide/x.md": "# X\n\n## Y\n\nz\n"}
    assert ingest(application, tmp_path / "said", notes, basePath="/en/").siteRoot == "/en/"
    assert edges(application) == {("a.md", "guide/x.md")}
    assert ingest(application, tmp_path / "found", notes).siteRoot == "/en/"
    assert edges(application) == {("a.md", "guide/x.md")}


@pytest.mark.holds("graph.reading.site-root", "graph.revisions.equals-fresh")
def test_a_prefix_that_is_found_later_relinks_the_notes_that_did_not_change(
    application: Application, tmp_path: Path
) -> None:
    notes = {"a.md": "[x](/en/guide/x/)\n", "b.md": "Words.\n"}
    assert ingest(application, tmp_path / "site", notes).siteRoot is None
    assert edges(application) == set()
    assert ingest(application, tmp_path / "site", {"guide/x.md": "X\n"}).siteRoot == "/en/"
    assert edges(application) == {("a.md", "guide/x.md")}


@pytest.mark.holds("graph.reading.dead-links-in-words")
def test_links_that_lead_nowhere_are_said_in_words(application: Application, tmp_path: Path) -> None:
    many = "".join(f"[x](/en/page-{number}/) " for number in range(1200))
    answer = ingest(application, tmp_path / "site", {"a.md": many + "[y](/en/page-0/)\n", "b.md": "Words.\n"})
    said = [warning.message for warning in answer.warnings if warning.code == "site_links"]
    assert said == ["1,201 links start with /en/ and none resolves; pass basePath"]
    assert answer.siteRoot is None
    above = {"guide/a.md": "[a](/guide/b) [b](/lost) [c](/gone)\n", "guide/b.md": "[a](/guide/a)\n"}
    answer = ingest(application, tmp_path / "rooted", above)
    said = [warning.message for warning in answer.warnings if warning.code == "site_links"]
    assert (answer.siteRoot, said) == ("/", ["2 links start with / and lead to no note; 2 others do"])


@pytest.mark.holds("graph.reading.endings")
def test_notes_of_every_ending_are_nodes_and_mdx_shows_no_code(application: Application, tmp_path: Path) -> None:
    notes = {
        "a.mdx": "import X from './x'\n\n# A\n\n<Card href='/docs/b' title={1 + 1}>Go {props.on}</Card>\n\n[c](./c)\n",
        "b.markdown": "# B\n\n[[a]]\n",
        "c.MD": "# C\n\nWords.\n",
    }
    answer = ingest(application, tmp_path / "site", notes)
    assert answer.metrics.nodeCount == 3
    assert edges(application) == {("a.mdx", "b.markdown"), ("a.mdx", "c.MD"), ("b.markdown", "a.mdx")}
    assert text_of(notes["a.mdx"], "a.mdx").split() == ["Go", "c"]
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "a.txt").write_text("x")
    with pytest.raises(NoMarkdown):
        application.graphs.ingest_folder(tmp_path / "none")


@pytest.mark.holds("graph.reading.folder-pages", "graph.reading.names-as-written")
@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("guide/_index.md", "Guide"),
        ("my-guide/index.md", "My Guide"),
        ("guide/README.md", "Guide"),
        ("deep-search/SKILL.md", "Deep Search"),
        ("_index.md", "Home"),
        ("Introduction to Sync.md", "Introduction to Sync"),
        ("plan-mode.mdx", "Plan Mode"),
        ("CamelCase.md", "CamelCase"),
    ],
)
def test_a_note_without_a_title_is_called_as_its_file_or_folder(path: str, name: str) -> None:
    assert read_note(path, b"words").name == name


@pytest.mark.holds("graph.reading.folder-pages")
@pytest.mark.parametrize("page", ["_index.md", "index.md", "README.md", "SKILL.md", "index.mdx"])
@pytest.mark.parametrize("link", ["[g](guide/)", "[g](/docs/guide/)", "[[guide]]", "[g](./guide)"])
def test_a_link_to_a_folder_leads_to_its_page(application: Application, tmp_path: Path, page: str, link: str) -> None:
    ingest(application, tmp_path / "site", {"a.md": link + "\n", f"guide/{page}": "Words.\n"})
    assert edges(application) == {("a.md", f"guide/{page}")}


@pytest.mark.holds("graph.reading.titled-blocks")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (":::tip Watch out\n\nInside.\n\n:::\n\nAfter.\n", "Watch out\nInside.\nAfter."),
        (":::note[Look here]\nInside.\n:::\n", "Look here\nInside."),
        (":::warning\nInside.\n:::\n", "Inside."),
        ('!!! note "Look here"\n    Inside.\n\n    More of it.\n\nAfter.\n', "Look here\nInside.\nMore of it.\nAfter."),
        ("??? tip\n    Inside.\n", "Inside."),
        ('=== "Linux"\n\n    Inside.\n\n=== "macOS"\n\n    Other.\n', "Linux\nInside.\nmacOS\nOther."),
        ("> [!tip] Look here\n> Inside.\n", "Look here\nInside."),
        ("> [!NOTE]\n> Inside.\n", "Inside."),
        ("> [!faq]- Look\n> Inside.\n", "Look\nInside."),
    ],
)
def test_the_marks_of_a_titled_block_never_reach_its_text(text: str, said: str) -> None:
    assert text_of(text) == said


@pytest.mark.holds("graph.reading.titled-blocks")
def test_code_in_an_indented_block_is_code_and_its_text_is_not() -> None:
    page = read('!!! note "N"\n    Words [[a]].\n\n    ```sh\n    run --fast\n    ```\n')
    assert [link.target for link in page.links] == ["a"]
    assert "run --fast" in [fact.literal.strip() for fact in page.sections[0].facts if fact.kind == "code"]


@pytest.mark.holds("graph.reading.titled-blocks")
def test_tabs_of_components_leave_their_text() -> None:
    text = '<Tabs>\n<TabItem value="a" label="A">\n\nOne.\n\n</TabItem>\n</Tabs>\n'
    assert text_of(text, "page.mdx") == "One."


@pytest.mark.holds("graph.reading.obsidian")
def test_what_obsidian_adds_is_read_as_it_is_meant() -> None:
    text = "A line %%hidden%% here. ^block-1\n\n#project/one and #Two, not `#code`, C# or #1.\n\n![[embed]]\n"
    note = read_note("a.md", text.encode())
    assert note.tags == ("project/one", "Two")
    assert [link.target for link in note.links] == ["embed"]
    assert "hidden" not in text_of(text)
    assert "block-1" not in text_of(text)
    assert ("^block-1", 0) in read(text).anchors


@pytest.mark.holds("graph.reading.components")
def test_comments_of_mdx_are_hidden_in_pages_that_are_called_md() -> None:
    shared = "{/* Shared by `<App>` and\npages, see [[draft]]. */}\n\n"
    own = "Write `{/* a */}` or {/* b */}.\n\n```jsx\n{/* c */}\n```\n"
    text = f"---\ntitle: T\n---\n{shared}Words.\n\n{shared}{own}"
    assert text_of(text) == "Words.\nWrite {/* a */} or {/* b */}.\n{/* c */}"
    assert read_note("a.md", text.encode()).links == ()
    assert text_of("{/* Nothing ends it.\n\nWords.\n") == "{/* Nothing ends it.\nWords."
    assert text_of("{/* Generated from elsewhere. */}\n\nWords.\n") == "Words."


@pytest.mark.holds("graph.reading.anchors")
def test_written_ids_are_anchors() -> None:
    text = '# T\n\nWords.\n\n## One {#first}\n\nx <a id="here"></a> y\n\n## Two\n\n<a name="there"></a>\n\nz\n'
    assert dict(read(text).anchors) == {"t": 0, "first": 1, "here": 1, "two": 2, "there": 2}
    assert dict(read(text, "page.mdx").anchors)["here"] == 1


@pytest.mark.holds("graph.reading.anchors", "graph.reading.obsidian")
def test_links_to_written_ids_and_to_blocks_lead_to_their_places(application: Application, tmp_path: Path) -> None:
    notes = {
        "a.md": "[x](b.md#first) [y](b.md#here) [z](b.md#gone) [[b#^said]]\n",
        "b.md": '# B\n\n## One {#first}\n\nx <a id="here"></a> y\n\n## Two\n\nWords. ^said\n',
    }
    answer = ingest(application, tmp_path / "site", notes)
    missing = [warning.message for warning in answer.warnings if warning.code == "missing_heading"]
    assert missing == ["b.md has no heading “gone”"]
    shown = application.pages.page("a", "tree").html
    assert [place for place in ("first", "here", "two") if f'#{place}"' not in shown] == []
    digest = application.digest_library.open("tree").plain
    assert {edge.target for edge in digest.edges if edge.kind == "link"} == {"b#first", "b#two"}


@pytest.mark.holds("graph.reading.folder-pages")
def test_the_page_of_a_folder_is_titled_as_the_folder(application: Application, tmp_path: Path) -> None:
    ingest(application, tmp_path / "site", {"deep-search/SKILL.md": "Words.\n", "guide/_index.md": "More.\n"})
    titles = {section.id: section.title for section in application.asking.sections(graph="tree").sections}
    assert titles == {"deep-search/SKILL": "Deep Search", "guide": "Guide"}


@pytest.mark.holds("graph.reading.obsidian")
def test_the_id_that_a_heading_was_given_is_no_tag() -> None:
    note = read_note("a.md", b"# Start { #start }\n\nText #kept.\n\n## Next {#next .wide}\n")
    assert note.tags == ("kept",)


SPACED = {
    "as written": ("[x](my file.md)", "/docs/my%20file"),
    "with a title": ('[x](my file.md "A title")', "/docs/my%20file"),
    "from here, with a heading": ("[x](./my file.md#part-two)", "/docs/my%20file#part-two"),
    "in a folder": ("[x](my folder/inner note.MDX)", "/docs/my%20folder/inner%20note"),
    "in brackets": ("[x](<my file.md>)", "/docs/my%20file"),
    "encoded": ("[x](my%20folder/inner%20note.mdx#inner-note)", "/docs/my%20folder/inner%20note#inner-note"),
    "as a reference": ("[x][y]\n\n[y]: <my file.md>", "/docs/my%20file"),
}


@pytest.mark.holds("graph.links.spaced", "ask.pages.links")
@pytest.mark.parametrize(("link", "address"), SPACED.values(), ids=SPACED)
def test_an_address_with_blanks_leads_to_its_note_in_graph_answers_and_pages(
    sqlite_application: Application, tmp_path: Path, link: str, address: str
) -> None:
    notes = {
        "start.md": f"# Start\n\nSee {link}\n",
        "my file.md": "# My file\n\n## Part two\n\nHerons.\n",
        "my folder/inner note.mdx": "# Inner note\n\nOstriches.\n",
    }
    answer = ingest(sqlite_application, tmp_path / "tree", notes)
    target = "my folder/inner note.mdx" if "inner" in link else "my file.md"
    assert edges(sqlite_application) == {("start.md", target)}
    assert answer.warnings == []
    assert f'href="{address}"' in sqlite_application.pages.page("start").html
    (told,) = read(notes["start.md"]).links
    found = sqlite_application.digest_library.open("tree").link_map.find("start.md", told.target, told.wikilink)
    assert found is not None
    assert found[0].path == target


@pytest.mark.holds("graph.links.spaced")
@pytest.mark.parametrize(
    "text",
    [
        *("`[x](my file.md)`", "\\[x\\](my file.md)", "[x](some words)", "[x](a picture.png)"),
        *("[x](my\nfile.md)", "](a b.md)"),
    ],
)
def test_what_is_no_link_stays_text(text: str) -> None:
    assert read(f"# Start\n\nSee {text} there.\n").links == ()


@pytest.mark.holds("graph.links.spaced")
def test_addresses_with_blanks_cost_no_more_than_their_length() -> None:
    began = time.process_time()
    for hostile in ("](a ", "](a b.md#", "[x](a .md", '[x](a "'):
        read(hostile * 20_000)
    assert time.process_time() - began < 20  # quadratic work would take minutes


@pytest.mark.holds("ask.documents.frontmatter")
def test_a_page_that_has_only_a_name_is_called_by_it() -> None:
    assert read("---\nname: Only a name\n---\n\nText.\n").title == "Only a name"
    assert read("---\nname: Other\n---\n\n# Heading\n").title == "Heading"
    assert read("---\nname: Other\ntitle: Title\n---\n\n# Heading\n").title == "Title"


@pytest.mark.holds("graph.reading.shortcodes")
@pytest.mark.parametrize("quote", ['"', "'", ""])
def test_a_shortcode_for_an_address_is_a_link_inside_of_html_too(
    application: Application, tmp_path: Path, quote: str
) -> None:
    cell = f'<td><a href={quote}{{{{< ref "../kinds/pod#Spec" >}}}}{quote}>Pod</a></td>'
    notes = {"api/list.md": f"<table><tr>\n{cell}\n</tr></table>\n", "kinds/pod.md": "# Pod\n\n## Spec\n\nWords.\n"}
    assert ingest(application, tmp_path / "site", notes).warnings == []
    assert edges(application) == {("api/list.md", "kinds/pod.md")}
    digest = application.digest_library.open("tree").plain
    assert [edge.target for edge in digest.edges if edge.kind == "link"] == ["kinds/pod#spec"]
    assert text_of(notes["api/list.md"]) == "Pod"


@pytest.mark.holds("graph.reading.site-root", "graph.reading.links-agree")
@pytest.mark.parametrize(
    "link", ["/docs/guides/setup", "/docs/guides/setup/", "./guides/setup", "@site/guides/setup.md"]
)
def test_numbers_that_only_order_a_tree_are_no_part_of_its_addresses(
    application: Application, tmp_path: Path, link: str
) -> None:
    notes = {
        "01-start.md": f"[x]({link}) [folder](/docs/guides)\n",
        "02-guides/index.md": "Guides.\n",
        "02-guides/10_setup.md": "[next](./run)\n",
        "02-guides/11. run.md": "Words.\n",
        "2024-report.md": "Words.\n",
    }
    ingest(application, tmp_path / "site", notes)
    assert (
        edges(application)
        == of_pages(application, "tree")
        == of_check(application, "tree")
        == {
            ("01-start.md", "02-guides/10_setup.md"),
            ("01-start.md", "02-guides/index.md"),
            ("02-guides/10_setup.md", "02-guides/11. run.md"),
        }
    )


@pytest.mark.holds("graph.reading.site-root")
@pytest.mark.parametrize("link", ["/guides/index.md", "/guides/index"])
def test_one_link_to_a_page_makes_no_root_of_it(application: Application, tmp_path: Path, link: str) -> None:
    notes = {"README.md": "Top.\n", "docs/faq.md": f"[x]({link}) [y]({link}#z)\n", "docs/guides/index.md": "Words.\n"}
    assert ingest(application, tmp_path / "site", notes).siteRoot is None
    assert edges(application) == {("docs/faq.md", "docs/guides/index.md")}


@pytest.mark.holds("graph.reading.links-agree")
def test_a_mark_for_contents_and_pictures_that_are_not_there_are_no_broken_links(
    application: Application, tmp_path: Path
) -> None:
    answer = ingest(
        application, tmp_path / "site", {"a.md": "# A\n\n[[toc]]\n\n[[_TOC_]]\n\n![[a b.png|100]]\n\n[[gone]]\n"}
    )
    assert [link.target for link in answer.validation.brokenLinks] == ["gone"]
    digest = application.digest_library.open("tree")
    assert [problem.message for problem in broken_links(digest.pages.values(), digest.link_map)] == [
        "gone leads to no document."
    ]
    ingest(application, tmp_path / "site", {"toc.md": "Words.\n"})
    assert edges(application) == {("a.md", "toc.md")}


MYST = """# Guide

```{note} Mind *this*
:class: wide

Words of [x](other.md).
```

:::{tab-set}
:::{tab-item} Linux
Run it.
:::
:::

(make-it)=

## Making

See {doc}`Other <other>`, {ref}`that <there>`, {term}`pod`, {func}`~os.path.join` and `{name}` or `/a/{id}`.

```{toctree}
---
maxdepth: 1
---
other
Deep one <deep/one>
```

```{code-block} sh
run --fast
```
"""


@pytest.mark.holds("graph.reading.titled-blocks", "graph.reading.links-agree")
def test_directives_roles_and_places_of_myst_are_read_as_they_are_meant(
    application: Application, tmp_path: Path
) -> None:
    notes = {
        "guide.md": MYST,
        "other.md": "# Other\n\nBack [there](make-it).\n\n(there)=\nWords.\n",
        "deep/one.md": "One.\n",
    }
    assert ingest(application, tmp_path / "site", notes).warnings == []
    assert (
        edges(application)
        == of_pages(application, "tree")
        == {
            ("guide.md", "other.md"),
            ("guide.md", "deep/one.md"),
            ("other.md", "guide.md"),
        }
    )
    page = read(MYST)
    said = [section.text for section in page.sections]
    assert said[0] == "Mind this\nWords of x.\nLinux\nRun it."
    assert said[1] == ("See Other, that, pod, os.path.join and {name} or /a/{id}.\nother Deep one\nrun --fast")
    assert [fact.literal.strip() for fact in page.sections[1].facts if fact.kind == "code"][-1] == "run --fast"
    assert dict(page.anchors)["make-it"] == 1
    shown = render_page("guide.md", MYST, slug_scheme="github", link=lambda *_: None)
    assert [mark for mark in ("{note}", "{doc}", ")=", ":class:", "maxdepth") if mark in shown] == []
    assert dress_html(shown).count('class="aside note"') == 4


@pytest.mark.holds("graph.reading.titled-blocks")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("/// note | Look here\nInside.\n///\n\nAfter.\n", "Look here\nInside.\nAfter."),
        ("/// tip\n\nInside.\n\n///\n", "Inside."),
        ("//// tab | One\n\n/// Note\n\nInside.\n\n///\n\n////\n", "One\nInside."),
        ("file:///tmp and /// more of it\n", "file:///tmp and /// more of it"),
        ("/// says nothing here\n", "/// says nothing here"),
    ],
)
def test_the_slashes_of_a_block_never_reach_its_text(text: str, said: str) -> None:
    assert text_of(text) == said


@pytest.mark.holds("graph.reading.titled-blocks")
def test_marks_in_code_are_code() -> None:
    code = "```md\n/// note\n:::{tip} T\n{doc}`x`\n(a)=\n```"
    assert text_of(f"{code}\n") == code.removeprefix("```md\n").removesuffix("\n```")
    assert text_of(f"````\n{code}\n````\n") == code


@pytest.mark.lengthy(3)
@pytest.mark.holds("graph.reading.titled-blocks")
@pytest.mark.parametrize(
    "piece", ["{a}`", "{a}`b <", "(a)=\n", "((((", "```{note}\n", ":::{tip}\n", "/// a |", "[a <b>\n"]
)
def test_long_runs_of_marks_cost_no_more_than_their_length(piece: str) -> None:
    within(2 / PART, lambda: read(piece * (200_000 // PART // len(piece))))


JEKYLL = """# {{ page.title }}

See [a]({% link _docs/a.md %}#there), [b]({{ site.baseurl }}{% post_url 2020-01-02-b %}),
[c]({{ site.baseurl }}/guide/c), [d]({{ "/guide/d/" | relative_url }}) and [out]({{ site.github.url }}/x).
<a href="{{ site.baseurl }}/guide/e">e</a>
{% include tip.html content="Mind the gap" %} {% include links.html %}

{% if page.x %}
Kept. {% comment %} hidden [[a]] {% endcomment %}
{% endif %}

{% highlight ruby linenos %}
puts [[a]] `
{% endhighlight %}

{% raw %}As {{ it }} {% is %}{% endraw %}
"""


@pytest.mark.holds("graph.reading.liquid", "graph.reading.links-agree")
def test_liquid_of_jekyll_is_read_as_it_is_shown(application: Application, tmp_path: Path) -> None:
    others = ("_docs/a.md", "_posts/2020-01-02-b.md", "guide/c.md", "guide/d.md", "guide/e.md")
    notes = {"index.md": f"---\ntitle: Start\n---\n{JEKYLL}", **dict.fromkeys(others, "# There\n\nWords.\n")}
    answer = ingest(application, tmp_path / "site", notes)
    assert (answer.warnings, answer.validation.brokenLinks) == ([], [])
    assert (
        edges(application)
        == of_pages(application, "tree")
        == of_check(application, "tree")
        == {("index.md", path) for path in others}
    )
    page = read(JEKYLL)
    assert [section.text for section in page.sections] == [
        "See a, b, c, d and out. e Mind the gap\nKept.\nputs [[a]] `\nAs {{ it }} {% is %}"
    ]
    assert [fact.literal for fact in page.sections[0].facts] == ["puts [[a]] `"]
    shown = render_page("index.md", JEKYLL, slug_scheme="github", link=lambda *_: None)
    assert '<code class="language-ruby">puts [[a]] `\n</code>' in shown
    assert [mark for mark in ("page.title", "{% if", "endhighlight", "include", "~~~") if mark in shown] == []


@pytest.mark.holds("graph.reading.liquid")
def test_blocks_of_gitbook_are_titled_blocks_and_links() -> None:
    text = (
        '{% hint style="warning" %}\nSome *care*.\n{% endhint %}\n\n{% tabs %}\n{% tab title="Linux" %}\nRun it.\n'
        "{% endtab %}\n"
        '{% endtabs %}\n\n{% content-ref url="x.md" %}\n[x](x.md)\n{% endcontent-ref %}\n\n'
        '{% embed url="https://example.org/v" %}\n\n{% code title="a.py" %}\n```py\nb = "{% if x %}"\n```\n'
        "{% endcode %}\n\n## {% note %}H\n"
    )
    page = read(text)
    assert page.sections[0].text == 'Some care.\nLinux\nRun it.\nx\nhttps://example.org/v\na.py\nb = "{% if x %}"'
    assert page.sections[1].heading == "H"
    assert [link.target for link in page.links] == ["x.md", "https://example.org/v"]
    shown = dress_html(render_page("a.md", text, slug_scheme="github", link=lambda *_: None))
    assert '<div class="aside alarm"><p class="aside-title">Warning</p>' in shown
    assert '<div class="aside note"><p class="aside-title">Linux</p>' in shown
    assert "///" not in shown


@pytest.mark.holds("graph.reading.liquid")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("`{% raw %}` and `{{ site.x }}`\n", "{% raw %} and {{ site.x }}"),
        ("```\n{% if x %}\n{: .a}\n```\n", "{% if x %}\n{: .a}"),
        ("```yaml\n{% raw %}a: ${{ b }}{% endraw %}\n```\n", "a: ${{ b }}"),
        ("Run {% highlight sh %}x -y{% endhighlight %} now.\n", "Run x -y now."),
        ("{{< highlight go >}}\nfunc [[x]]\n{{< /highlight >}}\n", "func [[x]]"),
        ("{{ macro() }} and 100 % {% of } it\n", "{{ macro() }} and 100 % {% of } it"),
        ("[x]({{ page.url }}) and {{ page.url }}.\n", "x and ."),
    ],
)
def test_tags_in_code_are_code_and_code_in_tags_is_too(text: str, said: str) -> None:
    assert text_of(text) == said


@pytest.mark.holds("graph.reading.attributes")
@pytest.mark.parametrize(
    ("text", "said", "anchors"),
    [
        ("Words.\n{: .note #here}\n\nMore.\n", "Words.\nMore.", ["here"]),
        ('[x](y.md){:target="_blank"} *a*{: .b} `c`{ #cc }\n', "x a c", ["cc"]),
        ('[x](y.md){ .button data-x="a b" } ![i](x.png){ width=3 } :smile:{ .lg }\n', "x i :smile:", []),
        ("## Title { .x }\n\nWords.\n", "Words.", ["title"]),
        ("## Title { #own .x }\n\nWords.\n", "Words.", ["own"]),
        ("## Title\n{: #own .no_toc}\n\nWords.\n", "Words.", ["title", "own"]),
        ("A set {a=b}, {x}, {not: it} and f(x){y} of {:ok, 1} {.x}y\n", None, []),
        ("`{: .x}` x^{a=b}$\n", "{: .x} x^{a=b}$", []),
    ],
)
def test_lists_of_attributes_are_hidden_and_their_ids_are_places(
    text: str, said: str | None, anchors: list[str]
) -> None:
    page = read(text)
    assert "\n".join(section.text for section in page.sections) == (text.strip() if said is None else said)
    assert [section.heading for section in page.sections if section.heading] in ([], ["Title"])
    assert [anchor for anchor, _ in page.anchors] == anchors


@pytest.mark.lengthy(4)
@pytest.mark.holds("graph.reading.liquid", "graph.reading.attributes")
@pytest.mark.parametrize(
    "piece",
    [
        *("{% raw %}", "{% hint %}\n", "{% highlight a %}\n", '{% tab title="a" %}\n', "{% a", "{{< comment >}}"),
        *("{: .a}", "*{.a}", "{:a", '{a="', "{{ page.x }}", "]({{ a }}", '{% include a content="a" %}'),
    ],
)
def test_long_runs_of_tags_cost_no_more_than_their_length(piece: str) -> None:
    text = piece * (100_000 // PART // len(piece))
    within(2 / PART, lambda: read(text))
    within(2 / PART, lambda: read(text + "{% endhint %}{% endraw %}{% endhighlight %}"))


@pytest.mark.holds("graph.reading.liquid")
def test_a_tag_of_one_long_word_costs_no_more_than_its_length() -> None:
    within(1, lambda: read("{% a " + "b" * 200_000 + " %}"))
