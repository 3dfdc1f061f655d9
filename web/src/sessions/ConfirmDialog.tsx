import { type ReactNode, useEffect, useRef, useState } from "react";
import { ApiError } from "../api";
import { ErrorNote } from "../shell/ErrorNote";

interface Props {
  title: string;
  children: ReactNode;
  keep: string;
  confirm: string;
  /** What a yes does. Its refusal is shown here, and the dialog stays. */
  act: () => Promise<unknown>;
  close: () => void;
  /** Where to go on reading after a yes, as the button that asked may be gone. */
  after: string;
}

export function ConfirmDialog({ title, children, keep, confirm, act, close, after }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const go = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await act();
      dialog.current?.close();
      document.getElementById(after)?.focus();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError("That did not work.", "page_fault", 0));
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="confirm-title">
      <h2 id="confirm-title">{title}</h2>
      <p>{children}</p>
      {error ? <ErrorNote error={error} /> : null}
      <div className="dialog-buttons">
        <button type="button" onClick={() => dialog.current?.close()} autoFocus>
          {keep}
        </button>
        <button type="button" className="danger" aria-disabled={busy} onClick={go}>
          {confirm}
        </button>
      </div>
    </dialog>
  );
}

export function DeleteDialog({ name, act, close }: { name: string; act: () => Promise<unknown>; close: () => void }) {
  return (
    <ConfirmDialog title={`Delete ${name}?`} keep="Keep it" confirm="Delete" act={act} close={close} after="main">
      Its log and its result are gone for good. A session that runs must be stopped first.
    </ConfirmDialog>
  );
}
