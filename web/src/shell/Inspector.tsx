import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";

const SLOT = "inspector";
const WIDTH_KEY = "loreweave.inspector";
const [LEAST, USUAL, MOST] = [300, 420, 900];

interface Props {
  /** Said by screen readers and shown on top; what kind of thing stands above it. */
  title: string;
  kind?: ReactNode;
  /** Changes with what is selected: the focus follows it only where a keyboard chose. */
  close: () => void;
  /** Stays whatever is selected: Escape leaves it. */
  stays?: boolean;
  children: ReactNode;
}

// How many stand open of those that show what is selected: a pinned one waits until there is none.
let selected = 0;
const listeners = new Set<() => void>();

function count(by: 1 | -1): void {
  selected += by;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the place shows something that is selected in it. */
export const useSelection = () => useSyncExternalStore(subscribe, () => selected > 0);

/** The room at the side for whatever is selected. It is not modal: the place goes on working beside it. */
export function Inspector({ title, kind, close, stays = false, children }: Props) {
  const [width, setWidth] = useState(keptWidth);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const box = useRef<HTMLElement>(null);
  useEffect(() => setSlot(document.getElementById(SLOT)), []);
  useLayoutEffect(() => {
    if (stays) return;
    count(1);
    return () => count(-1);
  }, [stays]);
  const latestClose = useRef(close);
  latestClose.current = close;
  // Before anybody sees it, so that no key is lost.
  useLayoutEffect(() => {
    if (!slot || stays) return;
    const cameFrom = document.activeElement as HTMLElement | null;
    // Whoever opened it with a key goes on reading here; a click leaves the focus where it is.
    if (cameFrom?.matches(":focus-visible") && cameFrom !== document.body) box.current?.focus({ preventScroll: true });
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const inside = box.current?.contains(document.activeElement);
      latestClose.current();
      if (inside && cameFrom?.isConnected) cameFrom.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [slot, stays]);
  const resize = (wanted: number) => {
    const next = Math.min(MOST, Math.max(LEAST, Math.min(wanted, window.innerWidth - 320)));
    setWidth(next);
    keepWidth(next);
  };
  if (!slot) return null;
  return createPortal(
    <aside ref={box} className="inspector" aria-labelledby="inspector-title" style={{ "--inspector": `${width}px` } as CSSProperties} tabIndex={-1}>
      <Divider width={width} resize={resize} />
      <header>
        <div>
          {kind ? <p className="kind">{kind}</p> : null}
          <h2 id="inspector-title">{title}</h2>
        </div>
        <button type="button" className="close" aria-label="Close" onClick={close}>
          ×
        </button>
      </header>
      <div className="inspector-body">{children}</div>
    </aside>,
    slot,
  );
}

function Divider({ width, resize }: { width: number; resize: (width: number) => void }) {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons & 1) resize(window.innerWidth - event.clientX);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: 24, ArrowRight: -24 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(width + step);
  };
  return (
    <div
      className="divider"
      role="separator"
      aria-label="Width of the inspector"
      aria-orientation="vertical"
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={width}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}

function keptWidth(): number {
  try {
    const width = Number(localStorage.getItem(WIDTH_KEY));
    return width >= LEAST && width <= MOST ? width : USUAL;
  } catch {
    return USUAL;
  }
}

function keepWidth(width: number): void {
  try {
    localStorage.setItem(WIDTH_KEY, String(width));
  } catch {
    // Then it lasts as long as the page.
  }
}
