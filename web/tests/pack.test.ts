import { expect, test } from "vitest";
import { errorFrom } from "../src/api";
import { BUDGET_STOPS, nearestStop, packAsText, packFromContext, packOpacity } from "../src/ask/pack/pack";
import { looksFor } from "../src/map/kinds";
import type { ContextAnswer } from "../src/wire";

const ANSWER: ContextAnswer = {
  contextPack: {
    entryPoint: "skill:index",
    nodes: [
      { id: "skill:a", name: "A", level: 4, content: "Text of a", tokens: 3, depth: 1, score: 80, reason: "named" },
      { id: "skill:b", name: "B", level: 1, content: null, tokens: 0, description: "", score: 20, reason: "full" },
    ],
    totalTokens: 3,
    tokenBudget: 10,
  },
  telemetry: {
    nodesVisited: 2,
    nodesLoaded: 1,
    nodesSkipped: 1,
    tokensUsed: 3,
    tokenBudget: 10,
    coveragePercent: 33.3,
    maxDepthReached: 1,
    nodesAtLevel: { "1": 1, "4": 1 },
  },
  matched: true,
};

test("a context answer is split into what was loaded and what was only named", () => {
  const pack = packFromContext(ANSWER);
  expect(pack.loaded.map((node) => node.id)).toEqual(["skill:a"]);
  expect(pack.passedOver.map((node) => node.id)).toEqual(["skill:b"]);
});

test("the map shows loaded notes full, visited ones at 40 % and all others at 15 %", () => {
  const opacity = packOpacity(packFromContext(ANSWER));
  expect(["skill:a", "skill:b", "skill:c"].map(opacity)).toEqual([1, 0.4, 0.15]);
});

test("every visited note is told, whether or not the answer says why it was left out", () => {
  const visited = ["skill:a", "skill:b", "skill:d"];
  const pack = packFromContext({ ...ANSWER, visited });
  expect(pack.alsoVisited).toEqual(["skill:d"]);
  expect([...visited, "skill:c"].map(packOpacity(pack))).toEqual([1, 0.4, 0.4, 0.15]);
});

test("the copied pack holds the text of loaded notes alone", () => {
  expect(packAsText(packFromContext(ANSWER))).toBe("<!-- skill:a · level 4 · 3 tokens -->\n\n# A\n\nText of a");
});

test("the slider stands at the stop nearest to the budget", () => {
  expect(BUDGET_STOPS[nearestStop(6000)]).toBe(6000);
  expect(BUDGET_STOPS[nearestStop(5200)]).toBe(6000);
  expect(BUDGET_STOPS[nearestStop(199_999)]).toBe(200_000);
});

test("every type has a look of its own, known or not", () => {
  const types = ["moc", "skill", "claim", "zebra", "recipe", "technique", "framework", "exploration", "howto", "essay"];
  const looks = looksFor(types);
  const unlike = new Set([...looks.values()].map(({ dye, shape }) => `${dye} ${shape}`));
  expect(unlike.size).toBe(types.length);
  expect(looksFor([...types].reverse()).get("zebra")).toEqual(looks.get("zebra"));
});

test("an error answer is told in the server's sentence, any other body in the page's own", () => {
  const told = errorFrom(413, '{"error": "Too large.", "code": "too_large", "limit": 5}');
  expect([told.message, told.code, told.facts.limit]).toEqual(["Too large.", "too_large", 5]);
  expect(errorFrom(502, "<html>").message).toBe("The server answered 502 without saying why.");
});
