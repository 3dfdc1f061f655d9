import type { Marks } from "./drawn/SkillCard";
import type { GraphProblem, Routes, WalkedStep } from "./routeWire";

/** The edges a problem is about: the one it names, or all rules out of the skill it names. */
export function edgesOf(routes: Routes, { from, to, code }: GraphProblem): number[] {
  if (from === null || (to === null && code !== "ambiguous-routes")) return [];
  return routes.edges.flatMap((edge, number) => (edge.from === from && (to === null ? edge.kind !== "model" : edge.to === to) ? [number] : []));
}

/** The skill a problem leads to. */
export const skillOf = ({ skill, from, to }: GraphProblem): string | null => skill ?? from ?? to;

/** What the map marks: where the walk is, what it may reach, what the check-up found, what a run has opened. */
export function findMarks(routes: Routes, shown: WalkedStep | null, opened: Map<string, number>): Marks {
  const problems = new Map<string, string[]>();
  const edgeProblems = new Set<number>();
  const told = new Map<string, number>();
  for (const { code } of routes.checkup.problems) told.set(code, (told.get(code) ?? 0) + 1);
  for (const problem of routes.checkup.problems) {
    // What is said of every other skill marks none: the list says it.
    if (told.get(problem.code)! > Math.max(3, routes.skills.length / 2)) continue;
    const skill = skillOf(problem);
    if (skill) problems.set(skill, [...(problems.get(skill) ?? []), problem.message]);
    for (const edge of edgesOf(routes, problem)) edgeProblems.add(edge);
  }
  return {
    cursor: shown ? (shown.move.leaf ?? shown.move.to) : null,
    active: new Set(shown?.active),
    reachable: new Set(shown?.reachable),
    visited: new Map(shown?.path.map((skill, at) => [skill, at + 1])),
    entries: new Set(routes.edges.filter(({ kind }) => kind === "entry").map(({ to }) => to)),
    problems,
    edgeProblems,
    won: new Set(shown?.considered.filter(({ verdict }) => verdict === "won").map(({ edge }) => edge)),
    opened,
  };
}
