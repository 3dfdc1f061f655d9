import { useEffect, useLayoutEffect, useSyncExternalStore } from "react";
import { useHouse } from "./house";

let told = "";
let lost = 0;
const listeners = new Set<() => void>();
const announce = () => listeners.forEach((listener) => listener());

/** The tab says where it stands, and before that how many sessions wait for a person. Null where a view within says it. */
export function usePageTitle(named: string | null): void {
  const waiting = useHouse().needy.length;
  const here = useLost() ? "Nothing here" : named;
  useEffect(() => {
    if (here !== null) document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${here ? `${here} · ` : ""}Loreweave`;
  }, [here, waiting]);
  useEffect(() => {
    if (here === null) return;
    told = here;
    announce();
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

/** Whether nothing is at the address, as its place found out: then nothing round it is named after it. */
export const useLost = (): boolean => useSyncExternalStore(listen, () => lost > 0);

/** For the view that says so. */
export function useBeingLost(): void {
  useLayoutEffect(() => {
    lost++;
    announce();
    return () => {
      lost--;
      announce();
    };
  }, []);
}
