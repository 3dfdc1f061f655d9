import type { Result } from "./askServer";
import { build } from "./build";

/** Something to choose: opened by Enter or click, taken into the field by Tab. */
export interface Row {
  node: HTMLElement;
  open: (elsewhere: boolean) => void;
  taken?: string;
  /** Said above the first of its kind. */
  group?: string;
}

/** The list under the field: a listbox whose marked option the field names. */
export class RowList {
  readonly node = build("ul", "");
  rows: Row[] = [];
  /** Whether the mark was put by a person and not by default. */
  isChosen = false;
  private marked = -1;

  constructor(private readonly input: HTMLInputElement) {
    this.node.id = "rows";
    this.node.setAttribute("role", "listbox");
    this.node.setAttribute("aria-label", "Results");
    this.show([], -1);
  }

  get current(): Row | undefined {
    return this.rows[this.marked];
  }

  show(rows: Row[], marked: number): void {
    this.rows = rows;
    rows.forEach((row, number) => {
      row.node.setAttribute("role", "option");
      row.node.id = `row-${number}`;
      row.node.addEventListener("click", (event) => row.open(event.metaKey || event.ctrlKey));
      row.node.addEventListener("auxclick", (event) => event.button === 1 && row.open(true));
      row.node.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
      row.node.addEventListener("mousemove", () => number !== this.marked && this.choose(number));
    });
    this.node.replaceChildren(
      ...rows.flatMap((row, number) => (row.group && row.group !== rows[number - 1]?.group ? [groupNode(row.group), row.node] : [row.node])),
    );
    this.node.hidden = !rows.length;
    this.input.setAttribute("aria-expanded", String(rows.length > 0));
    this.isChosen = false;
    this.mark(marked);
  }

  /** One further down or up; the field itself comes before the first and after the last. */
  step(by: 1 | -1): void {
    const places = this.rows.length + 1;
    this.choose(((this.marked + 1 + by + places) % places) - 1);
    this.current?.node.scrollIntoView({ block: "nearest" });
  }

  private choose(number: number): void {
    this.isChosen = number >= 0;
    this.mark(number);
  }

  private mark(number: number): void {
    this.marked = Math.min(number, this.rows.length - 1);
    this.rows.forEach((row, at) => row.node.setAttribute("aria-selected", String(at === this.marked)));
    const id = this.current?.node.id;
    if (id) this.input.setAttribute("aria-activedescendant", id);
    else this.input.removeAttribute("aria-activedescendant");
  }
}

function groupNode(name: string): HTMLElement {
  const head = build("li", "group-head", name);
  head.setAttribute("role", "presentation");
  return head;
}

export function resultNode(result: Result): HTMLElement {
  const place = result.heading ? result.title : (result.group ?? "");
  const head = build("div", "name", result.heading ?? result.title, " ", build("span", "group", place));
  return build("li", "", head, build("div", "snippet", ...highlighted(result.snippet, result.highlights ?? [])));
}

/** A snippet with its matches marked; positions count code points. */
function highlighted(snippet: string, highlights: [number, number][]): (Node | string)[] {
  const letters = [...snippet];
  const parts: (Node | string)[] = [];
  let from = 0;
  for (const [start, end] of highlights) {
    if (start < from) continue;
    parts.push(letters.slice(from, start).join(""), build("mark", "", letters.slice(start, end).join("")));
    from = end;
  }
  return [...parts, letters.slice(from).join("")];
}
