// Splits a note into lines and wikilinks for display. The parts become React text, so nothing in a note is ever markup.

export type Part = { text: string } | { text: string; target: string };
export interface Line {
  kind: "heading" | "code" | "text";
  parts: Part[];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^#{1,6} /;

function splitLinks(line: string): Part[] {
  const parts: Part[] = [];
  let shown = 0;
  let at = 0;
  let tick = line.indexOf("`");
  while (at < line.length) {
    const open = line.indexOf("[[", at);
    if (open < 0) break;
    if (tick >= 0 && tick < at) tick = line.indexOf("`", at);
    if (tick >= 0 && tick < open) {
      const close = line.indexOf("`", tick + 1);
      if (close < 0) break;
      at = close + 1;
      continue;
    }
    const close = line.indexOf("]]", open);
    if (close < 0) break;
    const inner = line.slice(line.lastIndexOf("[[", close) + 2, close);
    const [address = "", alias] = inner.split(/\\?\|/, 2);
    const target = (address.split("#", 1)[0] ?? "").trim();
    if (target) {
      const start = close - inner.length - 2;
      if (start > shown) parts.push({ text: line.slice(shown, start) });
      parts.push({ text: alias?.trim() || address.trim(), target });
      shown = close + 2;
    }
    at = close + 2;
  }
  if (shown < line.length) parts.push({ text: line.slice(shown) });
  return parts;
}

export function readLines(text: string): Line[] {
  let fence = "";
  return text.split("\n").map((line): Line => {
    const marks = FENCE.exec(line)?.[1] ?? "";
    if (fence) {
      if (marks.startsWith(fence)) fence = "";
      return { kind: "code", parts: [{ text: line }] };
    }
    if (marks) {
      fence = marks;
      return { kind: "code", parts: [{ text: line }] };
    }
    return { kind: HEADING.test(line) ? "heading" : "text", parts: splitLinks(line) };
  });
}

const LINK = /!?\[([^[\]]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^[\]]*\])/g;
const CODE = /(?<!`)(`+)(?!`)([^`]+)\1(?!`)/g;

/** A sentence without the marks of markdown; wikilinks stay, for whoever leads on from them. */
export const plainSentence = (text: string) =>
  text
    .replace(LINK, "$1")
    .replace(CODE, (whole, _, code: string) => (code.includes("[[") ? whole : code))
    .replace(/\*\*([^*]+)\*\*/g, "$1");

/** The same, wikilinks by what they show: their own words, else the name of the note that they mean. */
export const plainWords = (text: string, nameOf?: (target: string) => string | undefined) =>
  splitLinks(plainSentence(text))
    .map((part) => ("target" in part && part.text === part.target && nameOf?.(part.target)) || part.text)
    .join("");

export const slug = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\.md$/, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

/** Finds the note a wikilink means by path, base name or name. The server's own resolver has the last word elsewhere. */
export function linkResolver(nodes: { id: string; name: string; path: string }[]): (target: string) => string | undefined {
  const known = new Map<string, string>();
  const remember = (key: string, id: string) => {
    if (key && !known.has(key)) known.set(key, id);
  };
  for (const { id, path } of nodes) remember(slug(path), id);
  for (const { id, path } of nodes) remember(slug(path.slice(path.lastIndexOf("/") + 1)), id);
  for (const { id } of nodes) remember(slug(id.replace(/^skill:/, "")), id);
  for (const { id, name } of nodes) remember(slug(name), id);
  return (target) => known.get(slug(target)) ?? known.get(slug(target.slice(target.lastIndexOf("/") + 1)));
}
