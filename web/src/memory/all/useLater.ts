import { useEffect, useState } from "react";

const PAUSE_MS = 250;

/** A text once nobody has typed for a moment: every question counts as reading what it finds. */
export function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setLater(text), text ? PAUSE_MS : 0);
    return () => window.clearTimeout(timer);
  }, [text]);
  return text ? later : "";
}
