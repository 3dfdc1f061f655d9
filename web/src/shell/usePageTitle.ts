import { useEffect, useSyncExternalStore } from "react";
import { useHouse } from "./house";

let told = "";
const listeners = new Set<() => void>();

/** The tab says where it stands, and before that how many sessions wait for a person. */
export function usePageTitle(here: string): void {
  const waiting = useHouse().needy.length;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${here ? `${here} · ` : ""}Loreweave`;
  }, [here, waiting]);
  useEffect(() => {
    told = here;
    for (const listener of listeners) listener();
  }, [here]);
}

const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** What is open within a place, by the title of the page; empty at the place's own door. */
export function useWithin(place: string): string {
  const here = useSyncExternalStore(listen, () => told);
  const end = ` · ${place}`;
  return here.endsWith(end) ? here.slice(0, -end.length) : "";
}
