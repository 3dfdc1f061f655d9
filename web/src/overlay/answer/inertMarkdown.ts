/**
 * The Markdown of an answer as a tree of known elements. The text is a model's: nothing in it becomes HTML, and a link
 * leads only where `allowed` says. Every pass looks at each character a bounded number of times.
 */
import { type Allowed, type Element, type Piece, readInline } from "./inertInline";

export type { Allowed, Element, Piece } from "./inertInline";

const DEEPEST = 8;

export function readMarkdown(text: string, allowed: Allowed): Piece[] {
  return readBlocks(text.replace(/\r\n?/g, "\n").split("\n"), allowed, 0);
}

function readBlocks(lines: string[], allowed: Allowed, depth: number): Piece[] {
  const blocks: Piece[] = [];
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at]!)) at++;
    else at = readBlock(lines, at, blocks, allowed, depth);
  }
  return blocks;
}

/** Reads the block at a line that is not blank; the line behind it. */
function readBlock(lines: string[], at: number, into: Piece[], allowed: Allowed, depth: number): number {
  const line = lines[at]!;
  const fence = fenceOf(line);
  if (fence) return readFence(lines, at, fence, into);
  const level = headingLevel(line);
  if (level) {
    into.push({ tag: `h${Math.min(6, level + 2)}`, children: readInline(headingText(line, level), allowed) });
    return at + 1;
  }
  if (isRule(line)) {
    into.push({ tag: "hr", children: [] });
    return at + 1;
  }
  if (isTable(lines, at)) return readTable(lines, at, into, allowed);
  if (depth < DEEPEST && itemOf(line)) return readList(lines, at, into, allowed, depth);
  if (depth < DEEPEST && isQuote(line)) return readQuote(lines, at, into, allowed, depth);
  return readParagraph(lines, at, into, allowed);
}

interface Fence {
  sign: string;
  length: number;
  indent: number;
}

function fenceOf(line: string): Fence | null {
  const indent = indentOf(line);
  const sign = line[indent] ?? "";
  if (indent > 3 || (sign !== "`" && sign !== "~")) return null;
  let end = indent;
  while (line[end] === sign) end++;
  const isFence = end - indent >= 3 && !(sign === "`" && line.includes("`", end));
  return isFence ? { sign, length: end - indent, indent } : null;
}

function readFence(lines: string[], at: number, fence: Fence, into: Piece[]): number {
  const body: string[] = [];
  let next = at + 1;
  while (next < lines.length && !closes(lines[next]!, fence)) {
    const line = lines[next++]!;
    body.push(line.slice(Math.min(indentOf(line), fence.indent)));
  }
  into.push({ tag: "pre", children: [{ tag: "code", children: [body.join("\n")] }] });
  return next + 1;
}

function closes(line: string, fence: Fence): boolean {
  const end = line.trimEnd();
  const indent = indentOf(end);
  if (indent > 3 || end.length - indent < fence.length) return false;
  for (let at = indent; at < end.length; at++) if (end[at] !== fence.sign) return false;
  return true;
}

function headingLevel(line: string): number {
  const indent = indentOf(line);
  if (indent > 3) return 0;
  let end = indent;
  while (line[end] === "#") end++;
  const level = end - indent;
  return level >= 1 && level <= 6 && (end === line.length || /\s/.test(line[end]!)) ? level : 0;
}

function headingText(line: string, level: number): string {
  const text = line.slice(indentOf(line) + level).trim();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return end === 0 || /\s/.test(text[end - 1]!) ? text.slice(0, end).trimEnd() : text;
}

function isRule(line: string): boolean {
  const sign = line[indentOf(line)];
  if (sign !== "-" && sign !== "*" && sign !== "_") return false;
  let count = 0;
  for (const each of line) {
    if (each === sign) count++;
    else if (each !== " " && each !== "\t") return false;
  }
  return count >= 3;
}

function isQuote(line: string): boolean {
  const indent = indentOf(line);
  return indent <= 3 && line[indent] === ">";
}

function readQuote(lines: string[], at: number, into: Piece[], allowed: Allowed, depth: number): number {
  const inside: string[] = [];
  let next = at;
  while (next < lines.length && isQuote(lines[next]!)) {
    const rest = lines[next]!.slice(indentOf(lines[next]!) + 1);
    inside.push(rest.startsWith(" ") ? rest.slice(1) : rest);
    next++;
  }
  into.push({ tag: "blockquote", children: readBlocks(inside, allowed, depth + 1) });
  return next;
}

interface Item {
  indent: number;
  width: number; // where its text begins
  isOrdered: boolean;
  start: number;
  text: string;
}

function itemOf(line: string): Item | null {
  const found = /^([ \t]*)([-*+]|(\d{1,9})[.)])([ \t]+|$)/.exec(line);
  if (!found || isRule(line)) return null;
  const [all, blanks, mark, number, gap] = found as unknown as [string, string, string, string | undefined, string];
  const width = gap.length > 4 ? blanks.length + mark.length + 1 : all.length;
  return {
    indent: blanks.length,
    width: Math.max(width, blanks.length + mark.length + 1),
    isOrdered: number !== undefined,
    start: Number(number ?? 1),
    text: line.slice(all.length),
  };
}

function readList(lines: string[], at: number, into: Piece[], allowed: Allowed, depth: number): number {
  const first = itemOf(lines[at]!)!;
  const list: Element = { tag: first.isOrdered ? "ol" : "ul", children: [] };
  if (first.isOrdered && first.start !== 1) list.start = first.start;
  let next = at;
  while (next < lines.length) {
    const item = itemOf(lines[next]!);
    if (!item || item.isOrdered !== first.isOrdered || item.indent > first.indent + 3) break;
    const inside = [item.text];
    next = gatherItem(lines, next + 1, item, inside);
    const isLoose = isBlank(inside.at(-1)!) || inside.some((line, number) => number > 0 && isBlank(line));
    const blocks = readBlocks(inside, allowed, depth + 1);
    list.children.push({ tag: "li", children: isLoose ? blocks : blocks.flatMap(withoutParagraph) });
  }
  into.push(list);
  return next;
}

/** The lines of one item: indented ones, blank ones between them, and those that go on with its paragraph. */
function gatherItem(lines: string[], from: number, item: Item, inside: string[]): number {
  let next = from;
  while (next < lines.length) {
    const line = lines[next]!;
    if (isBlank(line)) {
      const after = lines[next + 1];
      if (after === undefined || isBlank(after) || indentOf(after) <= item.indent + 1) {
        // A blank line before the next item belongs to this list, before anything else it ends it.
        return after !== undefined && itemOf(after) ? next + 1 : next;
      }
      inside.push("");
    } else if (indentOf(line) >= Math.min(item.width, item.indent + 2)) {
      inside.push(line.slice(Math.min(indentOf(line), item.width)));
    } else if (startsBlock(line) || isBlank(inside.at(-1)!)) {
      return next;
    } else inside.push(line.trimStart());
    next++;
  }
  return next;
}

function withoutParagraph(block: Piece): Piece[] {
  return typeof block !== "string" && block.tag === "p" ? block.children : [block];
}

function readParagraph(lines: string[], at: number, into: Piece[], allowed: Allowed): number {
  let next = at + 1;
  while (next < lines.length && !isBlank(lines[next]!) && !startsBlock(lines[next]!) && !isTable(lines, next)) next++;
  const text = lines.slice(at, next).map((line, number) => (number < next - at - 1 ? line.trimStart() : line.trim()));
  into.push({ tag: "p", children: readInline(text.join("\n"), allowed) });
  return next;
}

function startsBlock(line: string): boolean {
  return !!fenceOf(line) || !!headingLevel(line) || isRule(line) || isQuote(line) || !!itemOf(line);
}

function isTable(lines: string[], at: number): boolean {
  const divider = lines[at + 1];
  if (divider === undefined || !lines[at]!.includes("|") || !divider.includes("-")) return false;
  const columns = cellsOf(divider);
  return columns.every((cell) => /^:?-+:?$/.test(cell)) && columns.length === cellsOf(lines[at]!).length;
}

function readTable(lines: string[], at: number, into: Piece[], allowed: Allowed): number {
  const aligns = cellsOf(lines[at + 1]!).map((cell) =>
    cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "right") : undefined,
  );
  const row = (line: string, tag: string): Element => {
    const cells = cellsOf(line);
    const children = aligns.map((align, column) => {
      const made: Element = { tag, children: readInline(cells[column] ?? "", allowed) };
      if (align) made.align = align;
      return made;
    });
    return { tag: "tr", children };
  };
  const body: Element = { tag: "tbody", children: [] };
  let next = at + 2;
  while (next < lines.length && !isBlank(lines[next]!) && lines[next]!.includes("|")) {
    body.children.push(row(lines[next++]!, "td"));
  }
  const table: Element = { tag: "table", children: [{ tag: "thead", children: [row(lines[at]!, "th")] }, body] };
  into.push({ tag: "div", name: "scroll", children: [table] });
  return next;
}

/** Cells between bars; `\|` is a bar of the text. */
function cellsOf(line: string): string[] {
  const text = line.trim();
  const cells: string[] = [];
  let cell = "";
  for (let at = text.startsWith("|") ? 1 : 0; at < text.length; at++) {
    if (text[at] === "\\" && text[at + 1] === "|") cell += text[++at];
    else if (text[at] === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += text[at];
  }
  if (cell.trim()) cells.push(cell.trim());
  return cells;
}

function indentOf(line: string): number {
  let at = 0;
  while (line[at] === " " || line[at] === "\t") at++;
  return at;
}

function isBlank(line: string): boolean {
  return indentOf(line) === line.length || !line.trim();
}
