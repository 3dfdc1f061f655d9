import { useEffect, useRef, useState } from "react";

const BREATH_MS = 1_000;

/** Says news aloud, at most once a second: only the last of what came meanwhile. */
export function Announcer({ news, silent }: { news: string; silent: boolean }) {
  const [said, setSaid] = useState("");
  const latest = useRef(news);
  const timer = useRef<number | undefined>(undefined);
  latest.current = news;
  useEffect(() => {
    if (silent || news === "" || timer.current !== undefined) return;
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      setSaid(latest.current);
    }, BREATH_MS);
  }, [news, silent]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return (
    <p className="unseen" aria-live="polite">
      {said}
    </p>
  );
}
