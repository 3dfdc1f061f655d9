import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { ApiError } from "../../api";
import { ErrorNote } from "../../shell/ErrorNote";
import { dismissTask, forgetMemories, restoreMemory } from "../changing";
import { say } from "../../shell/Toasts";
import type { Memory, Task } from "../memoryApi";
import { useServerTime } from "../memoryNews";
import { readable, timeLeft } from "../past/changeWords";
import { MergeForm } from "./MergeForm";
import { letterOf, SideBySide } from "./SideBySide";

/** What the keys do to the open card. */
export interface CardActs {
  accept: () => void;
  keep: () => void;
}

interface Props {
  task: Task;
  memories: Map<string, Memory>;
  isCurrent: boolean;
  choose: () => void;
  later: () => void;
  done: () => void;
  edit: (nodeId: string) => void;
  open: (nodeId: string) => void;
  acts: RefObject<CardActs | null> | null;
}

const KINDS: Record<Task["task_type"], [title: string, keep: string, kept: string]> = {
  potential_merge: ["These say nearly the same", "Keep both", "Kept both"],
  contradiction: ["These contradict one another", "Keep both", "Kept both"],
  stale: ["Is this still worth keeping?", "Keep it", "Kept"],
  expiring_soon: ["This is about to be gone for good", "Let it go", "Let go"],
};

/** How a reason ends that asks for one of several values: to keep one of them comes before keeping all in one text. */
const WHICH = "which is true?";

export function TaskCard(props: Props) {
  const { task, memories, isCurrent, choose, later, done, edit, open, acts } = props;
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const card = useRef<HTMLElement>(null);
  const now = useServerTime();
  const asksWhich = task.reason.endsWith(WHICH);
  const [said, keepWords, kept] = KINDS[task.task_type];
  const kind = asksWhich ? "Which of these is true?" : said;
  const shown = task.target_nodes.flatMap((id) => memories.get(id) ?? []);
  const isMerge = task.suggested_tool === "merge_concepts";
  const isTwin = task.target_nodes.length > 1;
  const title = task.target_nodes.length > 2 ? `${kind} (${task.target_nodes.length})` : kind;
  const keepName = task.target_nodes.length > 2 ? "Keep all" : keepWords;

  const act = async (work: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await work();
      done();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError("That did not work.", "page_fault", 0));
    }
    setBusy(false);
  };
  const keep = () => act(() => dismissTask(task, kept));
  const suggested = memories.get(String(task.suggested_arguments["node_id"] ?? ""));
  const letter = suggested ? letterOf(shown.indexOf(suggested)) : "";
  const accept = () => {
    if (asksWhich) {
      // Nobody but the reader knows: a key that decided it, either way, could be wrong.
      card.current?.querySelector<HTMLElement>(".memory-columns .row button")?.focus();
      say("Only one of these can be true: keep that one.");
    } else if (isMerge) {
      const form = card.current?.querySelector("form");
      const button = form?.querySelector<HTMLElement>("[type=submit]");
      if (button) button.click();
      else form?.querySelector<HTMLInputElement>(".memory-why:placeholder-shown")?.focus();
    } else if (suggested && task.suggested_tool === "restore_concept") void act(() => restoreMemory(suggested));
    else if (suggested) void act(() => forgetMemories([suggested], String(task.suggested_arguments["reason"] ?? "")));
  };
  useLayoutEffect(() => {
    if (acts) acts.current = { accept, keep };
  });

  const label = `${title}: ${shown.map(({ name }) => name).join(", ")}`;
  return (
    <li>
      <article ref={card} className={asksWhich ? "memory-card which" : "memory-card"} aria-label={label} aria-current={isCurrent ? "true" : undefined} tabIndex={-1}>
        <header>
          <h2>{title}</h2>
          <p className="soft">
            {task.task_type === "contradiction" && suggested ? `${letter} is the less important` : readable(task.reason, memories)}
            {shown[0]?.recoverable_until ? ` · ${timeLeft(shown[0].recoverable_until, now)}` : ""}
            {task.scope !== "default" ? ` · ${task.scope}` : ""}
          </p>
        </header>
        <SideBySide
          memories={shown}
          edit={shown[0]?.state === "live" ? edit : undefined}
          open={open}
          keepOnly={isTwin ? (memory) => void act(() => forgetMemories(shown.filter((other) => other !== memory), `“${memory.name}” is kept instead`)) : undefined}
        />
        {isMerge && isCurrent && shown.length === task.target_nodes.length ? (
          <MergeForm sources={shown} suggested={asksWhich ? { ...task.suggested_arguments, rationale: "" } : task.suggested_arguments} task={task} done={done}>
            <Leave keep={keep} later={later} keepName={keepName} busy={busy} />
          </MergeForm>
        ) : (
          <div className="memory-acts">
            {isMerge ? (
              <button type="button" onClick={choose}>
                See what a merge makes
              </button>
            ) : (
              <button type="button" className="primary" title={suggested?.name} disabled={!suggested} aria-disabled={busy} aria-keyshortcuts="m" onClick={accept}>
                {task.suggested_tool === "restore_concept" ? "Restore" : isTwin ? `Forget ${letter}` : "Forget"}
              </button>
            )}
            <Leave keep={keep} later={later} keepName={keepName} busy={busy} />
          </div>
        )}
        {error ? <ErrorNote error={error} /> : null}
      </article>
    </li>
  );
}

function Leave({ keep, later, keepName, busy }: { keep: () => void; later: () => void; keepName: string; busy: boolean }) {
  return (
    <>
      <button type="button" aria-disabled={busy} aria-keyshortcuts="k" onClick={keep}>
        {keepName}
      </button>
      <button type="button" className="quiet" aria-keyshortcuts="n" onClick={later}>
        Not now
      </button>
    </>
  );
}
