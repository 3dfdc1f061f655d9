import { build } from "../build";
import type { Piece } from "./inertMarkdown";

/** The tree as nodes: text stays text, and only the kinds that the reader of the text knows become elements. */
export function drawPieces(pieces: Piece[], copy: (text: string, button: HTMLElement) => void): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const piece of pieces) fragment.append(typeof piece === "string" ? piece : drawElement(piece, copy));
  return fragment;
}

function drawElement(piece: Exclude<Piece, string>, copy: (text: string, button: HTMLElement) => void): HTMLElement {
  const made = build(piece.tag, piece.name ?? "", drawPieces(piece.children, copy));
  if (piece.href !== undefined) made.setAttribute("href", piece.href);
  if (piece.align) made.setAttribute("align", piece.align);
  if (piece.start !== undefined) made.setAttribute("start", String(piece.start));
  if (piece.name === "scroll") made.tabIndex = 0;
  if (piece.tag !== "pre") return made;
  made.tabIndex = 0; // long lines can be scrolled with the keyboard
  const button = build("button", "copy", "Copy");
  button.setAttribute("aria-label", "Copy code");
  button.addEventListener("click", () => copy(made.textContent ?? "", button));
  return build("div", "code", made, button);
}

/** Marks where the given texts stand; each text is looked for once in every piece of text. */
export function markDoubts(root: HTMLElement, doubts: readonly string[], reason: string): void {
  for (const doubt of doubts) {
    if (!doubt.trim()) continue;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: [Text, number][] = [];
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      const at = node.parentElement?.closest("mark, button") ? -1 : node.data.indexOf(doubt);
      if (at >= 0) found.push([node, at]);
    }
    for (const [node, at] of found) {
      const rest = node.splitText(at);
      rest.splitText(doubt.length);
      const mark = build("mark", "doubt", rest.data);
      mark.title = reason;
      rest.replaceWith(mark);
    }
  }
}
