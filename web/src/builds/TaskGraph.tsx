import type { CSSProperties } from "react";
import { StatusMark } from "../sessions/StatusMark";
import type { BuildTask } from "./buildStory";
import { standingOf } from "./TaskRows";
import { type PlacedTask, placeTasks } from "./placeTasks";

const [WIDTH, HEIGHT, GAP] = [168, 52, 44];

/** What depends on what, with how each task stands. The list below says the same in words. */
export function TaskGraph({ tasks, waiting, open }: { tasks: BuildTask[]; waiting: Set<string>; open: (task: string) => void }) {
  if (tasks.length < 2) return null;
  const { placed, lines, columns, rows } = placeTasks(tasks);
  const width = columns * (WIDTH + GAP) - GAP;
  const height = rows * (HEIGHT + 16) - 16;
  return (
    <div className="task-graph" role="group" aria-label="Tasks and what they wait for" tabIndex={0}>
      <div className="task-graph-field" style={{ "--width": `${width}px`, "--height": `${height}px` } as CSSProperties}>
        <svg width={width} height={height} aria-hidden="true">
          {lines.map(([from, to]) => (
            <path key={`${from.task.id} ${to.task.id}`} d={curve(from, to)} className={from.task.status === "done" ? "passed" : ""} />
          ))}
        </svg>
        {placed.map(({ task, column, row }) => {
          const [mark, word] = standingOf(task, waiting.has(task.id));
          return (
            <button
              key={task.id}
              type="button"
              className={`task-node ${mark}${task.isReplaced ? " replaced" : ""}`}
              style={{ "--x": `${column * (WIDTH + GAP)}px`, "--y": `${row * (HEIGHT + 16)}px` } as CSSProperties}
              onClick={() => open(task.id)}
            >
              <StatusMark mark={mark} />
              <span className="task-node-name">{task.name}</span>
              <span className="unseen">, {word}</span>
            </button>
          );
        })}
      </div>
    </div>
  );
}

function curve(from: PlacedTask, to: PlacedTask): string {
  const [x, y] = [from.column * (WIDTH + GAP) + WIDTH, from.row * (HEIGHT + 16) + HEIGHT / 2];
  const [endX, endY] = [to.column * (WIDTH + GAP), to.row * (HEIGHT + 16) + HEIGHT / 2];
  const middle = (x + endX) / 2;
  return `M${x} ${y}C${middle} ${y} ${middle} ${endY} ${endX} ${endY}`;
}
