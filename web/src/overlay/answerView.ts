import type { AskServer, Listener, Result, Source, Turn } from "./askServer";
import { build } from "./build";
import { renderMarkdown } from "./inertMarkdown";

/** One question and its answer as it arrives. */
export class AnswerView implements Listener {
  readonly node: HTMLElement;
  text = "";
  private readonly steps = build("ul", "steps");
  private readonly shown = build("div", "text busy");
  private readonly chips = build("ul", "chips");
  private readonly end = build("div", "");
  private readonly allowed = new Set<string>();
  private drawing = false;

  constructor(
    private readonly server: AskServer,
    private readonly query: string,
    private readonly fallBack: (results: Result[], warning: string) => void,
  ) {
    this.node = build("section", "", build("p", "asked", query), this.steps, this.chips, this.shown, this.end);
    this.shown.setAttribute("aria-live", "polite");
    this.chips.setAttribute("aria-label", "Sources");
  }

  get turn(): Turn {
    return { query: this.query, answer: this.text };
  }

  search(query: string): void {
    this.steps.append(build("li", "", query));
  }

  sources(sources: Source[]): void {
    for (const source of sources) {
      this.allowed.add(source.url);
      const link = build("a", "", source.heading ?? source.title ?? source.url);
      link.setAttribute("href", source.url);
      this.chips.append(build("li", "", link));
    }
  }

  token(text: string): void {
    this.text += text;
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      this.draw();
    });
  }

  done(end: { answerId?: string; unverified?: string[]; truncated?: boolean }): void {
    this.finish();
    if (end.truncated) this.end.append(build("p", "unverified", "The answer was cut off at its length limit."));
    if (end.unverified?.length) {
      const list = end.unverified.flatMap((text, number) => [number ? ", " : "", build("code", "", text)]);
      this.end.append(build("p", "unverified", "Not found in the sources: ", ...list));
    }
    this.end.append(this.actions(end.answerId));
  }

  error(message: string): void {
    this.finish();
    this.end.append(build("p", "note fault", message));
  }

  keyword(results: Result[], warning: string): void {
    this.finish();
    this.node.remove();
    this.fallBack(results, warning);
  }

  stopped(): void {
    this.finish();
    this.end.append(build("p", "note", "Stopped."));
  }

  private finish(): void {
    this.shown.classList.remove("busy");
    this.draw();
  }

  private draw(): void {
    this.shown.replaceChildren(renderMarkdown(this.text, (url) => this.allowed.has(url)));
  }

  private actions(answerId: string | undefined): HTMLElement {
    const copy = build("button", "", "Copy");
    copy.addEventListener("click", () => {
      void navigator.clipboard?.writeText(this.text).then(() => (copy.textContent = "Copied"));
    });
    const row = build("div", "actions", copy);
    if (!answerId) return row;
    const thumbs = [true, false].map((helpful) => {
      const thumb = build("button", "", helpful ? "Helpful" : "Not helpful");
      thumb.setAttribute("aria-pressed", "false");
      thumb.addEventListener("click", () => {
        for (const other of thumbs) other.setAttribute("aria-pressed", String(other === thumb));
        void this.server.feedback(answerId, helpful).catch(() => undefined);
      });
      return thumb;
    });
    row.append(...thumbs);
    return row;
  }
}
