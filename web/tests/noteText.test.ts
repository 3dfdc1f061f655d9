import { expect, test } from "vitest";
import { linkResolver, plainSentence, plainWords, readLines } from "../src/node/noteText";
import { growth } from "./growth";

const links = (text: string) =>
  readLines(text).flatMap((line) => line.parts.flatMap((part) => ("target" in part ? [[part.target, part.text]] : [])));
const shown = (text: string) => readLines(text).map((line) => line.parts.map((part) => part.text).join(""));

test("wikilinks become parts with a target, shown by alias or name", () => {
  expect(links("See [[thought-records]] and [[core/beliefs#Why|beliefs]].")).toEqual([
    ["thought-records", "thought-records"],
    ["core/beliefs", "beliefs"],
  ]);
});

test("code, inline or fenced, holds no links", () => {
  expect(links("`[[a]]` text\n```\n[[b]]\n```\n~~~\n[[c]]")).toEqual([]);
});

test("blank targets and unclosed brackets are text", () => {
  expect(links("[[]] [[ ]] [[#h]] [[open")).toEqual([]);
  expect(shown("[[]] [[ ]] [[open")).toEqual(["[[]] [[ ]] [[open"]);
});

test("markup in a note stays as it is written", () => {
  expect(shown("<script>x()</script>\n# Title")).toEqual(["<script>x()</script>", "# Title"]);
  expect(readLines("# Title")[0]?.kind).toBe("heading");
});

test("a sentence about a link is shown without the marks of markdown", () => {
  expect(plainWords("[`Writable`][]: streams, see [[write|writing]] and [the **whole** page](http.md 'now').")).toBe("Writable: streams, see writing and the whole page.");
  expect(plainWords("[[thought-records]], [[nowhere]] and [[thought-records|these]]", (target) => (target === "nowhere" ? undefined : "Thought Records"))).toBe("Thought Records, nowhere and these");
  expect(plainSentence("`` code ` `` and `[[kept]]`, [[kept]], 3 * 4 ** 5")).toBe("`` code ` `` and `[[kept]]`, [[kept]], 3 * 4 ** 5");
});

test("a megabyte of openers is read in linear time", () => {
  for (const opener of ["[[", "`", "[[a]]", "`[[", "]]", "[a](", "**a"]) {
    const read = (size: number) => [readLines, plainSentence].map((reader) => reader(opener.repeat(size / opener.length)));
    expect(growth(40, () => read(100_000), () => read(1_000_000))).toBeLessThan(40);
  }
});

test("a link is found by path, base name or name, whatever its case", () => {
  const resolve = linkResolver([
    { id: "skill:core-beliefs", name: "Core Beliefs", path: "deep/core-beliefs.md" },
    { id: "skill:x", name: "Another Name", path: "x.md" },
  ]);
  expect(["deep/core-beliefs", "Core-Beliefs.md", "core beliefs", "another name", "nowhere"].map(resolve)).toEqual([
    "skill:core-beliefs",
    "skill:core-beliefs",
    "skill:core-beliefs",
    "skill:x",
    undefined,
  ]);
});
