import { AnswerView, type AnswerHost } from "./answerView";
import type { AskServer, Turn } from "../askServer";
import { build } from "../build";
import { sentenceOf } from "../sentence";

/** The questions asked so far and their answers; at most one is running. */
export class Conversation {
  readonly node = build("div", "answers");
  onChange: () => void = () => undefined;
  private running: { abort: AbortController; view: AnswerView } | null = null;
  private history: Turn[] = [];

  constructor(
    private readonly server: AskServer,
    private readonly host: AnswerHost,
  ) {}

  get isRunning(): boolean {
    return this.running !== null;
  }

  get isEmpty(): boolean {
    return !this.node.childElementCount;
  }

  ask(query: string): void {
    this.stop(); // a new question ends the running one
    const abort = new AbortController();
    const view = new AnswerView(query, this.host);
    this.running = { abort, view };
    this.node.append(view.node);
    this.host.say("Answering…");
    this.onChange();
    view.node.scrollIntoView({ block: "start" });
    void this.follow(view, abort.signal);
  }

  stop(): void {
    const running = this.running;
    this.running = null;
    running?.abort.abort();
    running?.view.stopped();
    if (running) this.onChange();
  }

  clear(): void {
    this.stop();
    this.history = [];
    this.node.replaceChildren();
    this.onChange();
  }

  private async follow(view: AnswerView, signal: AbortSignal): Promise<void> {
    try {
      await this.server.answer(view.query, this.history, signal, view);
    } catch (trouble) {
      if (!signal.aborted) view.error(sentenceOf(trouble));
    }
    if (this.running?.view !== view) return;
    if (view.isWhole) this.history.push({ query: view.query, answer: view.text });
    this.running = null;
    this.onChange();
  }
}
