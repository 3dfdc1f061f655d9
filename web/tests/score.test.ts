import { expect, test } from "vitest";
import { sumScore } from "../src/health/score";
import type { ValidateAnswer } from "../src/wire";

type Parts = Pick<ValidateAnswer, "issues" | "bonuses">;

function graded(broken: number, undescribed: number, mocCoverage: number, linkDensityHealth: number): Parts {
  const link = { source: "a.md", target: "b", context: "", raw: "b", line: 1, suggestion: null, penalty: -10 };
  return {
    issues: {
      brokenLinks: Array(broken).fill(link),
      missingDescriptions: Array(undescribed).fill({ file: "a.md", penalty: -5 }),
      missingTypes: [],
      missingDomains: [],
      orphans: [],
      circularOnly: [],
    },
    bonuses: { mocCoverage, linkDensityHealth },
  };
}

test("two broken links and a missing description leave 75, and with 8 and 9 the score is 92", () => {
  const sum = sumScore(graded(2, 1, 8, 9));
  expect(sum.base).toBe(75);
  expect(sum.total).toBe(92);
  expect(sum.penalties).toEqual([
    { label: "broken links", count: 2, each: -10, points: -20 },
    { label: "missing description", count: 1, each: -5, points: -5 },
  ]);
});

test("penalties never push the base below zero", () => {
  const sum = sumScore(graded(41, 0, 8, 9));
  expect([sum.rawBase, sum.base, sum.total]).toEqual([-310, 0, 17]);
});

test("bonuses never lift the score above 100", () => {
  const sum = sumScore(graded(0, 0, 10, 10));
  expect([sum.rawTotal, sum.total]).toEqual([120, 100]);
});
