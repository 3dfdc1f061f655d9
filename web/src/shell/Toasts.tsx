// What was done, said once for every place, with the way back. Nothing here outlives the page: the server knows.

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { ApiError } from "../api";
import "../styles/frame/toasts.css";

export type Undo = () => Promise<unknown>;

interface Toast {
  id: number;
  text: string;
  undo?: Undo;
  failed: boolean;
}

const LASTS_MS = 8_000;
const MOST = 3;
let toasts: Toast[] = [];
let last: Undo | undefined;
let count = 0;
const listeners = new Set<() => void>();

function show(next: Toast[]): void {
  toasts = next.slice(-MOST);
  for (const listener of listeners) listener();
}

/** Says what was done. `undo` takes it back; it is offered in the toast, and to `undoLast` after that is gone. */
export function say(text: string, undo?: Undo): void {
  last = undo ?? last;
  show([...toasts, { id: ++count, text, undo, failed: false }]);
}

function complain(failure: unknown): void {
  const text = failure instanceof ApiError ? failure.message : "That did not work.";
  show([...toasts, { id: ++count, text, failed: true }]);
}

const drop = (id: number) => show(toasts.filter((toast) => toast.id !== id));

async function takeBack(undo: Undo): Promise<void> {
  if (undo === last) last = undefined;
  show(toasts.filter((toast) => toast.undo !== undo));
  try {
    await undo();
  } catch (failure) {
    complain(failure);
  }
}

/** For the key of a place; says so where there is nothing to take back. */
export async function undoLast(): Promise<void> {
  if (last) await takeBack(last);
  else say("There is nothing to undo here. The history has more.");
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stands last on the page, so that the tab key reaches it from wherever somebody is. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section className="toasts" aria-label="What was done">
      <ul aria-live="polite">
        {shown.map((toast) => (
          <ToastRow key={toast.id} toast={toast} />
        ))}
      </ul>
    </section>
  );
}

/** Whoever pressed what goes away stays on the page, not before its beginning. */
function act(press: () => unknown): void {
  document.getElementById("main")?.focus({ preventScroll: true });
  press();
}

/** Stays while somebody points at it or is inside. */
function ToastRow({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (held) return;
    const timer = window.setTimeout(() => drop(toast.id), LASTS_MS);
    return () => window.clearTimeout(timer);
  }, [held, toast.id]);
  const leave = () => setHeld(row.current?.contains(document.activeElement) ?? false);
  return (
    <li
      ref={row}
      className={toast.failed ? "toast failed" : "toast"}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={leave}
      onFocus={() => setHeld(true)}
      onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || setHeld(false)}
    >
      <span>{toast.text}</span>
      {toast.undo ? (
        <button type="button" className="link" onClick={() => act(() => takeBack(toast.undo!))}>
          Undo
        </button>
      ) : null}
      <button type="button" className="quiet" aria-label="Put this notice away" onClick={() => act(() => drop(toast.id))}>
        ×
      </button>
    </li>
  );
}
