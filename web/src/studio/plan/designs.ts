// Designs that were saved: each in a folder of the workspace root, where every browser finds it.

import { loadDesign, readEvents, readGiven, saveDesign } from "../../sessions/sessionApi";
import { forkedPlan, requestOf } from "../../sessions/planOutline";
import { storyAt } from "../../sessions/sessionStory";
import type { DesignKind, JsonObject } from "../blocks/blockDocument";
import { asDesign } from "./starters";

export interface Design {
  kind: DesignKind;
  document: JsonObject;
}

const folderOf = (id: string) => `designs/${id}`;

export function nameOf({ kind, document }: Design): string {
  const { plan, project } = document as { plan?: { skillName?: unknown }; project?: { goal?: unknown } };
  const name = kind === "plan" ? plan?.skillName : project?.goal;
  return typeof name === "string" && name.trim() ? name : kind === "plan" ? "Unnamed plan" : "Unnamed build";
}

/** Saves under the id it has, or a new one that is told by its name. */
export async function keepDesign(design: Design, id: string | null): Promise<string> {
  const stem = nameOf(design).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40) || design.kind;
  const kept = id ?? `${stem}-${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36).slice(0, 5)}`;
  await saveDesign(folderOf(kept), { kind: design.kind, document: design.document });
  return kept;
}

export async function findDesign(id: string): Promise<Design> {
  const { workspace } = await loadDesign(folderOf(id));
  return { kind: workspace.kind === "build" ? "build" : "plan", document: (workspace.document ?? {}) as JsonObject };
}

/** What a session was started with; of a plan, with what was answered up to an event in its place. */
export async function designOfSession(id: string, at: number | null): Promise<Design> {
  const given = await readGiven(id);
  if (given.spec) return { kind: "build", document: given.spec as unknown as JsonObject };
  const meant = at === null ? given : forkedPlan(given, storyAt(await readEvents(id, at), at));
  return { kind: "plan", document: asDesign("plan", requestOf(meant) as unknown as JsonObject) };
}
