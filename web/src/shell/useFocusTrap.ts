import { type RefObject, useEffect, useRef } from "react";

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';

const isShown = (element: HTMLElement) => element.getClientRects().length > 0;

/** Keeps the tab order inside a dialog while it is open; Escape leaves it, and focus returns to where it came from. */
export function useFocusTrap(box: RefObject<HTMLElement | null>, leave: () => void): void {
  const latestLeave = useRef(leave);
  latestLeave.current = leave;
  useEffect(() => {
    const cameFrom = document.activeElement as HTMLElement | null;
    const element = box.current;
    if (!element) return;
    element.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        latestLeave.current();
      } else if (event.key === "Tab") {
        const stops = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isShown);
        const [first, last] = [stops[0], stops[stops.length - 1]];
        const at = document.activeElement;
        if (event.shiftKey && (at === first || at === element)) {
          event.preventDefault();
          last?.focus();
        } else if (!event.shiftKey && at === last) {
          event.preventDefault();
          first?.focus();
        }
      }
    };
    element.addEventListener("keydown", onKey);
    return () => {
      element.removeEventListener("keydown", onKey);
      if (cameFrom?.isConnected) cameFrom.focus();
    };
  }, [box]);
}
