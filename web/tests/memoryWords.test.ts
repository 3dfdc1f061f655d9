import { expect, test } from "vitest";
import { wordDifferences } from "../src/memory/inbox/wordDifferences";
import { type Change, restOf, titleOf } from "../src/memory/memoryApi";
import { historyRows, readable, timeLeft } from "../src/memory/past/changeWords";

const marked = (pieces: { text: string; differs: boolean }[]) => pieces.filter(({ differs }) => differs).map(({ text }) => text);

test("words that two texts do not share are marked, and nothing of either is lost", () => {
  const [one, two] = ["Deploys go out on Tuesdays, after lunch.", "Deploys go out on Thursday mornings, after lunch."];
  const [left, right] = wordDifferences(one, two);
  expect(marked(left)).toEqual(["Tuesdays"]);
  expect(marked(right)).toEqual(["Thursday mornings"]);
  expect(left.map(({ text }) => text).join("")).toBe(one);
  expect(right.map(({ text }) => text).join("")).toBe(two);
});

test("equal texts share everything, and very long ones are not compared word by word", () => {
  expect(wordDifferences("a b", "a b").flat().some(({ differs }) => differs)).toBe(false);
  const long = "word ".repeat(3000);
  expect(wordDifferences(long, `${long}x`)[0]).toEqual([{ text: long, differs: true }]);
});

const change = (number: number, action: string, fields: Partial<Change> = {}): Change => ({
  number,
  action,
  at: "2026-01-01T00:00:00Z",
  actor: "cli",
  version: 1,
  detail: {},
  node_id: `id${number}`,
  name: `Name ${number}`,
  undo: null,
  ...fields,
});

test("a merge and its sources are one row, and other changes of that moment are not", () => {
  const undo = { tool: "undo_merge", arguments: {}, until: "2026-01-31T00:00:00Z" };
  const rows = historyRows(
    [change(4, "merged_from", { detail: { source_ids: ["id2", "id3"] }, undo }), change(3, "merged_into", { undo }), change(2, "merged_into", { undo }), change(1, "stored")],
    [],
  );
  expect(rows.map(({ name, words }) => [name, words])).toEqual([
    ["Name 4", "merged from “Name 3”, “Name 2”"],
    ["Name 1", "stored"],
  ]);
  expect(rows[0]!.undo).toBe(undo);
});

test("what was kept apart stands among the changes, and can be asked again", () => {
  const kept = { task_id: "stale:x", node_ids: ["x"], names: ["X"], reason: "Kept", at: "2026-01-02T00:00:00Z" };
  const [row] = historyRows([change(1, "stored")], [kept, { ...kept, reason: null }]);
  expect(row).toMatchObject({ name: "X", words: "Kept", undo: { tool: "reopen_task", arguments: { task_id: "stale:x" } } });
});

test("an undone merge says that it is not asked about again, and can be asked again", () => {
  const at = "2026-01-02T00:00:00Z";
  const undone = change(3, "merge_undone", { at, detail: { source_ids: ["id1", "id2"] } });
  const kept = { task_id: "potential_merge:id1+id2+id3", node_ids: ["id1", "id2", "id3"], names: ["1", "2", "3"], reason: null, at };
  const [asked] = historyRows([undone], [kept]);
  expect(asked).toMatchObject({ words: "merge undone, in the trash; its memories are not asked about again", back: "Ask again", undo: { tool: "reopen_task", arguments: { task_id: kept.task_id } } });
  expect(historyRows([undone], [])[0]).toMatchObject({ words: "merge undone, in the trash", undo: null });
});

test("sentences of the server name memories and days", () => {
  const id = "550e8400-e29b-41d4-a716-446655440000";
  expect(readable(`${id} ended at 2026-01-05T00:00:00Z`, new Map([[id, { name: "Gate" }]]))).toMatch(/^“Gate” ended at Jan \d, 2026$/);
  expect(readable(`${id} is old`, new Map([[id, { name: `${"word ".repeat(16)}x`.slice(0, 79) + "x" }]]))).toBe(`“${"word ".repeat(15).trim()}…” is old`);
});

test.each([
  ["2026-01-31T00:00:00Z", "30 days left"],
  ["2026-01-02T00:00:00Z", "1 day left"],
  ["2026-01-01T05:00:00Z", "5 hours left"],
  ["2026-01-01T00:00:10Z", "1 minute left"],
  ["2025-12-31T00:00:00Z", "over"],
])("what is left until %s is %s", (until, words) => {
  expect(timeLeft(until, Date.parse("2026-01-01T00:00:00Z"))).toBe(words);
});

test("a name that was cut from a long line is shown to its last whole word, and any other as it is", () => {
  const line = "The deploy of the shop goes out on Tuesdays after lunch, unless the warehouse counts its shelves that week.";
  expect(titleOf(line.slice(0, 80))).toBe("The deploy of the shop goes out on Tuesdays after lunch, unless the warehouse…");
  expect(titleOf("x".repeat(80))).toBe(`${"x".repeat(80)}…`);
  for (const given of ["Deploys", `${"A whole sentence. ".repeat(5).slice(0, 79)}.`, line]) expect(titleOf(given)).toBe(given);
});

test("where the text is known, a name is shown as cut if the text goes on, and hardly cut in a very long word", () => {
  const names = ["The game itself, a star that moves on by itself and is caught by a click or the", "The page, with its title, what to do and the score, for “Catch the star”: index."];
  expect(titleOf(names[0]!, `${names[0]} space bar.`)).toBe(`${names[0]}…`);
  expect(titleOf(names[0]!, names[0])).toBe(names[0]);
  expect(titleOf(names[1]!, `${names[1]}html, by the task.`)).toBe("The page, with its title, what to do and the score, for “Catch the star”…");
  const long = `A word ${"x".repeat(300)}`;
  expect(titleOf(long.slice(0, 80), long.slice(0, 160))).toBe(`${long.slice(0, 80)}…`);
  expect(restOf(long.slice(0, 80), long.slice(0, 160))).toMatch(/^…x+…$/);
});

test("a row tells below its name how the text goes on, never its beginning again", () => {
  const text = `${"Seven words that stand at the start ".repeat(3)}and the end`;
  const name = text.slice(0, 80).trim();
  expect(`${titleOf(name)} ${restOf(name, text)}`.replace("… …", " ")).toBe(text);
  expect(restOf("Short.", "Short.")).toBe("");
  expect(restOf("Deploys", "They go out on Tuesdays.")).toBe("They go out on Tuesdays.");
  expect(restOf("First line", `First line ${"more ".repeat(29)}and mo`)).toMatch(/more and…$/);
});
