import { type FormEvent, type KeyboardEvent, useState } from "react";

interface Props {
  /** What people call the space that is asked. */
  called: string | null;
  isFollowUp: boolean;
  isBusy: boolean;
  ask: (query: string) => void;
}

const LONGEST = 20_000;

/** Where a question is written: Enter asks, Shift and Enter begins a line. */
export function Composer({ called, isFollowUp, isBusy, ask }: Props) {
  const [words, setWords] = useState("");
  const send = () => {
    const query = words.trim();
    if (!query || isBusy) return;
    setWords("");
    ask(query);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form className="composer" onSubmit={submit}>
      <label className="unseen" htmlFor="composer-words">
        {isFollowUp ? "Ask a follow-up" : "Your question"}
      </label>
      <textarea
        id="composer-words"
        rows={2}
        maxLength={LONGEST}
        value={words}
        placeholder={isFollowUp ? "Ask a follow-up…" : called ? `What do you need to know from ${called}?` : "What do you need to know?"}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={press}
      />
      <button type="submit" className="primary" disabled={!words.trim() || isBusy}>
        Ask
      </button>
    </form>
  );
}
