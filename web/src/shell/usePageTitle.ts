import { useEffect } from "react";
import { useHouse } from "./house";

/** The tab says where it stands, and before that how many sessions wait for a person. */
export function usePageTitle(here: string): void {
  const waiting = useHouse().needy.length;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${here ? `${here} · ` : ""}Loreweave`;
  }, [here, waiting]);
}
