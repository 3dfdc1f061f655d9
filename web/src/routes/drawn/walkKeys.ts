// Which skill an arrow key leads to: right along an edge out, left along an edge in, up and down to what stands beside it.

import type { SkillEdge } from "../routeWire";
import type { Box, Drawing } from "./layout";

export function nextAlong({ boxes }: Drawing, edges: SkillEdge[], from: string, key: string): string | null {
  const skills = boxes.filter(({ kind }) => kind === "skill");
  const here = boxes.find(({ id }) => id === from);
  if (!here) return null;
  const byId = new Map(skills.map((box) => [box.id, box]));
  const far = (box: Box) => Math.abs(box.y - here.y) + Math.abs(box.x - here.x) / 4;
  const best = (found: Box[]) => found.reduce<Box | null>((least, box) => (least && far(least) <= far(box) ? least : box), null)?.id ?? null;
  if (key === "ArrowRight" || key === "ArrowLeft") {
    const ahead = key === "ArrowRight";
    const ends = edges.filter((edge) => (ahead ? edge.from : edge.to) === from).map((edge) => (ahead ? edge.to : edge.from));
    const linked = ends.map((id) => byId.get(id ?? "")).filter((box) => box !== undefined && box.id !== from) as Box[];
    // An edge may lead back: those that go the way of the key come first.
    return best(linked.filter((box) => (ahead ? box.x > here.x : box.x < here.x))) ?? best(linked);
  }
  const sign = key === "ArrowDown" ? 1 : -1;
  return best(skills.filter((box) => box.id !== from && (box.y - here.y) * sign > 1));
}
