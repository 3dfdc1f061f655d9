import { AnswerView } from "./answerView";
import type { AskServer, Result, Turn } from "./askServer";
import { build } from "./build";
import { STYLES } from "./overlayStyles";

const PAUSE = 90; // milliseconds of typing silence before a search

type Row = { label: string; open: () => void; node: HTMLElement; suggestion?: string };

/** The dialog: a combobox over results and suggestions, and the answers below it. */
export class Panel {
  private readonly back: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly list: HTMLElement;
  private readonly body: HTMLElement;
  private readonly answers = build("div", "answer");
  private readonly note = build("p", "note");
  private readonly status = build("div", "hidden");
  private readonly stopButton = build("button", "", "Stop");
  private readonly root: ShadowRoot;
  private rows: Row[] = [];
  private marked = -1;
  private model = "none";
  private suggestions: string[] = [];
  private timer = 0;
  private searching = new AbortController();
  private asking: { abort: AbortController; view: AnswerView } | null = null;
  private history: Turn[] = [];
  private saidNoModel = false;
  private openedFrom: Element | null = null;

  constructor(
    host: HTMLElement,
    private readonly server: AskServer,
    theme: string | null,
  ) {
    this.root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    this.root.adoptedStyleSheets = [sheet];
    this.input = build("input", "") as HTMLInputElement;
    this.list = build("ul", "");
    this.body = build("div", "body", this.note, this.list, this.answers);
    this.back = this.frame(theme);
    this.root.append(this.back);
    this.listen();
  }

  get isOpen(): boolean {
    return !this.back.hidden;
  }

  open(): void {
    if (this.isOpen) return;
    this.openedFrom = document.activeElement;
    this.back.hidden = false;
    this.input.focus();
    this.input.select();
    void this.greet();
  }

  close(): void {
    this.stop();
    this.back.hidden = true;
    if (this.openedFrom instanceof HTMLElement) this.openedFrom.focus();
  }

  private frame(theme: string | null): HTMLElement {
    const attributes: Record<string, string> = {
      role: "combobox", type: "text", "aria-expanded": "true", "aria-controls": "rows", "aria-autocomplete": "list",
      "aria-label": "Search or ask the documentation", placeholder: "Search or ask…", autocomplete: "off", spellcheck: "false",
      maxlength: "2000", enterkeyhint: "search",
    };
    for (const [name, value] of Object.entries(attributes)) this.input.setAttribute(name, value);
    this.list.id = "rows";
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Results");
    this.status.setAttribute("role", "status");
    this.stopButton.hidden = true;
    const close = build("button", "", "Esc");
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => this.close());
    const top = build("div", "top", this.input, this.stopButton, close);
    const foot = build("div", "foot", key("↑↓"), " choose", key("Enter"), " open or ask", key("Tab"), " take");
    const panel = build("div", "panel", top, this.body, foot, this.status);
    panel.setAttribute("role", "dialog");
    panel.setAttribute("aria-modal", "true");
    panel.setAttribute("aria-label", "Search or ask the documentation");
    const back = build("div", `back${theme === "dark" || theme === "light" ? ` ${theme}` : ""}`, panel);
    back.hidden = true;
    back.addEventListener("mousedown", (event) => event.target === back && this.close());
    return back;
  }

  private listen(): void {
    this.input.addEventListener("input", () => this.typed());
    this.stopButton.addEventListener("click", () => this.stop());
    this.back.addEventListener("keydown", (event) => this.pressed(event));
  }

  private pressed(event: KeyboardEvent): void {
    event.stopPropagation(); // the site's own shortcuts must not hear what is typed here
    if (event.isComposing) return;
    const inField = this.root.activeElement === this.input;
    if (event.key === "Escape") this.close();
    else if (event.key === "Tab") this.tab(event, inField);
    else if (inField && event.key === "ArrowDown") this.mark(this.marked + 1);
    else if (inField && event.key === "ArrowUp") this.mark(this.marked - 1);
    else if (inField && event.key === "Enter") this.enter();
    else return;
    if (event.key !== "Tab") event.preventDefault();
  }

  /** Takes a suggestion; otherwise the focus stays inside the dialog. */
  private tab(event: KeyboardEvent, inField: boolean): void {
    const row = this.rows[Math.max(this.marked, 0)];
    if (inField && !event.shiftKey && row?.suggestion && this.input.value !== row.suggestion) {
      event.preventDefault();
      this.input.value = row.suggestion;
      this.typed();
      return;
    }
    const stops = [...this.root.querySelectorAll<HTMLElement>("input, button:not([hidden]), a[href]")];
    const at = stops.indexOf(this.root.activeElement as HTMLElement);
    const next = (at + (event.shiftKey ? -1 : 1) + stops.length) % stops.length;
    event.preventDefault();
    stops[next]?.focus();
  }

  private enter(): void {
    const row = this.rows[this.marked];
    const query = this.input.value.trim();
    if (row) row.open();
    else if (query && this.model !== "none") void this.ask(query);
    else this.rows[0]?.open();
  }

  private async greet(): Promise<void> {
    try {
      const answer = await this.server.suggestions(new AbortController().signal);
      this.model = answer.model;
      this.suggestions = answer.suggestions;
    } catch (trouble) {
      this.say(sentence(trouble), true);
      return;
    }
    if (this.model === "none" && !this.saidNoModel) {
      this.saidNoModel = true;
      this.say("No language model is set up here, so this finds passages rather than writing answers.");
    }
    if (!this.input.value.trim()) this.showSuggestions();
  }

  private typed(): void {
    clearTimeout(this.timer);
    this.searching.abort();
    const query = this.input.value;
    if (!query.trim()) {
      this.showSuggestions();
      return;
    }
    this.timer = window.setTimeout(() => void this.search(query), PAUSE);
  }

  private async search(query: string): Promise<void> {
    const searching = (this.searching = new AbortController());
    try {
      const results = await this.server.search(query, searching.signal);
      if (!searching.signal.aborted) this.showResults(query.trim(), results); // a late reply is dropped
    } catch (trouble) {
      if (!searching.signal.aborted) this.say(sentence(trouble), true);
    }
  }

  private async ask(query: string): Promise<void> {
    this.stop();
    this.searching.abort();
    clearTimeout(this.timer);
    this.show([]);
    this.say("");
    const abort = new AbortController();
    const view = new AnswerView(this.server, query, (results, warning) => {
      this.showResults(query, results);
      this.say(warning);
    });
    this.asking = { abort, view };
    this.answers.append(view.node);
    view.node.scrollIntoView({ block: "nearest" });
    this.stopButton.hidden = false;
    this.input.value = "";
    this.input.placeholder = "Ask a follow-up…";
    try {
      await this.server.answer(query, this.history, abort.signal, view);
      if (view.text) this.history.push(view.turn);
    } catch (trouble) {
      if (!abort.signal.aborted) view.error(sentence(trouble));
    } finally {
      if (this.asking?.view === view) this.finished();
    }
  }

  private stop(): void {
    if (!this.asking) return;
    this.asking.abort.abort();
    this.asking.view.stopped();
    this.finished();
  }

  private finished(): void {
    this.asking = null;
    this.stopButton.hidden = true;
    if (this.isOpen) this.input.focus();
  }

  private showSuggestions(): void {
    if (this.answers.childElementCount) {
      this.show([]);
      return;
    }
    const rows = this.suggestions.map((suggestion) => {
      const open = () => {
        this.input.value = suggestion;
        if (this.model === "none") this.typed();
        else void this.ask(suggestion);
      };
      return { label: suggestion, open, suggestion, node: build("li", "", suggestion) };
    });
    this.show(rows);
  }

  private showResults(query: string, results: Result[]): void {
    const rows = results.map((result) => {
      const name = result.heading ?? result.title;
      const place = result.heading ? result.title : (result.group ?? "");
      const head = build("div", "name", name, " ", build("span", "group", place));
      const node = build("li", "", head, build("div", "snippet", ...marked(result)));
      return { label: name, node, open: () => this.visit(result.url) };
    });
    if (this.model !== "none") {
      const node = build("li", "", build("div", "name", `Ask: ${query}`));
      rows.push({ label: `Ask: ${query}`, node, open: () => void this.ask(query) });
    }
    this.show(rows);
    this.say(results.length ? "" : "Nothing found. Other words may help.");
  }

  private visit(url: string): void {
    this.close();
    location.assign(url);
  }

  private show(rows: Row[]): void {
    this.rows = rows;
    rows.forEach((row, number) => {
      row.node.setAttribute("role", "option");
      row.node.id = `row-${number}`;
      row.node.addEventListener("click", row.open);
      row.node.addEventListener("mousemove", () => this.mark(number));
    });
    this.list.replaceChildren(...rows.map((row) => row.node));
    this.mark(-1);
    this.status.textContent = rows.length ? `${rows.length} results` : "";
  }

  private mark(number: number): void {
    const count = this.rows.length;
    this.marked = count && number >= -1 ? Math.min(number, count - 1) : -1;
    this.rows.forEach((row, at) => row.node.setAttribute("aria-selected", String(at === this.marked)));
    const row = this.rows[this.marked];
    if (row) this.input.setAttribute("aria-activedescendant", row.node.id);
    else this.input.removeAttribute("aria-activedescendant");
    row?.node.scrollIntoView({ block: "nearest" });
  }

  private say(text: string, isFault = false): void {
    this.note.textContent = text;
    this.note.hidden = !text;
    this.note.classList.toggle("fault", isFault);
  }
}

function key(name: string): HTMLElement {
  return build("kbd", "", name);
}

function sentence(trouble: unknown): string {
  return trouble instanceof Error && trouble.name !== "TypeError" ? trouble.message : "The server cannot be reached.";
}

/** A snippet with its matches marked; positions count code points. */
function marked(result: Result): (Node | string)[] {
  const letters = [...result.snippet];
  const parts: (Node | string)[] = [];
  let from = 0;
  for (const [start, end] of result.highlights ?? []) {
    parts.push(letters.slice(from, start).join(""), build("mark", "", letters.slice(start, end).join("")));
    from = end;
  }
  return [...parts, letters.slice(from).join("")];
}
