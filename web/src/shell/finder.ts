// What ⌘K finds on the page itself, beside the sections that the box for any site finds: notes, memories, sessions, actions.

import { call, listGraphs, searchGraph } from "../api";
import type { Finder, Found } from "../overlay/finder";
import { FINDER } from "../overlay/finder";
import { readingPath } from "../read/readingPath";
import { listSessions } from "../sessions/sessionApi";
import { sessionPath } from "../sessions/sessionPlace";
import { setTheme } from "./theme";
import { goTo } from "./useAddress";

const EACH = 5;

interface Action {
  label: string;
  hint: string;
  run: () => void;
}

const to = (path: string) => () => goTo(path);

const ACTIONS: Action[] = [
  { label: "Add notes", hint: "Library", run: to("/") },
  { label: "Ask a new question", hint: "Ask", run: to("/ask") },
  { label: "Curate memories", hint: "Memory", run: to("/memory") },
  { label: "Open the trash", hint: "Memory", run: to("/memory/trash") },
  { label: "Simulate a route", hint: "Routes", run: to("/routes") },
  { label: "Build something", hint: "Studio", run: to("/studio") },
  { label: "Light colours", hint: "theme", run: () => setTheme("light") },
  { label: "Dark colours", hint: "theme", run: () => setTheme("dark") },
  { label: "Colours of the system", hint: "theme", run: () => setTheme("system") },
];

const here = () => document.getElementById("ask-script")?.dataset.graph ?? "";

async function graphAsked(): Promise<string> {
  return here() || ((await listGraphs())[0]?.graphId ?? "");
}

const holds = (text: string, words: string) => words.split(/\s+/).every((word) => text.toLowerCase().includes(word));

async function notes(query: string, signal: AbortSignal): Promise<Found[]> {
  const graphId = await graphAsked();
  if (!graphId) return [];
  const { results } = await searchGraph({ graphId, query, limit: EACH }, signal);
  const isExact = (name: string) => name.toLowerCase() === query.toLowerCase();
  return [...results]
    .sort((a, b) => Number(isExact(b.name)) - Number(isExact(a.name)))
    .map((hit) => ({
      group: hit.path.endsWith("SKILL.md") ? "Skills" : "Notes",
      label: hit.name,
      hint: hit.description || hit.path,
      open: to(`/g/${encodeURIComponent(graphId)}/map?n=${encodeURIComponent(hit.id)}`),
    }));
}

interface MemoryHit {
  node_id: string;
  name: string;
  content: string;
}

async function memories(query: string, signal: AbortSignal): Promise<Found[]> {
  const body = JSON.stringify({ query, limit: EACH });
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body, signal };
  const { results } = await call<{ results: MemoryHit[] }>("/search_memories", options, "/api/memory");
  return results.map(({ node_id, name, content }) => ({ group: "Memories", label: name, hint: content, open: to(`/memory/all?m=${encodeURIComponent(node_id)}`) }));
}

async function sessions(query: string, signal: AbortSignal): Promise<Found[]> {
  const words = query.toLowerCase();
  const found = (await listSessions(signal)).filter(({ goal }) => holds(goal, words)).slice(0, EACH);
  return found.map(({ id, goal, waits, state }) => ({ group: "Sessions", label: goal, hint: waits ? "needs you" : state, open: to(sessionPath(id)) }));
}

function actions(query: string): Found[] {
  const words = query.toLowerCase();
  return ACTIONS.filter(({ label, hint }) => holds(`${label} ${hint}`, words)).map(({ label, hint, run }) => ({ group: "Actions", label, hint, open: run }));
}

const finder: Finder = {
  async find(query, signal) {
    const told = query.startsWith(">") ? query.slice(1).trim() : null;
    if (told !== null) return actions(told);
    const none = () => []; // what one kind cannot say does not keep the others back
    const found = await Promise.all([notes(query, signal).catch(none), memories(query, signal).catch(none), sessions(query, signal).catch(none)]);
    return [...found.flat(), ...actions(query)];
  },
  ask: (query) => goTo(`/ask?${new URLSearchParams({ ...(here() && { graph: here() }), q: query })}`),
  page: async (address) => {
    const graph = await graphAsked();
    const slug = decodeURIComponent(address.pathname.replace(/^\/docs\/?/, ""));
    goTo(readingPath(graph, slug || "index", decodeURIComponent(address.hash.slice(1))));
  },
};

(window as unknown as Record<symbol, Finder>)[FINDER] = finder;
