import { useFetched } from "../../shell/useFetched";
import { readHealth } from "../sessionApi";

/** What this server cannot do, said before a plan finds it out. */
export function HouseNotes() {
  const health = useFetched("health", readHealth)[0].value;
  const notes = [];
  if (health?.model === "none") {
    notes.push("No model is set: nothing can be built, and steps that need an agent fail. LORE_MODEL=demo is one that needs no key.");
  }
  if (health?.sandbox === "limits") {
    notes.push("This machine has no sandbox (bubblewrap): agents run code under limits only, and ask a person first.");
  }
  if (health?.sandbox === "unavailable") {
    notes.push("A sandbox is demanded and this machine has none: agents cannot work here until bubblewrap is installed.");
  }
  return notes.length > 0 ? (
    <ul className="house-notes" aria-label="About this server">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  ) : null;
}
