// Every change goes through here: it is made, what is shown is asked for again, and it is said with its way back.

import { askHouseAgain } from "../shell/house";
import { say } from "../shell/Toasts";
import { askMemory, type Change, type Changes, type Imported, importMemories, type Memory, type Merge, type Task, type WayBack, titleOf } from "./memoryApi";
import { listenNow } from "./memoryNews";

type Call = Pick<WayBack, "tool" | "arguments">;

async function make<T>({ tool, arguments: given }: Call): Promise<T> {
  const answer = await askMemory<T>(tool, given);
  await listenNow();
  askHouseAgain();
  return answer;
}

const UNDONE: Record<string, string> = {
  restore_concept: "It is back.",
  forget_concept: "It is in the trash.",
  boost_importance: "The importance is what it was.",
  store_memory: "The text is what it was.",
  reopen_task: "The question is asked again.",
};

const LEFT: Record<string, string> = { deleted: " The merged one is in the trash.", live: " The merged one stays beside them." };

export async function takeBack(way: Call): Promise<void> {
  const { merged_state: left } = await make<{ merged_state?: string }>(way);
  // Whoever takes a merge back has decided: that is said, and where it can be thought over.
  if (left !== undefined) say(`The merge is undone.${LEFT[left] ?? ""} It is not asked about again, unless you say so in the history.`);
  else say(UNDONE[way.tool] ?? "Undone.");
}

const back = (tool: string, given: Record<string, unknown>) => () => takeBack({ tool, arguments: given });

export async function storeMemory(given: Record<string, unknown>): Promise<string> {
  const answer = await make<{ node_id: string; created: boolean }>({ tool: "store_memory", arguments: given });
  if (answer.created) say("Stored.", back("forget_concept", { node_id: answer.node_id }));
  else say("This text is known already. Nothing was stored twice.");
  return answer.node_id;
}

/** `before` tells what to go back to. */
export async function editMemory(before: Memory, given: Record<string, unknown>, version = before.version): Promise<void> {
  const asked = { ...given, node_id: before.node_id, expected_version: version };
  const answer = await make<{ version: number }>({ tool: "store_memory", arguments: asked });
  if (answer.version === version) return say("Nothing was changed.");
  const old: Record<string, unknown> = { node_id: before.node_id, expected_version: answer.version };
  for (const name of Object.keys(given)) {
    old[name] = name === "relations" ? outgoing(before) : before[name as keyof Memory];
  }
  if ("content" in given) old["name"] = before.name; // a name that nobody gave follows the text
  say(`“${titleOf(before.name)}” is changed.`, back("store_memory", old));
}

export const outgoing = (memory: Memory) =>
  memory.relations
    .filter(({ source_id }) => source_id === memory.node_id)
    .map(({ target_id, type, weight }) => ({ target_id, type, weight }));

export async function boostMemory(memory: Pick<Memory, "node_id" | "name">, delta: number): Promise<void> {
  const given = { node_id: memory.node_id, delta };
  const answer = await make<{ old_importance: number; new_importance: number }>({ tool: "boost_importance", arguments: given });
  const words = `“${titleOf(memory.name)}” has importance ${answer.new_importance.toFixed(2)}.`;
  const inverse = Number((answer.old_importance - answer.new_importance).toFixed(6));
  say(words, inverse === 0 ? undefined : back("boost_importance", { node_id: memory.node_id, delta: inverse }));
}

/** One or several, each of which comes back with one Undo. */
export async function forgetMemories(memories: Pick<Memory, "node_id" | "name">[], reason?: string): Promise<void> {
  for (const { node_id } of memories) await askMemory("forget_concept", reason ? { node_id, reason } : { node_id });
  await listenNow();
  askHouseAgain();
  const what = memories.length === 1 ? `“${titleOf(memories[0]!.name)}” is in the trash.` : `${memories.length} memories are in the trash.`;
  say(what, async () => {
    for (const { node_id } of memories) await askMemory("restore_concept", { node_id });
    await listenNow();
    askHouseAgain();
    say(memories.length === 1 ? "It is back." : "They are back.");
  });
}

export async function restoreMemory(memory: Pick<Memory, "node_id" | "name">): Promise<void> {
  const given = { node_id: memory.node_id };
  const answer = await make<{ relations_lost: unknown[] }>({ tool: "restore_concept", arguments: given });
  const lost = answer.relations_lost.length;
  const but = lost === 0 ? "" : ` ${lost === 1 ? "One relation is" : `${lost} relations are`} lost: the other end was erased.`;
  say(`“${titleOf(memory.name)}” is back.${but}`, back("forget_concept", given));
}

export async function eraseMemory(memory: Pick<Memory, "node_id" | "name">): Promise<string[]> {
  const given = { node_id: memory.node_id, soft_delete: false };
  const answer = await make<{ remaining_copies: string[] }>({ tool: "forget_concept", arguments: given });
  const left = answer.remaining_copies.length;
  say(left === 0 ? "Erased for good." : `Erased for good. ${left === 1 ? "One memory still holds" : `${left} memories still hold`} its text.`);
  return answer.remaining_copies;
}

/** Where a task asked for it, taking it back at once asks again: it was a slip, not the decision to keep them apart. */
export async function mergeMemories(given: Record<string, unknown>, task?: Task): Promise<string> {
  const answer = await make<Merge>({ tool: "merge_concepts", arguments: given });
  const undo: Call = { tool: "undo_merge", arguments: { reversal_hash: answer.reversal_hash } };
  const askAgain = async () => {
    await askMemory(undo.tool, undo.arguments);
    await make({ tool: "reopen_task", arguments: { task_id: task!.task_id } });
    say("The merge is undone, and the question is asked again.");
  };
  say(`Merged into “${titleOf(answer.merged?.name ?? "")}”.`, task ? askAgain : () => takeBack(undo));
  return answer.merged_id!;
}

export async function dismissTask(task: Task, words: string): Promise<void> {
  await make({ tool: "dismiss_task", arguments: { task_id: task.task_id, reason: words } });
  say(`${words}. It is not asked again until a text changes.`, back("reopen_task", { task_id: task.task_id }));
}

const [PAGE, MOST_AT_ONCE] = [200, 1_000];

/** The newest first; null where there are too many to be taken back from here. */
async function changesSince(number: number): Promise<Change[] | null> {
  const found: Change[] = [];
  for (let before: number | null = null; found.length <= MOST_AT_ONCE; ) {
    const { changes, next }: Changes = await askMemory<Changes>("list_changes", { limit: PAGE, ...(before === null ? {} : { before }) });
    const newer = changes.filter((change) => change.number > number);
    found.push(...newer);
    if (newer.length < changes.length || next === null) return found;
    before = next;
  }
  return null;
}

/** Everything in an archive, with one Undo for all of it where nobody else changed anything meanwhile. */
export async function takeIn(archive: File): Promise<Imported["skipped"]> {
  const [last] = (await askMemory<Changes>("list_changes", { limit: 1 })).changes;
  const { created, updated, unchanged, skipped } = await importMemories(archive);
  const made = created + updated > 0 ? await changesSince(last?.number ?? 0) : null;
  await listenNow();
  askHouseAgain();
  const ways = made?.flatMap(({ undo }) => undo ?? []) ?? [];
  const isOurs = ways.length > 0 && ways.length === made?.length && ways.length === created + updated;
  const words = `${created} new, ${updated} changed, ${unchanged} as they were${skipped.length > 0 ? `, ${skipped.length} left out` : ""}.`;
  say(words, isOurs ? () => takeAllBack(ways) : undefined);
  return skipped;
}

async function takeAllBack(ways: WayBack[]): Promise<void> {
  for (const { tool, arguments: given } of ways) await askMemory(tool, given);
  await listenNow();
  askHouseAgain();
  say("The import is taken back. What was new is in the trash.");
}
