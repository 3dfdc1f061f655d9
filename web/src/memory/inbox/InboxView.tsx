import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { EmptyWeave } from "../../library/Weave";
import { say, undoLast } from "../../shell/Toasts";
import { useQueryField } from "../../shell/useAddress";
import { listenForKeys } from "./keys";
import type { Task, ViewProps } from "../memoryApi";
import { useShown } from "../memoryNews";
import { type CardActs, TaskCard } from "./TaskCard";

/** Put off till the page is loaded again: these come last. */
const putOff = new Set<string>();

/** What needs a decision, one card a question; the first that is not put off is open. */
export function InboxView({ status, open }: ViewProps) {
  const [round, setRound] = useState(0);
  const [chosen, setChosen] = useQueryField("task");
  const [, setEditing] = useQueryField("edit");
  const tasks = ordered(status?.curation_tasks ?? []);
  const memories = useShown(tasks.flatMap(({ target_nodes }) => target_nodes));
  const current = tasks.find(({ task_id }) => task_id === chosen) ?? tasks[0];
  const acts = useRef<CardActs | null>(null);
  const list = useRef<HTMLOListElement>(null);

  /** Whoever has answered goes on reading at the next card, as soon as it is there. */
  const goesOn = useRef(false);
  const goOn = () => {
    goesOn.current = true;
    setChosen("");
  };
  useEffect(() => {
    if (!goesOn.current || !status) return;
    goesOn.current = false;
    const next = list.current?.querySelector<HTMLElement>("[aria-current]") ?? document.getElementById("main");
    next?.focus();
  }, [current?.task_id]);
  const later = (task: Task) => {
    putOff.delete(task.task_id);
    putOff.add(task.task_id);
    setRound(round + 1);
    goOn();
    if (tasks.length === 1) say("It waits here until you come back.");
  };
  const edit = (nodeId: string) => {
    open(nodeId);
    setEditing("1");
  };
  useLayoutEffect(
    () =>
      listenForKeys({
        m: () => acts.current?.accept(),
        k: () => acts.current?.keep(),
        n: () => current && later(current),
        e: () => current && edit(current.target_nodes[0]!),
        u: () => void undoLast(),
      }),
  );

  if (!status) return <Waiting />;
  if (tasks.length === 0) return <Empty live={status.counts.live} />;
  return (
    <div className="memory-inbox">
      <p className="soft memory-lead">
        {status.total_tasks === 1 ? "One question" : `${status.total_tasks.toLocaleString("en")} questions`}
        {status.total_tasks > tasks.length ? `, ${tasks.length} of them here; the others follow` : ""}. Nothing happens by itself, and every answer can be
        taken back.
      </p>
      <p className="memory-keys soft" aria-label="Keys">
        <kbd>m</kbd> does what is suggested <kbd>k</kbd> keeps all as it is <kbd>n</kbd> not now <kbd>e</kbd> edits <kbd>u</kbd> takes the last
        change back
      </p>
      <ol ref={list} className="memory-cards">
        {tasks.map((task) => (
          <TaskCard
            key={task.task_id}
            task={task}
            memories={memories}
            isCurrent={task === current}
            choose={() => setChosen(task === tasks[0] ? "" : task.task_id)}
            later={() => later(task)}
            done={goOn}
            edit={edit}
            open={open}
            acts={task === current ? acts : null}
          />
        ))}
      </ol>
    </div>
  );
}

const ordered = (tasks: Task[]): Task[] => {
  const place = [...putOff];
  return [...tasks].sort((one, two) => place.indexOf(one.task_id) - place.indexOf(two.task_id));
};

const Waiting = () => (
  <p className="memory-lead soft" role="status">
    Reading the inbox…
  </p>
);

function Empty({ live }: { live: number }) {
  const [, setOpened] = useQueryField("m");
  if (live > 0) {
    return (
      <div className="memory-empty">
        <EmptyWeave />
        <h2>Nothing needs a decision</h2>
        <p>
          {live === 1 ? "One memory is" : `${live.toLocaleString("en")} memories are`} kept. Texts that say the same, contradict one another, or were not
          read for long are asked about here.
        </p>
      </div>
    );
  }
  return (
    <div className="memory-empty">
      <EmptyWeave />
      <h2>Nothing is remembered yet</h2>
      <p>
        Memory keeps what you and your agents want to know again: decisions, preferences, facts that are in no document. Each is a short text, found by
        words and meaning. What is forgotten or merged can come back for thirty days.
      </p>
      <ul>
        <li>
          <button type="button" className="primary" onClick={() => setOpened("new", "push")}>
            Write the first memory
          </button>
        </li>
        <li>
          On a terminal: <code>lore memory add "Deploys go out on Tuesdays."</code>
        </li>
        <li>
          An agent: <code>lore connect</code> gives it the tools, and <code>store_memory</code> stores.
        </li>
      </ul>
    </div>
  );
}
