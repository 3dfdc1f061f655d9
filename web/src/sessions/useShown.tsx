import { type ReactNode, useEffect, useState } from "react";

const BREATH_MS = 20;

/**
 * How many of a long list are drawn: the first of them, and more when asked. What is drawn never moves, and
 * all of a very long list come batch by batch, so that the page stays awake meanwhile.
 */
export function useShown(total: number, step: number, things: string): [number, ReactNode] {
  const [wanted, setWanted] = useState(step);
  const [wantsAll, setWantsAll] = useState(false);
  const shown = Math.min(wanted, total);
  const left = total - shown;
  useEffect(() => {
    if (!wantsAll || left === 0) return;
    const timer = window.setTimeout(() => setWanted(wanted + step), BREATH_MS);
    return () => window.clearTimeout(timer);
  }, [wantsAll, left === 0, wanted]);
  const more =
    left > 0 ? (
      <p className="show-more">
        <span className="soft">
          {shown.toLocaleString("en")} of {total.toLocaleString("en")} {things} shown.
        </span>{" "}
        <button type="button" onClick={() => setWanted(wanted + step)}>
          Show {Math.min(step, left).toLocaleString("en")} more
        </button>
        {left > step ? (
          <button type="button" aria-disabled={wantsAll} onClick={() => setWantsAll(true)}>
            Show all
          </button>
        ) : null}
      </p>
    ) : null;
  return [shown, more];
}
