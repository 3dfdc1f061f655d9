import type { Mark } from "./words";

export const MARK_SHAPES: Record<Mark, string> = {
  idle: "",
  running: "M8 1.5a6.5 6.5 0 0 1 6.5 6.5",
  waiting: "M6.2 6.1c.2-1.1 1-1.7 1.9-1.7 1.1 0 1.9.7 1.9 1.7 0 1.4-1.9 1.5-1.9 3M8.1 11.4v.2",
  completed: "M4.8 8.3l2.2 2.2 4.2-4.6",
  partial: "M4.8 8h6.4",
  failed: "M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8",
  stopped: "M6 6h4v4H6z",
};

/** A shape for each status, so that colour is never alone in telling them apart. Words stand beside it. */
export function StatusMark({ mark }: { mark: Mark }) {
  return (
    <svg className={`status-mark ${mark}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <circle cx="8" cy="8" r="6.5" />
      <path d={MARK_SHAPES[mark]} />
    </svg>
  );
}
