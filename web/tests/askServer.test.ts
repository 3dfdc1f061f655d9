import { expect, test } from "vitest";
import { comparable, endpointOf, linkTo, wellFormed } from "../src/overlay/addresses";
import { type Listener, shortened, tell } from "../src/overlay/askServer";
import { EventReader } from "../src/overlay/eventStream";

const STREAM =
  'event: search\ndata: {"query":"größe"}\n\n: still here\n\nevent: sources\ndata: {"sources":[{"url":"/docs/a"}]}\n\n' +
  'event: token\ndata: {"text":"a\\n\\nb"}\n\nevent: done\ndata: {"answerId":"x"}\n\n';

test("events are the same wherever the stream is cut", () => {
  const whole = new EventReader().take(STREAM);
  expect(whole.map(({ event }) => event)).toEqual(["search", "sources", "token", "done"]);
  for (let cut = 1; cut < STREAM.length; cut++) {
    const reader = new EventReader();
    expect([...reader.take(STREAM.slice(0, cut)), ...reader.take(STREAM.slice(cut))]).toEqual(whole);
  }
});

test("comments, other line ends and broken data are passed over", () => {
  const reader = new EventReader();
  expect(reader.take('event: token\r\ndata: {"text":"a"}\r\n\r\n')).toEqual([{ event: "token", data: { text: "a" } }]);
  expect(reader.take("event: token\ndata: {broken\n\n:\n\n")).toEqual([]);
});

test("the end and a fault end the answer, nothing else does", () => {
  const heard: string[] = [];
  const note = (name: string) => (value: unknown) => void heard.push(`${name} ${JSON.stringify(value)}`);
  const listener = Object.fromEntries(
    ["search", "sources", "token", "done", "error", "keyword"].map((name) => [name, note(name)]),
  ) as unknown as Listener;
  expect(new EventReader().take(STREAM).map((event) => tell(event, listener))).toEqual([false, false, false, true]);
  expect(tell({ event: "error", data: { error: "No.", code: "x" } }, listener)).toBe(true);
  expect(tell({ event: "unheard-of", data: {} }, listener)).toBe(false);
  expect(heard).toEqual(['search "größe"', 'sources [{"url":"/docs/a"}]', 'token "a\\n\\nb"', 'done {"answerId":"x"}', 'error "No."']);
});

test("a follow-up carries the last turns, within what the server takes", () => {
  const turns = Array.from({ length: 9 }, (_, number) => ({ query: `q${number}`, answer: "𝒶".repeat(5000) }));
  const kept = shortened(turns);
  expect(kept.at(-1)!.query).toBe("q8");
  expect(kept.length).toBeLessThanOrEqual(6);
  expect(new TextEncoder().encode(JSON.stringify(kept)).length).toBeLessThan(64 * 1024 - 10_000);
  expect(kept.every(({ answer }) => wellFormed(answer) === answer)).toBe(true);
  expect(shortened([{ query: "a", answer: "b" }])).toEqual([{ query: "a", answer: "b" }]);
});

test("the endpoint is an origin, an address, or beside the script", () => {
  expect(endpointOf(undefined, "https://lore.test/ask.js", "https://site.test/a")).toBe("https://lore.test/api/ask");
  expect(endpointOf("https://lore.test", "", "https://site.test/a")).toBe("https://lore.test/api/ask");
  expect(endpointOf("https://lore.test/api/ask/", "", "https://site.test/a")).toBe("https://lore.test/api/ask");
  expect(endpointOf("/api/ask", "", "https://site.test/a")).toBe("https://site.test/api/ask");
});

test("addresses lead over http only, and rendered pages keep their graph", () => {
  const site = { base: "https://site.test/guide/", endpoint: "https://lore.test/api/ask", graph: "docs" };
  expect(linkTo("/docs/cli#flags", site)).toBe("https://site.test/docs/cli#flags");
  expect(linkTo("https://other.test/cli", site)).toBe("https://other.test/cli");
  expect(linkTo("javascript:alert(1)", site)).toBeNull();
  expect(linkTo("data:text/html,x", site)).toBeNull();
  expect(linkTo("http://[", site)).toBeNull();
  const own = { base: "https://lore.test/docs/x", endpoint: "https://lore.test/api/ask", graph: "two words" };
  expect(linkTo("/docs/cli#flags", own)).toBe("https://lore.test/docs/cli?graph=two+words#flags");
  expect(linkTo("/docs", own)).toBe("https://lore.test/docs?graph=two+words");
  expect(linkTo("/docs/cli", { ...own, graph: null })).toBe("https://lore.test/docs/cli");
});

test("raw and percent-encoded addresses are the same", () => {
  expect(comparable("/docs/überblick#größe")).toBe(comparable("/docs/%C3%BCberblick#gr%C3%B6%C3%9Fe"));
  expect(comparable("/docs/a&amp;b")).toBe("/docs/a&b");
  expect(comparable("/docs/\ud800")).toBe(comparable("/docs/\ufffd"));
});
