import { useEffect, useRef } from "react";

/** The key that commands, as it is called here. */
export const COMMAND = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl ";

const KEYS: [string, [string, string][]][] = [
  ["Everywhere", [[`${COMMAND}K or /`, "find or ask"], ["?", "these keys"], ["Escape", "close what is open at the side"], ["Tab", "the next control"]]],
  ["In the box", [["Enter", "open what is marked; a sentence is asked"], [`${COMMAND}Enter`, "ask"], [">", "actions"], ["?", "ask what follows"]]],
  ["On the map", [["arrows", "walk from note to note"], ["Enter", "open the note"], ["Shift + arrows", "move the map"], ["P", "pin the note, or let it go"], ["+  −  0", "zoom in, zoom out, show all of it"]]],
  ["In memory's inbox", [["m", "what is suggested"], ["k", "keep both"], ["n", "not now"], ["e", "edit the first"], ["u", "take back your last change"]]],
];

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.getAttribute("role") === "textbox");

/** `?` lists the keys. */
export function Keys() {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isField(event.composedPath()[0] ?? null)) return;
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      box.current?.showModal();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <dialog ref={box} className="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      {KEYS.map(([place, keys]) => (
        <section key={place}>
          <h3>{place}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <form method="dialog" className="dialog-buttons">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
