import { expect, test } from "vitest";
import { type Piece, readMarkdown } from "../src/overlay/answer/inertMarkdown";
import { growth } from "./growth";

const SOURCES = new Set(["/docs/cli#flags", "/docs/a(b)", "/docs/überblick"]);
const read = (text: string) => readMarkdown(text, (url) => (SOURCES.has(url) ? url : null));

/** The tree as a text that is easy to compare. */
const write = (pieces: Piece[]): string =>
  pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      const extra = piece.href ? ` href=${piece.href}` : piece.align ? ` ${piece.align}` : piece.start ? ` ${piece.start}` : "";
      return `<${piece.tag}${extra}>${write(piece.children)}</${piece.tag}>`;
    })
    .join("");
const shown = (text: string) => write(read(text));
const tags = (pieces: Piece[]): string[] =>
  pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.tag, ...tags(piece.children)]));
const links = (pieces: Piece[]): string[] =>
  pieces.flatMap((piece) => (typeof piece === "string" ? [] : [...(piece.href ? [piece.href] : []), ...links(piece.children)]));

test("a link leads only to a source, however it is written", () => {
  expect(shown("[flags](/docs/cli#flags)")).toBe("<p><a href=/docs/cli#flags>flags</a></p>");
  expect(shown("[flags](</docs/cli#flags>)")).toBe("<p><a href=/docs/cli#flags>flags</a></p>");
  expect(shown('[flags](/docs/cli#flags "Title")')).toBe("<p><a href=/docs/cli#flags>flags</a></p>");
  expect(shown("[b](/docs/a(b))")).toBe("<p><a href=/docs/a(b)>b</a></p>");
  expect(shown("[x](https://evil.test)")).toBe("<p>x</p>");
  expect(shown("[x](<https://evil.test>)")).toBe("<p>x</p>");
  expect(shown("[x](javascript:alert(1))")).toBe("<p>x</p>");
  expect(shown("![pixel](https://evil.test/p.png)")).toBe("<p>pixel</p>");
});

test("no text becomes an element of its own choosing", () => {
  const hostile = "<img src=x onerror=alert(1)> <script>x()</script> <a href=//evil.test>y</a> &lt;b&gt;";
  expect(shown(hostile)).toBe(`<p>${hostile}</p>`);
  expect(links(read("<https://evil.test> [r]: https://evil.test\n[r] [r][r] https://evil.test"))).toEqual([]);
});

test("code keeps every character, and holds no links or emphasis", () => {
  expect(shown("`--a *b* [x](/docs/cli#flags)`")).toBe("<p><code>--a *b* [x](/docs/cli#flags)</code></p>");
  expect(shown("`` a`b ``")).toBe("<p><code>a`b</code></p>");
  expect(shown("```sh\ntool <x> --all\n\n# not a heading\n```\nafter")).toBe(
    "<pre><code>tool <x> --all\n\n# not a heading</code></pre><p>after</p>",
  );
  expect(shown("~~~~\n~~~\n~~~~")).toBe("<pre><code>~~~</code></pre>");
  expect(shown("```\nstill arriving")).toBe("<pre><code>still arriving</code></pre>");
});

test("a label may hold code, and text around it emphasis", () => {
  expect(shown("See [`--all`](/docs/cli#flags), **not `x`** and *so*.")).toBe(
    "<p>See <a href=/docs/cli#flags><code>--all</code></a>, <strong>not <code>x</code></strong> and <em>so</em>.</p>",
  );
  expect(shown("**[flags](/docs/cli#flags)**")).toBe("<p><strong><a href=/docs/cli#flags>flags</a></strong></p>");
});

test("underscores inside words, lone stars and escapes are text", () => {
  expect(shown("a_b_c and 2 * 3 * 4 and \\*so\\* and LORE_ASK_LOG")).toBe("<p>a_b_c and 2 * 3 * 4 and *so* and LORE_ASK_LOG</p>");
});

test("tables have a head, rows of its width, and bars that are text", () => {
  expect(shown("| Option | Default |\n|:--|--:|\n| `a\\|b` | 3 |\n| c |")).toBe(
    "<div><table><thead><tr><th>Option</th><th right>Default</th></tr></thead><tbody>" +
      "<tr><td><code>a|b</code></td><td right>3</td></tr><tr><td>c</td><td right></td></tr></tbody></table></div>",
  );
  expect(tags(read("a | b\n---\n"))).not.toContain("table");
});

test("lists nest, keep their numbers and hold blocks", () => {
  expect(shown("- a\n  - b\n- c")).toBe("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>");
  expect(shown("3. a\n4. b")).toBe("<ol 3><li>a</li><li>b</li></ol>");
  expect(shown("1. Run:\n\n   ```sh\n   tool\n   ```\n\n2. Done.")).toBe(
    "<ol><li><p>Run:</p><pre><code>tool</code></pre></li><li>Done.</li></ol>",
  );
  expect(shown("Text\n- a\ngoes on\n\nAfter")).toBe("<p>Text</p><ul><li>a\ngoes on</li></ul><p>After</p>");
});

test("headings, quotes, rules and breaks", () => {
  expect(shown("## Flags ##\n> said\n> so\n\n---\na  \nb")).toBe(
    "<h4>Flags</h4><blockquote><p>said\nso</p></blockquote><hr></hr><p>a  <br></br>b</p>",
  );
  expect(shown("#hashtag")).toBe("<p>#hashtag</p>");
});

test("only known elements come out of any text", () => {
  const known = new Set("p h3 h4 h5 h6 hr pre code div table thead tbody tr th td ul ol li blockquote a strong em del br".split(" "));
  const text = "# a\n- b\n  > c\n\n| d | e |\n|---|---|\n| **f** | _g_ |\n\n1. ~~h~~\n```\ni\n```\n<https://x.test>";
  expect(tags(read(text)).filter((tag) => !known.has(tag))).toEqual([]);
});

test("a long run of openers is read in linear time", () => {
  const openers = ["[", "![", "[](", "[a](<", "[a](b 'c", "`", "`a``", "*", "**a ", "*a **b ", "_", "__a", "<", "<a:", "> ", "- ", "1. ", "#", "# #",
    "| ", "|-", "a|b\n-|-\n", "```\n", "- ```\n", " ", "\\", "~~a ", "-  ", "\n", "(", "[[a](/docs/cli#flags)"];
  for (const opener of openers) {
    const run = (size: number) => read(opener.repeat(size / opener.length));
    // As much text in sixteen pieces and in one: linear work is about equal, quadratic work sixteen times as much.
    const pieces = () => Array.from({ length: 16 }, () => run(2_500));
    expect(growth(8, pieces, () => run(40_000)), JSON.stringify(opener)).toBeLessThan(8);
  }
  const runs = (count: number) => Array.from({ length: count }, (_, number) => "`".repeat(number + 1)).join("a");
  expect(growth(60, () => read(runs(100)), () => read(runs(445)))).toBeLessThan(60);
});
