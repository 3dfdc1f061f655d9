// The quality score as a sum a person can check: 100, less the penalties, plus the bonuses, within its bounds.

import type { ValidateAnswer } from "../wire";

export interface PenaltyLine {
  label: string;
  count: number;
  each: number;
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

const plural = (count: number, one: string, many = `${one}s`) => (count === 1 ? one : many);

function line(faults: { penalty: number }[], one: string, many?: string): PenaltyLine[] {
  if (faults.length === 0) return [];
  const points = faults.reduce((sum, fault) => sum + fault.penalty, 0);
  return [{ label: plural(faults.length, one, many), count: faults.length, each: points / faults.length, points }];
}

export function sumScore(answer: Pick<ValidateAnswer, "issues" | "bonuses">): ScoreSum {
  const { issues, bonuses } = answer;
  const penalties = [
    ...line(issues.brokenLinks, "broken link"),
    ...line(issues.missingDescriptions, "missing description"),
    ...line(issues.orphans, "orphan"),
    ...line(issues.missingTypes, "missing type"),
    ...line(issues.circularOnly, "circular pair"),
    ...line(issues.missingDomains, "missing domain"),
  ];
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
