import pytest
from tests.pace import PART, within

from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import PageRecord
from loreweave.knowledge.documents.page_record import record_page

LENGTH = 200_000 // PART


def read(text: str, path: str = "page.mdx") -> PageRecord:
    page = record_page(path, text, PageSettings())
    data = text.encode()
    for section in page.sections:
        for fact in section.facts:
            assert fact.literal == data[fact.start : fact.end].decode()
    return page


def text_of(source: str, path: str = "page.mdx") -> str:
    return "\n".join(section.text for section in read(source, path).sections)


@pytest.mark.holds("ask.mdx.statements")
@pytest.mark.parametrize(
    "statement",
    [
        "import Foo from './foo'",
        'import {a, b} from "x";',
        "import * as all from 'x'",
        "import Foo, {bar} from 'x'",
        "import './style.css'",
        "import {\n  a,\n  b,\n} from 'x'",
        "export const meta = {\n  title: 'a }',\n\n  deep: [1, 2],\n}",
        "export default function Layout({children}) {\n  return <div>{children}</div>\n}",
        "export default Layout",
        "export {a} from 'x'",
    ],
)
def test_top_level_statements_are_no_text(statement: str) -> None:
    assert text_of(f"{statement}\n\nThe text.\n") == "The text."
    assert text_of(f"The text.\n\n{statement}\n") == "The text."


@pytest.mark.holds("ask.mdx.statements")
@pytest.mark.parametrize(
    "prose",
    [
        "import statements are hoisted.",
        "export your data first.",
        "export default settings before you upgrade.",
        "import the module from the list.",
        "exporting is easy",
    ],
)
def test_prose_that_begins_with_the_word_stays(prose: str) -> None:
    assert text_of(f"{prose}\n") == prose


@pytest.mark.holds("ask.mdx.components")
def test_tags_expressions_and_comments_reach_nothing() -> None:
    source = (
        "<Card title=\"a > b --no-flag\" items={['}', {x: 1}]} {...rest}>\n"
        "  Visible {props.SECRET_NAME} words.\n</Card>\n\n"
        '{/* HIDDEN_NAME\n\nstill */}\n\n<!-- HIDDEN_TOO -->\n\nInline <Badge text="--x" /> end, a < b.\n'
    )
    page = read(source)
    assert page.sections[0].text == "Visible words.\nInline end, a < b."
    assert page.sections[0].facts == ()


@pytest.mark.holds("ask.mdx.markdown-inside")
def test_markdown_inside_components_is_read_as_usual() -> None:
    source = """<Tabs>
  <Tab label="one">
    ## Inside

    Text with `code`.

    ```sh
    npm install --save {x} <y>
      deeper
    ```

    1. item

       ```js
       call()
       ```
  </Tab>
</Tabs>

## After
"""
    page = read(source)
    assert [section.heading for section in page.sections] == ["Inside", "After"]
    assert [(fact.kind, fact.literal) for fact in page.sections[0].facts] == [
        ("code", "code"),
        ("code", "    npm install --save {x} <y>\n      deeper"),
        ("flag", "--save"),
        ("code", "call()"),
    ]
    assert page.sections[0].text == "Text with code.\nnpm install --save {x} <y>\n  deeper\nitem\ncall()"


@pytest.mark.holds("ask.mdx.markdown-inside")
def test_code_is_safe_from_the_rules_of_components() -> None:
    source = "`{kept} <Kept />` and ``a ` {b}``\n\n````md\n```\n{also} <Kept>\nimport x from 'y'\n````\n"
    assert [fact.literal for fact in read(source).sections[0].facts] == [
        "{kept} <Kept />",
        "a ` {b}",
        "```\n{also} <Kept>\nimport x from 'y'",
    ]


@pytest.mark.holds("ask.mdx.markdown-inside")
def test_a_written_id_is_no_expression() -> None:
    assert [section.anchor for section in read("## Name {#the-id}\n").sections] == ["the-id"]


@pytest.mark.holds("ask.mdx.braces-in-md")
def test_in_markdown_braces_and_statements_are_text() -> None:
    source = "Use {name} here.\n\nimport x from 'y'\n"
    assert text_of(source, "page.md") == "Use {name} here.\nimport x from 'y'"


@pytest.mark.holds("ask.mdx.tolerance")
@pytest.mark.parametrize(
    "source",
    [
        "Text {never closed\n\n## Next\n",
        "Text <Foo bar=\n\n## Next\n",
        "Text </Gone>\n\n## Next\n",
        "<A>\nText\n\n## Next\n",
    ],
)
def test_what_is_no_valid_mdx_is_still_read(source: str) -> None:
    page = read(source)
    assert page.sections[0].text.startswith("Text")
    assert page.sections[1].heading == "Next"


@pytest.mark.lengthy(4)
@pytest.mark.holds("ask.documents.linear")
@pytest.mark.parametrize(
    "opener",
    [
        "{",
        '{"',
        "{`",
        "{/*",
        "<a b={",
        '<a b="',
        "<A>\n  ",
        "<A><B>",
        "</A>",
        "<!--",
        "`a``b",
        "import {\n\n",
        "export {",
    ],
)
def test_long_runs_of_openers_are_read_in_time(opener: str) -> None:
    source = (opener * (LENGTH // len(opener) + 1))[:LENGTH]
    within(1 / PART, lambda: record_page("page.mdx", source, PageSettings()))
