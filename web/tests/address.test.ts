import { expect, test } from "vitest";
import { type Address, formatAddress, HOME, movedTo, whereIs } from "../src/address";
import { sessionPath } from "../src/sessions/sessionPlace";

const FULL: Address = {
  graph: "therapy cbt/é",
  view: "list",
  slug: "",
  node: "skill:grübeln & co",
  tab: "links",
  find: "a=b?c#d",
  domain: "Therapy",
  type: "moc",
  edge: "CLUSTERS",
  colour: "folder",
  only: "garden",
  around: "2",
  first: "clusters",
  cluster: "skill:index",
  sort: "name",
  rev: "4",
  query: "how to help, 100 %?",
  how: "traverse",
  start: "skill:index",
  budget: 12_000,
};

function read(address: string): Address {
  const [path, search = ""] = address.split("?");
  return whereIs(path!, search).address;
}

test.each([FULL, { ...FULL, view: "pack" as const }, { ...FULL, view: "read" as const, slug: "guide/a b%" }, HOME])("every state comes back from its own address", (state) => {
  expect(read(formatAddress(state))).toEqual(state);
});

test("the library stands at the root, and what is at its default stays out of addresses", () => {
  expect(formatAddress(HOME)).toBe("/");
  expect(formatAddress({ ...HOME, graph: "g", view: "list" })).toBe("/g/g/list");
});

test("values the page does not know fall back to the default, addresses it does not know lead nowhere", () => {
  expect(read("/g/g/map?tab=x&how=guess&budget=1e9")).toEqual({ ...HOME, graph: "g" });
  expect(["/g", "/g/a/cellar", "/g/a/map/b", "/library", "/nothing", "/g/%zz/list"].map((path) => whereIs(path, "").place)).toEqual([null, null, null, null, null, "library"]);
  expect(whereIs("/memory/trash/", "")).toMatchObject({ place: "memory", rest: ["trash"] });
  expect(movedTo("/memory/inbox", "?m=7")).toBe("/memory?m=7");
});

test("a budget above the limit is held at the limit", () => {
  expect(read("/g/a/pack?budget=999999").budget).toBe(200_000);
  expect(read("/g/a/pack?budget=0").budget).toBe(0);
});

test("old addresses lead where their views are now", () => {
  expect(movedTo("/", "?graph=a%20b&view=changes")).toBe("/g/a%20b/history");
  expect(movedTo("/", "?graph=a&view=list&node=skill%3Ax&tab=full")).toBe("/g/a/list?n=skill%3Ax&tab=full");
  expect(movedTo("/", "?graph=a&view=ask&query=why")).toBe("/g/a/pack?query=why");
  expect(movedTo("/sessions", "")).toBe("/studio");
  expect(movedTo("/sessions/abc", "?at=3")).toBe(`${sessionPath("abc")}?at=3`);
  expect(movedTo("/route", "")).toBe("/routes");
  expect(movedTo("/", "")).toBe(null);
});
