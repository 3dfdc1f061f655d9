import { useState, useSyncExternalStore } from "react";
import { ApiError } from "../api";
import { ConfirmDialog } from "../sessions/ConfirmDialog";
import { PathLink } from "../shell/Link";
import { goTo } from "../shell/useAddress";
import { useFetched } from "../shell/useFetched";
import { deleteThread, listThreads } from "./threadApi";

const WIDE = window.matchMedia("(min-width: 901px)");

const useIsWide = () =>
  useSyncExternalStore(
    (changed) => {
      WIDE.addEventListener("change", changed);
      return () => WIDE.removeEventListener("change", changed);
    },
    () => WIDE.matches,
  );

interface Props {
  current: string | null;
  changed: number;
  /** What a space is called; said where the conversations are about more than one. */
  nameOf: (graphId: string) => string;
}

/** The conversations that are kept, newest first. */
export function ThreadNames({ current, changed, nameOf }: Props) {
  const [fetched, again] = useFetched(`threads ${current} ${changed}`, listThreads);
  const isWide = useIsWide();
  const threads = fetched.value ?? [];
  const areOfOne = new Set(threads.map(({ graphId }) => graphId)).size < 2;
  const [doomed, setDoomed] = useState<{ id: string; title: string } | null>(null);
  const remove = async (id: string) => {
    await deleteThread(id).catch((failure: unknown) => {
      if (!(failure instanceof ApiError && failure.status === 404)) throw failure; // else it is gone already
    });
    if (id === current) goTo("/ask");
    else again();
  };
  return (
    <nav className="thread-names" aria-label="Conversations">
      <PathLink to="/ask" className="button" aria-current={current === null ? "page" : undefined}>
        New question
      </PathLink>
      {threads.length > 0 ? (
        <details open={isWide}>
          <summary>Asked before</summary>
          <ul>
            {threads.map(({ id, title, graphId }) => (
              <li key={id}>
                <PathLink to={`/ask/${id}`} title={title} aria-current={id === current ? "page" : undefined}>
                  {title}
                  {areOfOne || !graphId ? null : <small className="soft">{nameOf(graphId)}</small>}
                </PathLink>
                <button type="button" className="quiet" aria-label={`Delete “${title}”`} onClick={() => setDoomed({ id, title })}>
                  ×
                </button>
              </li>
            ))}
          </ul>
        </details>
      ) : fetched.state === "ready" ? (
        <p className="soft none-yet">Your questions and their answers are kept here.</p>
      ) : null}
      {doomed ? (
        <ConfirmDialog title={`Delete “${doomed.title}”?`} keep="Keep it" confirm="Delete" act={() => remove(doomed.id)} close={() => setDoomed(null)} after="main">
          This conversation, its questions and answers, is gone for good.
        </ConfirmDialog>
      ) : null}
    </nav>
  );
}
