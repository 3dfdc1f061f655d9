const WRITING = "input, textarea, select, [contenteditable], dialog";

/** Plain letters, unless somebody writes, holds another key, or answers a dialog. */
export function listenForKeys(acts: Record<string, () => void>): () => void {
  const hear = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(WRITING) || document.querySelector("dialog[open]")) return;
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}
