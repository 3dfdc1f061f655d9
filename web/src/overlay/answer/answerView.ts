import { comparable } from "../addresses";
import type { End, Listener, Result, Source } from "../askServer";
import { build } from "../build";
import { drawPieces, markDoubts } from "./drawPieces";
import { readMarkdown } from "./inertMarkdown";

const NOT_FOUND = "Not found in the sources";
const MOST_DOUBTS = 50;

/** What an answer asks of the dialog around it. */
export interface AnswerHost {
  link(url: string): string | null;
  copy(text: string, button: HTMLElement): void;
  rate(answerId: string, helpful: boolean): Promise<void>;
  again(query: string): void;
  followUp(): void;
  fallBack(query: string, results: Result[], warning: string): void;
  say(text: string): void;
}

/** One question and its answer as it arrives. */
export class AnswerView implements Listener {
  readonly node: HTMLElement;
  text = "";
  isWhole = false;
  private readonly steps = build("ul", "steps");
  private readonly shown = build("div", "text busy");
  private readonly chips = build("ul", "chips");
  private readonly end = build("div", "end");
  private readonly allowed = new Map<string, string>();
  private timer = 0;
  private isOver = false;

  constructor(
    readonly query: string,
    private readonly host: AnswerHost,
  ) {
    this.node = build("section", "turn", build("h2", "asked", query), this.steps, this.chips, this.shown, this.end);
    this.shown.setAttribute("aria-live", "polite");
    this.shown.setAttribute("aria-busy", "true"); // read out once it is whole, not piece by piece
    this.steps.setAttribute("aria-label", "Searched for");
    this.chips.setAttribute("aria-label", "Sources");
  }

  search(query: string): void {
    if (!this.isOver) this.steps.append(build("li", "", query));
  }

  sources(sources: Source[]): void {
    if (this.isOver) return;
    for (const source of sources) {
      const address = this.host.link(source.url);
      if (address === null) continue;
      this.allowed.set(comparable(source.url), address);
      // Many notes have a "When to use": a section is told by its page.
      const named = new Set([source.title, source.heading].filter(Boolean));
      const link = build("a", "", [...named].join(" › ") || source.url);
      link.setAttribute("href", address);
      this.chips.append(build("li", "", link));
    }
  }

  token(text: string): void {
    if (this.isOver) return;
    this.text += text;
    if (!this.timer) this.timer = window.setTimeout(() => this.draw(), 0);
  }

  done(end: End): void {
    if (this.isOver) return;
    this.finish();
    this.isWhole = true;
    const doubts = end.unverified ?? [];
    markDoubts(this.shown, doubts.slice(0, MOST_DOUBTS), NOT_FOUND);
    if (end.truncated) this.end.append(build("p", "unverified", "The answer was cut off at its length limit."));
    if (doubts.length) {
      const list = doubts.flatMap((text, number) => [number ? ", " : "", build("code", "", text)]);
      this.end.append(build("p", "unverified", `${NOT_FOUND}: `, ...list));
    }
    this.end.append(this.actions(end.answerId));
    this.host.say("The answer is complete.");
  }

  error(message: string): void {
    if (this.isOver) return;
    this.finish();
    const again = button("Try again", () => this.host.again(this.query));
    const fault = build("p", "note fault", message);
    fault.setAttribute("role", "alert");
    this.end.append(fault, build("div", "actions", again));
  }

  keyword(results: Result[], warning: string): void {
    if (this.isOver) return;
    this.finish();
    this.node.remove();
    this.host.fallBack(this.query, results, warning);
  }

  stopped(): void {
    if (this.isOver) return;
    this.finish();
    const again = button("Ask again", () => this.host.again(this.query));
    this.end.append(build("p", "note", "Stopped."), build("div", "actions", again));
  }

  /** After this nothing that still arrives is shown. */
  private finish(): void {
    this.isOver = true;
    this.draw();
    this.shown.classList.remove("busy");
    this.shown.setAttribute("aria-busy", "false");
  }

  /** Draws all there is; the longer that took, the longer until the next time. */
  private draw(): void {
    clearTimeout(this.timer);
    const before = performance.now();
    const drawn = this.text;
    const pieces = readMarkdown(drawn, (url) => this.allowed.get(comparable(url)) ?? null);
    this.shown.replaceChildren(drawPieces(pieces, (text, from) => this.host.copy(text, from)));
    if (this.isOver) return;
    const pause = Math.max(30, 4 * (performance.now() - before));
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      if (this.text !== drawn) this.draw();
    }, pause);
  }

  private actions(answerId: string | undefined): HTMLElement {
    const copy: HTMLElement = button("Copy", () => this.host.copy(this.text, copy));
    copy.setAttribute("aria-label", "Copy answer");
    const row = build("div", "actions", copy);
    if (answerId) row.append(...this.thumbs(answerId, row));
    row.append(button("Ask a follow-up", () => this.host.followUp()));
    return row;
  }

  private thumbs(answerId: string, row: HTMLElement): HTMLElement[] {
    const press = (pressed: HTMLElement | null) => {
      for (const thumb of thumbs) thumb.setAttribute("aria-pressed", String(thumb === pressed));
    };
    const rate = (thumb: HTMLElement, helpful: boolean) => {
      press(thumb);
      this.host.rate(answerId, helpful).then(
        () => this.host.say("Thank you."),
        () => {
          press(null);
          row.append(build("span", "fault", "That was not kept."));
        },
      );
    };
    const thumbs: HTMLElement[] = [true, false].map((helpful) => {
      const thumb: HTMLElement = button(helpful ? "Helpful" : "Not helpful", () => rate(thumb, helpful));
      thumb.setAttribute("aria-pressed", "false");
      return thumb;
    });
    return thumbs;
  }
}

function button(label: string, press: () => void): HTMLElement {
  const made = build("button", "", label);
  made.addEventListener("click", press);
  return made;
}
