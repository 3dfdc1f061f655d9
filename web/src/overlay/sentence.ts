import { Refusal } from "./askServer";

/** What to tell a person of something that failed. */
export function sentenceOf(trouble: unknown): string {
  return trouble instanceof Refusal ? trouble.message : "The server cannot be reached.";
}
