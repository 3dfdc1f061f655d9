import { expect, test } from "vitest";
import { sumScore } from "../src/health/score";
import type { ValidateAnswer } from "../src/wire";

type Parts = Pick<ValidateAnswer, "issues" | "deductions" | "bonuses">;

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
    deductions: {
      brokenLinks: 10 * broken,
      missingDescriptions: 5 * undescribed,
      missingTypes: 0,
      missingDomains: 0,
      orphans: 0,
      circularOnly: 0,
    },
    bonuses: { mocCoverage, linkDensityHealth },
  };
}

test("two broken links and a missing description leave 75, and with 8 and 9 the score is 92", () => {
  const sum = sumScore(graded(2, 1, 8, 9));
  expect(sum.base).toBe(75);
  expect(sum.total).toBe(92);
  expect(sum.penalties).toEqual([
    { label: "broken links", count: 2, points: -20 },
    { label: "missing description", count: 1, points: -5 },
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

test("in a large graph a kind costs what the server says, not what each finding would", () => {
  const large = graded(41, 0, 0, 5);
  large.deductions.brokenLinks = 12;
  expect(sumScore(large).total).toBe(93);
  expect(sumScore(large).penalties).toEqual([{ label: "broken links", count: 41, points: -12 }]);
});
