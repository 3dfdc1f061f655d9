import { useMemo } from "react";
import { useQueryField } from "../../shell/useAddress";
import { type RouteSource, type WalkedStep, useAnswer, walkRoutes, type WalkStep } from "../routeWire";
import { LONGEST_LINK, MOST_STEPS, packWalk, unpackWalk } from "./walkText";

export interface Walk {
  steps: WalkStep[];
  walked: WalkedStep[];
  /** How many steps are shown: the slider's place. */
  at: number;
  shown: WalkedStep | null;
  /** What the model may pick at this place. */
  reachable: string[];
  trouble: string;
  waiting: boolean;
  step: (step: WalkStep) => void;
  scrub: (at: number) => void;
  take: (steps: WalkStep[]) => string | null;
}

/** The walk stands in the address, and the server says where it leads: the page keeps neither. */
export function useWalk(id: string, source: RouteSource): Walk {
  const [packed, setPacked] = useQueryField("w");
  const [atText, setAt] = useQueryField("at");
  const steps = useMemo(() => unpackWalk(packed), [packed]);
  const key = `${id} ${packed}`;
  const [fetched, answer] = useAnswer(steps.length > 0 ? key : null, (signal) => walkRoutes(source, steps, signal).then((found) => ({ key, found })));
  const walked = useMemo(() => (steps.length > 0 && answer ? answer.found.slice(0, steps.length) : []), [answer, steps]);
  // While a longer walk is under way the last answer is shown; a shorter or another one never mixes with it.
  const isOfThis = answer?.key === key;
  const at = /^\d{1,3}$/.test(atText) ? Math.min(Number(atText), steps.length) : steps.length;
  const shown = at > 0 ? (walked[Math.min(at, walked.length) - 1] ?? null) : null;

  const take = (next: WalkStep[]): string | null => {
    const text = packWalk(next);
    if (next.length > MOST_STEPS || text.length > LONGEST_LINK) return "This walk is as long as a link can hold. Save it as a test, or begin anew.";
    setAt("");
    setPacked(text, "push");
    return null;
  };
  return {
    steps,
    walked: isOfThis ? walked : [],
    at,
    shown,
    reachable: shown?.reachable ?? [],
    trouble: fetched.state === "failed" && fetched.error.status !== 0 ? fetched.error.message : "",
    waiting: steps.length > 0 && !isOfThis && fetched.state === "waiting",
    step: (step) => void take([...steps.slice(0, at), step]),
    scrub: (next) => setAt(next === steps.length ? "" : String(next)),
    take,
  };
}
