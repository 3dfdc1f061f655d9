import { linkTo, type Place } from "./addresses";
import type { AskServer, Result } from "./askServer";
import { build } from "./build";
import { Conversation } from "./answer/conversation";
import { copyInside } from "./copyInside";
import { type Found, finderHere, isQuestion } from "./finder";
import { type Frame, frameOf } from "./frame";
import { type Row, resultNode, RowList } from "./rowList";
import { sentenceOf } from "./sentence";

const PAUSE = 90; // milliseconds of typing silence before a search
const SAID = "loreweave.ask.said";
const NO_MODEL = "No language model is set up here, so this finds passages rather than writing answers.";

const NOTHING = "Nothing found. Other words may help.";
const SEARCHING = "Searching…";
const SLOW = 400; // milliseconds after which a search shows that it is under way

/** The dialog: a field over results and suggestions, and the answers below it. */
export class Panel {
  private readonly frame: Frame;
  private readonly list: RowList;
  private readonly talk: Conversation;
  private model: string | null = null; // not known yet
  private suggestions: string[] = [];
  private shownFor = ""; // the question whose results are listed
  private results: Result[] = [];
  private found: Found[] = []; // beside sections, where the page finds more
  private everywhere = true;
  private timer = 0;
  private greeting: Promise<void> = Promise.resolve();
  private searching = new AbortController();
  private readonly missed = new Set<string>();

  constructor(
    root: ShadowRoot,
    private readonly server: AskServer,
    private readonly place: Place,
  ) {
    this.frame = frameOf(root);
    this.list = new RowList(this.frame.input);
    this.talk = new Conversation(server, {
      link: (url) => linkTo(url, this.place),
      copy: (text, button) => void this.copy(text, button),
      again: (query) => this.ask(query),
      followUp: () => this.frame.input.focus(),
      fallBack: (query, results, warning) => this.fallBack(query, results, warning),
      say: (text) => this.tell(text),
      rate: (answerId, helpful) => this.server.feedback(answerId, helpful),
    });
    this.frame.body.append(this.list.node, this.talk.node);
    this.listen();
  }

  get isOpen(): boolean {
    return this.frame.dialog.open;
  }

  get text(): string {
    return this.frame.input.value;
  }

  open(theme: string | undefined, text = ""): void {
    if (this.isOpen) return;
    const { dialog, input } = this.frame;
    dialog.className = theme === "dark" || theme === "light" ? theme : "";
    this.look(!finderHere()?.here());
    dialog.showModal();
    input.focus();
    if (text) input.value = text;
    else input.select();
    this.greeting = this.greet();
    if (text) this.typed();
  }

  /** The page may find more than it did when the box was opened. */
  lookAnew(): void {
    if (!this.isOpen) return;
    this.look(!finderHere()?.here());
    if (this.text) this.typed();
  }

  close(): void {
    this.talk.stop();
    this.searching.abort();
    clearTimeout(this.timer);
    this.waitNoMore();
    this.noteMiss();
    this.frame.dialog.close(); // the focus goes back to where it was
  }

  private listen(): void {
    const { dialog, input, stop, clear, close } = this.frame;
    input.addEventListener("input", () => this.typed());
    stop.addEventListener("click", () => this.talk.stop());
    this.frame.scope.addEventListener("click", () => this.rescope());
    clear.addEventListener("click", () => this.startAnew());
    close.addEventListener("click", () => this.close());
    this.talk.onChange = () => this.conversationChanged();
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.close();
    });
    dialog.addEventListener("mousedown", (event) => event.target === dialog && this.close());
    dialog.addEventListener("wheel", (event) => event.target === dialog && event.preventDefault(), { passive: false });
    dialog.addEventListener("keydown", (event) => this.pressed(event));
    for (const name of ["keyup", "keypress"]) dialog.addEventListener(name, (event) => event.stopPropagation());
    this.frame.body.addEventListener("click", (event) => {
      const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
      if (link && !event.metaKey && !event.ctrlKey && !event.shiftKey) this.close();
    });
  }

  private pressed(event: KeyboardEvent): void {
    event.stopPropagation(); // the site's own shortcuts must not hear what is typed here
    if (event.isComposing) return;
    const inField = event.composedPath()[0] === this.frame.input;
    const isOpener = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;
    const isBackspace = inField && event.key === "Backspace" && !this.everywhere && this.frame.input.selectionEnd === 0;
    if (event.key === "Escape" || isOpener) this.close();
    else if (isBackspace) this.rescope();
    else if (event.key === "Tab") this.tab(inField, event.shiftKey);
    else if (inField && event.key === "ArrowDown") this.list.step(1);
    else if (inField && event.key === "ArrowUp") this.list.step(-1);
    else if (inField && event.key === "Enter" && (event.metaKey || event.ctrlKey) && finderHere()) this.askOnPage(this.frame.input.value);
    else if (inField && event.key === "Enter") void this.enter(event.metaKey || event.ctrlKey);
    else return;
    event.preventDefault();
  }

  /** The chip before the field says where is looked. */
  private look(everywhere: boolean): void {
    const here = finderHere()?.here() ?? "";
    this.everywhere = everywhere;
    this.frame.scope.hidden = !here;
    this.frame.scope.textContent = everywhere ? "everything" : `in ${here}`;
    this.frame.scope.classList.toggle("wide", everywhere);
    this.frame.scope.setAttribute("aria-label", everywhere ? `Looking everywhere. Look in ${here} alone` : `Looking in ${here}. Look everywhere (Backspace)`);
  }

  private rescope(): void {
    this.look(!this.everywhere);
    this.tell(this.everywhere ? "Looking everywhere" : `Looking in ${finderHere()?.here()}`);
    this.frame.input.focus();
    this.typed();
  }

  /** Takes a suggestion; otherwise the focus goes round inside the dialog. */
  private tab(inField: boolean, isBack: boolean): void {
    const { input } = this.frame;
    const taken = (this.list.current ?? this.list.rows[0])?.taken;
    if (inField && !isBack && taken && input.value !== taken) {
      input.value = taken;
      this.typed();
      return;
    }
    this.frame.moveFocus(isBack ? -1 : 1);
  }

  private async enter(elsewhere: boolean): Promise<void> {
    const query = this.frame.input.value.trim();
    const row = this.list.current;
    if (row && (this.list.isChosen || query === this.shownFor)) {
      row.open(elsewhere);
      return;
    }
    if (!query) return;
    if (finderHere() && isQuestion(query)) {
      this.askOnPage(query);
      return;
    }
    await this.greeting;
    if (this.model !== null && this.model !== "none") this.ask(query);
    else if (query === this.shownFor) this.noteMiss();
    else {
      clearTimeout(this.timer);
      await this.search(query);
      if (this.shownFor === query) this.list.rows.find((found) => !found.taken)?.open(elsewhere);
    }
  }

  private askOnPage(query: string): void {
    const asked = query.trim().replace(/^\?\s*/, "");
    if (!asked) return;
    this.close();
    finderHere()?.ask(asked, this.everywhere);
  }

  private async greet(): Promise<void> {
    try {
      const answer = await this.server.suggestions(new AbortController().signal);
      this.model = answer.model;
      this.suggestions = answer.suggestions;
    } catch (trouble) {
      this.note(sentenceOf(trouble), true);
      return;
    }
    if (this.shownFor) this.showResults(this.shownFor, this.results); // typed faster than greeted
    else if (!this.frame.input.value.trim()) this.showSuggestions();
    if (this.model === "none" && firstTime(NO_MODEL)) this.note(NO_MODEL);
  }

  private typed(): void {
    clearTimeout(this.timer);
    this.searching.abort();
    const query = this.frame.input.value;
    if (query.trim()) this.timer = window.setTimeout(() => void this.search(query), PAUSE);
    else this.showSuggestions();
  }

  private async search(query: string): Promise<void> {
    this.searching.abort();
    const searching = (this.searching = new AbortController());
    const slow = window.setTimeout(() => this.wait(), SLOW);
    searching.signal.addEventListener("abort", () => clearTimeout(slow));
    try {
      const finder = finderHere();
      const isCommand = finder !== null && query.trim().startsWith(">");
      const [results, found] = await Promise.all([
        isCommand || (finder && this.everywhere) ? [] : this.server.search(query, true, searching.signal),
        finder ? finder.find(query.trim(), this.everywhere, searching.signal) : [],
      ]);
      if (searching.signal.aborted) return; // a late reply is dropped
      this.found = found;
      this.showResults(query.trim(), results);
    } catch (trouble) {
      if (!searching.signal.aborted) this.note(sentenceOf(trouble), true);
    } finally {
      clearTimeout(slow);
    }
  }

  private wait(): void {
    this.note(SEARCHING);
    this.tell(SEARCHING);
  }

  private waitNoMore(): void {
    if (this.frame.note.textContent === SEARCHING) this.note("");
  }

  private ask(query: string): void {
    this.searching.abort();
    clearTimeout(this.timer);
    this.shownFor = "";
    this.list.show([], -1);
    this.note("");
    this.frame.input.value = "";
    this.frame.input.focus();
    this.talk.ask(query);
  }

  private fallBack(query: string, results: Result[], warning: string): void {
    this.frame.input.value = query;
    this.showResults(query, results);
    if (warning && firstTime(warning)) this.note(warning);
  }

  private conversationChanged(): void {
    this.frame.stop.hidden = !this.talk.isRunning;
    this.frame.clear.hidden = this.talk.isEmpty;
    this.frame.input.placeholder = this.talk.isEmpty ? "Find or ask…" : "Ask a follow-up…";
    if (this.isOpen && !this.talk.isRunning && !this.frame.holdsFocus()) this.frame.input.focus();
  }

  private startAnew(): void {
    this.talk.clear();
    this.frame.input.value = "";
    this.frame.input.focus();
    this.showSuggestions();
  }

  private showSuggestions(): void {
    this.shownFor = "";
    this.waitNoMore();
    this.list.show(this.talk.isEmpty ? this.suggestions.map((text) => this.suggestionRow(text)) : [], -1);
    this.tell(this.list.rows.length ? `${this.list.rows.length} suggestions` : "");
  }

  private suggestionRow(text: string): Row {
    const open = () => {
      this.frame.input.value = text;
      if (this.model === "none") this.typed();
      else this.ask(text);
    };
    return { node: build("li", "question", text), open, taken: text };
  }

  private showResults(query: string, results: Result[]): void {
    const finder = finderHere();
    const sections: Row[] = results.map((result) => ({
      node: resultNode(result),
      open: (elsewhere) => this.visit(result.url, elsewhere),
      ...(finder && { group: "Sections" }),
    }));
    const others = this.found.map((found): Row => {
      const open = () => {
        this.close();
        found.open();
      };
      const name = build("div", "name", found.label);
      return { node: build("li", "", name, build("div", "snippet", found.hint)), open, group: found.group };
    });
    const isName = (row: Row) => row.group === "Notes" || row.group === "Skills";
    const rows = [...others.filter(isName), ...sections, ...others.filter((row) => !isName(row))];
    const begun = query.toLowerCase();
    const fitting = this.suggestions.filter((text) => text.toLowerCase().startsWith(begun) && text !== query);
    rows.push(...fitting.map((text) => this.suggestionRow(text)));
    if (finder) {
      const node = build("li", "question", build("span", "verb", "Ask"), " ", query);
      const row = { node, open: () => this.askOnPage(query), group: "Ask" };
      if (isQuestion(query)) rows.unshift(row);
      else if (!query.startsWith(">")) rows.push(row);
    } else if (this.model !== null && this.model !== "none") {
      const node = build("li", "question", build("span", "verb", "Ask"), " ", query);
      rows.unshift({ node, open: () => this.ask(query) });
    }
    this.shownFor = query;
    this.results = results;
    this.list.show(rows, 0);
    this.frame.body.scrollTop = 0;
    const count = results.length + others.length;
    this.note(count ? "" : NOTHING);
    this.tell(count === 1 ? "1 result" : `${count} results`);
    if (results.length) this.missed.add(query);
  }

  /** A question that was given up without any result is worth writing about. */
  private noteMiss(): void {
    const query = this.shownFor;
    if (!query || this.missed.has(query)) return;
    this.missed.add(query);
    this.server.search(query, false).catch(() => undefined);
  }

  private visit(url: string, elsewhere: boolean): void {
    const address = linkTo(url, this.place);
    if (address === null) return;
    const [finder, to] = [finderHere(), new URL(address)];
    if (finder && !elsewhere && to.origin === location.origin && /^\/docs(?:\/|$)/.test(to.pathname)) {
      this.close();
      finder.page(to);
    } else if (elsewhere) window.open(address, "_blank", "noopener");
    else {
      this.close();
      location.assign(address);
    }
  }

  private async copy(text: string, button: HTMLElement): Promise<void> {
    const label = button.textContent;
    const isCopied = await copyInside(this.frame.dialog, text);
    button.textContent = isCopied ? "Copied" : "Not copied";
    this.tell(button.textContent);
    window.setTimeout(() => (button.textContent = label === "Copied" ? "Copy" : label), 2000);
  }

  private note(text: string, isFault = false): void {
    this.frame.note.textContent = text;
    this.frame.note.hidden = !text;
    this.frame.note.classList.toggle("fault", isFault);
  }

  /** For those who listen rather than look. */
  private tell(text: string): void {
    this.frame.status.textContent = text;
  }
}

const said = new Set<string>();

/** Whether this is said for the first time in this visit; storage may be withheld. */
function firstTime(sentence: string): boolean {
  if (said.has(sentence)) return false;
  said.add(sentence);
  try {
    const before = sessionStorage.getItem(SAID) ?? "";
    if (before.split("\n").includes(sentence)) return false;
    sessionStorage.setItem(SAID, `${before}${sentence}\n`);
  } catch {
    // Then it is said once a page.
  }
  return true;
}
