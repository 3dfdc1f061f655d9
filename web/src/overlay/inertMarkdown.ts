/**
 * Markdown of an answer as DOM nodes. The text is a model's: nothing in it becomes HTML, and a link leads only where
 * `allowed` says. Every pass looks at each character a bounded number of times.
 */
export function renderMarkdown(text: string, allowed: (url: string) => boolean): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const lines = text.split("\n");
  let at = 0;
  while (at < lines.length) at = renderBlock(lines, at, fragment, allowed);
  return fragment;
}

type Allowed = (url: string) => boolean;

const FENCE = /^\s{0,3}(`{3,}|~{3,})\s*([^`]*)$/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

function renderBlock(lines: string[], at: number, into: Node, allowed: Allowed): number {
  const line = lines[at]!;
  if (!line.trim()) return at + 1;
  const fence = FENCE.exec(line);
  if (fence) return renderFence(lines, at, fence[1]!, into);
  const heading = HEADING.exec(line);
  if (heading) {
    into.appendChild(element(`h${Math.min(6, heading[1]!.length + 2)}`, renderInline(heading[2]!, allowed)));
    return at + 1;
  }
  if (RULE.test(line)) {
    into.appendChild(document.createElement("hr"));
    return at + 1;
  }
  if (line.includes("|") && DIVIDER.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("-")) {
    return renderTable(lines, at, into, allowed);
  }
  if (ITEM.test(line)) return renderList(lines, at, into, allowed);
  if (/^\s{0,3}>/.test(line)) return renderQuote(lines, at, into, allowed);
  return renderParagraph(lines, at, into, allowed);
}

function renderFence(lines: string[], at: number, marker: string, into: Node): number {
  const body: string[] = [];
  let next = at + 1;
  const closing = new RegExp(`^\\s{0,3}${marker[0] === "~" ? "~" : "`"}{${marker.length},}\\s*$`);
  while (next < lines.length && !closing.test(lines[next]!)) body.push(lines[next++]!);
  into.appendChild(element("pre", element("code", document.createTextNode(body.join("\n")))));
  return next + 1;
}

function renderParagraph(lines: string[], at: number, into: Node, allowed: Allowed): number {
  let next = at + 1;
  while (next < lines.length && lines[next]!.trim() && !startsBlock(lines[next]!)) next++;
  into.appendChild(element("p", renderInline(lines.slice(at, next).join("\n"), allowed)));
  return next;
}

function startsBlock(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || RULE.test(line) || /^\s{0,3}>/.test(line);
}

function renderQuote(lines: string[], at: number, into: Node, allowed: Allowed): number {
  let next = at;
  while (next < lines.length && /^\s{0,3}>/.test(lines[next]!)) next++;
  const inner = lines.slice(at, next).map((line) => line.replace(/^\s{0,3}>\s?/, ""));
  const quote = document.createElement("blockquote");
  let position = 0;
  while (position < inner.length) position = renderParagraphOrBlank(inner, position, quote, allowed);
  into.appendChild(quote);
  return next;
}

/** Inside a quote only text and lists are read: depth stays bounded whatever the text tries. */
function renderParagraphOrBlank(lines: string[], at: number, into: Node, allowed: Allowed): number {
  if (!lines[at]!.trim()) return at + 1;
  return ITEM.test(lines[at]!) ? renderList(lines, at, into, allowed) : renderParagraph(lines, at, into, allowed);
}

function renderList(lines: string[], at: number, into: Node, allowed: Allowed): number {
  const lists: { indent: number; node: HTMLElement }[] = [];
  let next = at;
  let item: HTMLElement | null = null;
  while (next < lines.length) {
    const line = lines[next]!;
    const found = ITEM.exec(line);
    if (!found) {
      if (!line.trim() && ITEM.test(lines[next + 1] ?? "")) {
        next++;
        continue;
      }
      const fence = item && /^\s+/.test(line) ? FENCE.exec(line.trimStart()) : null;
      if (item && fence) {
        next = renderFence(lines.map((one, number) => (number >= next ? one.trimStart() : one)), next, fence[1]!, item);
        continue;
      }
      if (!item || !line.trim() || !/^\s/.test(line)) break;
      item.append(" ", renderInline(line.trim(), allowed));
      next++;
      continue;
    }
    const indent = found[1]!.length;
    while (lists.length > 1 && lists.at(-1)!.indent > indent) lists.pop();
    if (!lists.length || (indent > lists.at(-1)!.indent + 1 && lists.length < 6)) {
      const node = document.createElement(/\d/.test(found[2]!) ? "ol" : "ul");
      (item && lists.length ? item : into).appendChild(node);
      lists.push({ indent, node });
    }
    item = element("li", renderInline(found[3]!, allowed));
    lists.at(-1)!.node.appendChild(item);
    next++;
  }
  return Math.max(next, at + 1);
}

function renderTable(lines: string[], at: number, into: Node, allowed: Allowed): number {
  const table = document.createElement("table");
  table.appendChild(element("thead", row(lines[at]!, "th", allowed)));
  const body = document.createElement("tbody");
  let next = at + 2;
  while (next < lines.length && lines[next]!.includes("|") && lines[next]!.trim()) {
    body.appendChild(row(lines[next++]!, "td", allowed));
  }
  table.appendChild(body);
  into.appendChild(element("div", table, "scroll"));
  return next;
}

function row(line: string, tag: "th" | "td", allowed: Allowed): HTMLElement {
  const made = document.createElement("tr");
  const cells = line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/);
  for (const cell of cells) made.appendChild(element(tag, renderInline(cell.trim().replaceAll("\\|", "|"), allowed)));
  return made;
}

const INLINE = /(?<!`)(`+)(?!`)([^`]|[^`][\s\S]*?[^`])\1(?!`)|\[([^\[\]]*)\]\(([^()\s]*)\)|(\*\*|__)(?=\S)([^*_\n]+?)\5|\*([^*\s][^*\n]*?)\*/g;

export function renderInline(text: string, allowed: Allowed): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    fragment.append(text.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[1]) fragment.append(element("code", document.createTextNode(found[2]!)));
    else if (found[4] !== undefined) fragment.append(linkOrLabel(found[3]!, found[4], allowed));
    else fragment.append(element(found[5] ? "strong" : "em", document.createTextNode(found[6] ?? found[7]!)));
  }
  fragment.append(text.slice(from));
  return fragment;
}

function linkOrLabel(label: string, url: string, allowed: Allowed): Node {
  if (!allowed(url)) return document.createTextNode(label);
  const link = element("a", document.createTextNode(label)) as HTMLAnchorElement;
  link.href = url;
  return link;
}

function element(tag: string, child: Node, name?: string): HTMLElement {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.appendChild(child);
  return made;
}
