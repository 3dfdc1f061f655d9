// The quality score as a sum a person can check: 100, less the penalties, plus the bonuses, within its bounds.

import type { ValidateAnswer } from "../wire";

export interface PenaltyLine {
  label: string;
  count: number;
  points: number;
}

export interface ScoreSum {
  penalties: PenaltyLine[];
  /** 100 and the penalties, before and after the rule "not below 0". */
  rawBase: number;
  base: number;
  bonuses: { label: string; points: number }[];
  /** The base and the bonuses, before and after the rule "not above 100". */
  rawTotal: number;
  total: number;
}

// In the order in which they weigh.
const KINDS: [keyof ValidateAnswer["issues"], string][] = [
  ["brokenLinks", "broken link"],
  ["missingDescriptions", "missing description"],
  ["orphans", "orphan"],
  ["missingTypes", "missing type"],
  ["circularOnly", "circular pair"],
  ["missingDomains", "missing domain"],
];

export function sumScore(answer: Pick<ValidateAnswer, "issues" | "deductions" | "bonuses">): ScoreSum {
  const { issues, deductions, bonuses } = answer;
  const penalties = KINDS.flatMap(([kind, one]) => {
    const count = issues[kind].length;
    return count === 0 ? [] : [{ label: count === 1 ? one : `${one}s`, count, points: -deductions[kind] }];
  });
  const rawBase = penalties.reduce((sum, { points }) => sum + points, 100);
  const base = Math.max(0, rawBase);
  const rawTotal = base + bonuses.mocCoverage + bonuses.linkDensityHealth;
  return {
    penalties,
    rawBase,
    base,
    bonuses: [
      { label: "clusters that hold a map of content", points: bonuses.mocCoverage },
      { label: "notes with more than one link", points: bonuses.linkDensityHealth },
    ],
    rawTotal,
    total: Math.min(100, rawTotal),
  };
}
