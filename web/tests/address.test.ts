import { expect, test } from "vitest";
import { type Address, formatAddress, HOME, parseAddress } from "../src/address";

const FULL: Address = {
  graph: "therapy-cbt",
  view: "ask",
  node: "skill:grübeln & co",
  tab: "links",
  find: "a=b?c#d",
  domain: "Therapy",
  type: "moc",
  edge: "CLUSTERS",
  query: "how to help, 100 %?",
  how: "traverse",
  start: "skill:index",
  budget: 12_000,
};

test("every state comes back from its own address", () => {
  expect(parseAddress(formatAddress(FULL))).toEqual(FULL);
});

test("the home state has an empty address, and an empty address is home", () => {
  expect(formatAddress(HOME)).toBe("");
  expect(parseAddress("")).toEqual(HOME);
});

test("what is at its default stays out of the address", () => {
  expect(formatAddress({ ...HOME, graph: "g", view: "list" })).toBe("?graph=g&view=list");
});

test("values the page does not know fall back to the default", () => {
  const address = parseAddress("?view=cellar&tab=x&how=guess&budget=1e9&graph=g");
  expect(address).toEqual({ ...HOME, graph: "g" });
});

test("a budget above the limit is held at the limit", () => {
  expect(parseAddress("?budget=999999").budget).toBe(200_000);
  expect(parseAddress("?budget=0").budget).toBe(0);
});
