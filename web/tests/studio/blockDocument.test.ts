import * as Blockly from "blockly/core";
import { expect, test } from "vitest";
import { type BlockState, type DesignKind, fromBlocks, type Json, type JsonObject, lacksIn, placeOfFault, toBlocks } from "../../src/studio/blocks/blockDocument";
import { blockDefinitions } from "../../src/studio/blocks/blockShapes";
import { startersOf } from "../../src/studio/plan/starters";
import clubWebsite from "../../../examples/club-website.json";
import nightLight from "../../../examples/night-light.json";
import starGame from "../../../examples/star-game.json";

Blockly.common.defineBlocksWithJsonArray(blockDefinitions());

/** As the editor does it: loads the blocks, and saves what it made of them. */
function throughEditor(start: BlockState): BlockState {
  const workspace = new Blockly.Workspace();
  Blockly.serialization.workspaces.load({ blocks: { languageVersion: 0, blocks: [start] } }, workspace);
  const saved = Blockly.serialization.workspaces.save(workspace) as { blocks: { blocks: BlockState[] } };
  workspace.dispose();
  return saved.blocks.blocks[0]!;
}

const roundTrip = (kind: DesignKind, document: JsonObject) => fromBlocks(throughEditor(toBlocks(kind, document))).document;

function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

type Roll = (sides: number) => number;

const TEXTS = ["", "plain", "two\nlines", " {{key}} ", "a, b", "<b>&\"'", "é😀", "TRUE", "0"];
const text = (roll: Roll): Json => TEXTS[roll(TEXTS.length)]!;
const odd = (roll: Roll): Json => [null, 7, true, "x", ["a", 1], { deep: { er: [] } }, []][roll(7)] as Json;
/** Mostly what belongs there; now and then something else, or nothing. */
const maybe = (roll: Roll, usual: () => Json): Json | undefined => (roll(6) === 0 ? undefined : roll(8) === 0 ? odd(roll) : usual());

function thing(roll: Roll, fields: Record<string, () => Json>): JsonObject {
  const made: JsonObject = {};
  for (const [key, usual] of Object.entries(fields)) {
    const value = maybe(roll, usual);
    if (value !== undefined) made[key] = value;
  }
  if (roll(3) === 0) made[`unknown${roll(3)}`] = odd(roll);
  return made;
}

const several = (roll: Roll, one: () => Json): Json => Array.from({ length: roll(4) }, one);

function randomStep(roll: Roll, depth: number): Json {
  const type = ["set_context", "ask_user", "branch", "run_agent", "invoke_skill", "output", "unheard_of"][roll(7)]!;
  const t = () => text(roll);
  const inner = () => (depth > 2 ? [] : several(roll, () => randomStep(roll, depth + 1)));
  const all = { id: () => `s${roll(6)}`, type: () => type, key: t, value: t, question: t, header: t, options: () => several(roll, t), storeAs: t, contextKey: t, matchValue: t, thenSteps: inner, prompt: t, skillId: t, template: t };
  return thing(roll, all);
}

const randomPlan = (roll: Roll): JsonObject =>
  thing(roll, { plan: () => thing(roll, { skillName: () => text(roll), steps: () => several(roll, () => randomStep(roll, 0)) }), allSkills: () => several(roll, () => odd(roll)) });

function randomSpec(roll: Roll): JsonObject {
  const t = () => text(roll);
  const flag = () => roll(2) === 0;
  const agent = () => thing(roll, { name: t, role: () => ["builder", "tester", "king"][roll(3)]!, persona: t });
  return thing(roll, {
    project: () => thing(roll, { goal: t, description: t, type: t }),
    requirements: () => several(roll, () => thing(roll, { type: t, description: t })),
    style: () => thing(roll, { visual: t, personality: t }),
    agents: () => several(roll, agent),
    hardware: () => thing(roll, { target: t, components: () => several(roll, () => thing(roll, { type: t, pin: () => roll(40), name: t })) }),
    deployment: () => thing(roll, { target: () => ["preview", "web", "moon"][roll(3)]!, auto_flash: flag }),
    workflow: () => thing(roll, { testing_enabled: flag, review_enabled: flag, human_gates: () => several(roll, t), flow_hints: () => [] }),
    rules: () => several(roll, () => thing(roll, { name: t, trigger: () => ["always", "never"][roll(2)]!, prompt: t })),
    portals: () => several(roll, () => odd(roll)),
  });
}

test("examples come back from the blocks as they went in", () => {
  for (const spec of [clubWebsite, nightLight, starGame]) expect(roundTrip("build", spec as JsonObject)).toEqual(spec);
});

test("any plan and any spec comes back from the blocks as it went in, what nobody knows included", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const [plan, spec] = [randomPlan(dice(seed)), randomSpec(dice(seed + 1_000))];
    expect(roundTrip("plan", plan)).toEqual(plan);
    expect(roundTrip("build", spec)).toEqual(spec);
  }
});

test("a fault is at the block whose field it names", () => {
  const plan: JsonObject = { plan: { skillName: "P", steps: [{ id: "a", type: "branch", contextKey: "x", matchValue: "", thenSteps: [{ id: "b", type: "output", template: "" }] }] } };
  const { places } = fromBlocks(toBlocks("plan", plan));
  expect(placeOfFault(places, "plan.steps.0.contextKey")).toBe("block-2");
  expect(placeOfFault(places, "plan.steps.0.thenSteps.0.template")).toBe("block-3");
  expect(placeOfFault(places, "plan.skillName")).toBe("block-1");
});

test("a copied step gets an id of its own", () => {
  const start = toBlocks("plan", { plan: { skillName: "P", steps: [{ id: "way", type: "output", template: "x" }] } });
  const first = start.inputs!.STEPS!.block!;
  first.next = { block: { ...first, id: "copy", next: undefined } };
  const { document } = fromBlocks(start);
  expect(((document.plan as JsonObject).steps as JsonObject[]).map(({ id }) => id)).toEqual(["way", "output"]);
});

test("steps that lack what they cannot do without are named, those inside of others too, and a whole plan none", () => {
  const empty: JsonObject[] = [{ id: "a", type: "ask_user", question: " ", header: "", options: [], storeAs: "" }, { id: "b", type: "run_agent", prompt: "", storeAs: "" }];
  const inner: JsonObject = { id: "c", type: "branch", contextKey: "x", matchValue: "", thenSteps: [{ id: "d", type: "output", template: "" }] };
  expect(lacksIn({ plan: { skillName: "P", steps: [...empty, inner] } })).toEqual([
    { path: "plan.steps.0", block: "Ask", lacked: ["a question", "a name to remember the answer as"] },
    { path: "plan.steps.1", block: "Let an agent", lacked: ["what the agent is to do"] },
    { path: "plan.steps.2.thenSteps.0", block: "Say", lacked: ["a text"] },
  ]);
  for (const { document } of startersOf("plan")) expect(lacksIn(document)).toEqual([]);
});
