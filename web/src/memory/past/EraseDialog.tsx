import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../../api";
import { ErrorNote } from "../../shell/ErrorNote";
import { eraseMemory } from "../changing";
import { type Memory, titleOf } from "../memoryApi";
import { useShown, useTold } from "../memoryNews";

interface Props {
  memory: Pick<Memory, "node_id" | "name">;
  close: () => void;
  after?: () => void;
}

/** No way leads back from here: the name must be typed, and what still holds the text is told first. */
export function EraseDialog({ memory, close, after }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const { value } = useTold<{ remaining_copies: string[] }>("show_memories", { node_ids: [memory.node_id], copies: true });
  const copies = value?.remaining_copies ?? [];
  const names = useShown(copies);
  useEffect(() => dialog.current?.showModal(), []);
  const isNamed = typed.trim() === memory.name.trim();
  const erase = async (event: FormEvent) => {
    event.preventDefault();
    if (!isNamed || busy) return;
    setBusy(true);
    setError(null);
    try {
      await eraseMemory(memory);
      dialog.current?.close();
      after?.();
      document.getElementById("main")?.focus();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError("That did not work.", "page_fault", 0));
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="erase-title" className="memory-erase">
      <form onSubmit={erase}>
        <h2 id="erase-title">Erase “{memory.name}” for good?</h2>
        <p>Its text, its name and its history go from every file of the server. Nothing brings them back.</p>
        {copies.length > 0 ? (
          <>
            <p>These still hold its text, and stay:</p>
            <ul className="memory-copies">
              {copies.map((id) => (
                <li key={id}>{titleOf(names.get(id)?.name ?? id.slice(0, 8))}</li>
              ))}
            </ul>
          </>
        ) : value ? (
          <p>No other memory holds its text.</p>
        ) : null}
        <label>
          Type its name to erase it
          <input autoFocus autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </label>
        {error ? <ErrorNote error={error} /> : null}
        <div className="dialog-buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            Keep it
          </button>
          <button type="submit" className="danger" disabled={!isNamed} aria-disabled={busy}>
            Erase
          </button>
        </div>
      </form>
    </dialog>
  );
}
