import { memo } from "react";
import { PermissionLine } from "../sessions/SaidText";
import { GoToCard } from "../sessions/run/NeedsYou";
import { StatusMark } from "../sessions/StatusMark";
import { between, type Mark } from "../sessions/words";
import { counted } from "../counted";
import { PathLink } from "../shell/Link";
import type { BuildTask } from "./buildStory";

const STANDINGS: Record<BuildTask["status"], [Mark, string]> = {
  pending: ["idle", "to come"],
  in_progress: ["running", "under way"],
  done: ["completed", "done"],
  failed: ["failed", "failed"],
};

const REASONS: Record<string, string> = { dependency: "given up", budget: "no tokens left", stopped: "stopped" };

export function standingOf(task: BuildTask, isWaiting: boolean): [Mark, string] {
  if (isWaiting && task.status !== "failed") return ["waiting", "waits for you"];
  const [mark, word] = STANDINGS[task.status];
  if (task.isReplaced) return ["partial", task.status === "done" ? "done over" : "tried again"];
  if (task.reason === "stopped") return ["stopped", "stopped"];
  return [mark, (task.status === "failed" && task.reason && REASONS[task.reason]) || word];
}

/** What a task, or a gate behind it, asks a person. */
export interface Asking {
  id: string;
  text: string;
}

/** The plan, task by task, in its order; what waits for a person with what it asks. */
export function TaskRows({ tasks, asking, open }: { tasks: BuildTask[]; asking: Map<string, Asking[]>; open: (task: string) => void }) {
  const names = new Map(tasks.map((task) => [task.id, task.name]));
  return (
    <ol className="tasks" aria-label="Tasks">
      {tasks.map((task) => (
        <TaskRow
          key={task.id}
          task={task}
          version={task.version}
          asks={asking.get(task.id) ?? NOTHING}
          open={open}
          after={task.dependencies.map((id) => names.get(id) ?? id).join(", ")}
        />
      ))}
    </ol>
  );
}

const NOTHING: Asking[] = [];

interface RowProps {
  task: BuildTask;
  /** What memo looks at: the task itself may be the same value. */
  version: number;
  asks: Asking[];
  after: string;
  open: (task: string) => void;
}

const TaskRow = memo(function TaskRow({ task, asks, after, open }: RowProps) {
  const [mark, word] = standingOf(task, asks.length > 0);
  const noticed = task.permissions.filter(({ decision }) => decision !== "approved");
  const files = task.commits.flatMap((commit) => commit.files_changed);
  return (
    <li className={task.isReplaced ? "task replaced" : `task ${task.status}`}>
      <p className="step-line">
        <StatusMark mark={mark} />
        <button type="button" className="link step-name" onClick={() => open(task.id)}>
          {task.name}
        </button>
        {task.revision_of ? <span className="tag">revision</span> : null}
        <span className={`standing ${mark}`}>{word}</span>
        <span className="soft step-figures">{task.startedAt && task.endedAt ? <span>{between(task.startedAt, task.endedAt)}</span> : null}</span>
      </p>
      <p className="task-facts soft">
        <span>{task.agent_name}</span>
        {after ? <span>after {after}</span> : null}
        {task.retry_count > 0 ? <span>tried again {counted(task.retry_count, "time")}</span> : null}
        {files.length > 0 ? <code>{files.slice(0, 4).join(" ") + (files.length > 4 ? " …" : "")}</code> : null}
        {task.remembered ? <PathLink to={`/memory?m=${encodeURIComponent(task.remembered)}`}>remembered</PathLink> : null}
      </p>
      {task.status === "failed" && task.error ? <p className="task-error">{task.error}</p> : null}
      {task.summary ? <p className="task-summary">{task.summary}</p> : null}
      {asks.map(({ id, text }) => (
        <div key={id} className="asked">
          <p>{text}</p>
          <GoToCard id={id} />
        </div>
      ))}
      {noticed.map((told) => (
        <PermissionLine key={told.seq} told={told} />
      ))}
    </li>
  );
});
