// Where tasks stand in a drawing of what depends on what: a column further than whatever they wait for.

import type { BuildTask } from "./buildStory";

export interface PlacedTask {
  task: BuildTask;
  column: number;
  row: number;
}

export interface TaskGraphPlan {
  placed: PlacedTask[];
  lines: [from: PlacedTask, to: PlacedTask][];
  columns: number;
  rows: number;
}

/** A plan is sent without circles; one that had any would be drawn all the same. */
export function placeTasks(tasks: BuildTask[]): TaskGraphPlan {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const columns = new Map<string, number>();
  const columnOf = (task: BuildTask, above: Set<string>): number => {
    const known = columns.get(task.id);
    if (known !== undefined) return known;
    const waits = task.dependencies.map((id) => byId.get(id)).filter((each) => each !== undefined && !above.has(each.id)) as BuildTask[];
    const column = Math.max(-1, ...waits.map((each) => columnOf(each, new Set([...above, task.id])))) + 1;
    columns.set(task.id, column);
    return column;
  };
  const heights: number[] = [];
  const placed = tasks.map((task) => {
    const column = columnOf(task, new Set([task.id]));
    const row = heights[column] ?? 0;
    heights[column] = row + 1;
    return { task, column, row };
  });
  const places = new Map(placed.map((place) => [place.task.id, place]));
  const lines = placed.flatMap((to) =>
    to.task.dependencies.flatMap((id): [PlacedTask, PlacedTask][] => (places.has(id) ? [[places.get(id)!, to]] : [])),
  );
  return { placed, lines, columns: heights.length, rows: Math.max(0, ...heights) };
}
