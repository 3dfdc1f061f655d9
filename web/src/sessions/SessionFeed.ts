// Keeps one story up to date: reads the log by WebSocket, and after a break goes on behind the last event it has.

import { ApiError, socketProtocols } from "../api";
import { readGiven, readSession, socketAddress } from "./sessionApi";
import { emptyStory, tell } from "./sessionStory";
import type { Given, SessionEvent, SessionFacts } from "./sessionWire";

export type LinkState = "connecting" | "live" | "lost" | "deleted" | "refused";

const GATHER_MS = 60; // events that come close together are drawn together
const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5_000;
/** With these the session gets what no event tells: the spec, and where this server shows the page. */
const NEW_FACTS = new Set<SessionEvent["type"]>(["planning_started", "human_gate", "commit_created", "deploy_complete", "session_complete"]);

export class SessionFeed {
  readonly story = emptyStory();
  facts: SessionFacts | null = null;
  /** What a skill run was started with; it never changes. */
  given: Given | null = null;
  link: LinkState = "connecting";
  error: ApiError | null = null;
  private version = 0;
  private attempts = 0;
  private waiting: SessionEvent[] = [];
  private gathering: number | undefined;
  private retrying: number | undefined;
  private socket: WebSocket | null = null;
  private readonly abort = new AbortController();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly id: string) {}

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = () => this.version;

  open(): void {
    void this.connect();
  }

  close(): void {
    this.abort.abort();
    window.clearTimeout(this.gathering);
    window.clearTimeout(this.retrying);
    this.socket?.close();
    this.listeners.clear();
  }

  /** A refused WebSocket does not tell a page why; the session itself does. */
  private async connect(): Promise<void> {
    try {
      const facts = await readSession(this.id, this.abort.signal);
      if (facts.kind === "skill") this.given ??= await readGiven(this.id, this.abort.signal);
      this.facts = facts;
    } catch (failure) {
      if (!this.abort.signal.aborted) this.refused(failure);
      return;
    }
    if (!this.abort.signal.aborted) this.follow();
  }

  private refused(failure: unknown): void {
    const error = failure instanceof ApiError ? failure : new ApiError("The page could not read the answer.", "page_fault", 0);
    if (error.status === 404 && this.facts) this.change("deleted");
    else if ([400, 401, 403, 404].includes(error.status)) {
      this.error = error;
      this.change("refused");
    } else this.retry();
  }

  private follow(): void {
    const socket = new WebSocket(socketAddress(this.id, this.story.lastSeq), socketProtocols());
    this.socket = socket;
    socket.onopen = () => {
      this.attempts = 0;
      this.change("live");
    };
    socket.onmessage = (message) => this.receive(JSON.parse(message.data as string) as SessionEvent);
    socket.onclose = () => {
      if (this.abort.signal.aborted) return;
      this.drawGathered();
      this.retry();
    };
  }

  private receive(event: SessionEvent): void {
    this.waiting.push(event);
    this.gathering ??= window.setTimeout(() => this.drawGathered(), GATHER_MS);
  }

  private drawGathered(): void {
    window.clearTimeout(this.gathering);
    this.gathering = undefined;
    const came = this.waiting;
    this.waiting = [];
    const isNews = came.filter((event) => tell(this.story, event)).some((event) => event.seq > this.facts!.last_seq && NEW_FACTS.has(event.type));
    if (isNews) void this.readAgain();
    // A hole in the log would be a fault of the line: read again from where the story is whole.
    if (came.length > 0 && came[came.length - 1]!.seq > this.story.lastSeq) this.socket?.close();
    if (came.length > 0) this.announce();
  }

  private async readAgain(): Promise<void> {
    try {
      const facts = await readSession(this.id, this.abort.signal);
      this.facts = { ...facts, last_seq: this.facts?.last_seq ?? facts.last_seq }; // how far it had come when the page was opened
      this.announce();
    } catch {
      // The line tells when the server is gone; the next connection reads them anyway.
    }
  }

  private retry(): void {
    this.change("lost");
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.attempts++);
    window.clearTimeout(this.retrying);
    this.retrying = window.setTimeout(() => void this.connect(), wait);
  }

  private change(link: LinkState): void {
    if (this.link === link) return;
    this.link = link;
    this.announce();
  }

  private announce(): void {
    this.version++;
    for (const listener of this.listeners) listener();
  }
}
