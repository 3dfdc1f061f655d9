import { useMemo } from "react";
import type { GraphModel } from "../shell/graphModel";
import { useQueryField } from "../shell/useAddress";

const EVERYWHERE = () => true;
const NONE: string[] = [];

/** Who is linked with the selected note, and who is within the asked number of steps of it. */
export function useSurroundings(model: GraphModel, selectedId: string) {
  const [around] = useQueryField("around");
  const depth = /^[123]$/.test(around) ? Number(around) : 0;
  const links = useMemo(() => {
    const found = new Map<string, string[]>();
    const join = (a: string, b: string) => (found.get(a)?.push(b) ?? found.set(a, [b]));
    for (const { source, target } of model.graph.edges) {
      join(source, target);
      join(target, source);
    }
    return found;
  }, [model]);
  const isNear = useMemo(() => {
    if (!depth || !model.byId.has(selectedId)) return EVERYWHERE;
    const near = new Set([selectedId]);
    let rim = [selectedId];
    for (let step = 0; step < depth; step++) {
      rim = [...new Set(rim.flatMap((id) => links.get(id) ?? NONE))].filter((id) => !near.has(id));
      for (const id of rim) near.add(id);
    }
    return (id: string) => near.has(id);
  }, [depth, selectedId, links, model]);
  return { neighbours: links.get(selectedId) ?? NONE, isNear };
}
