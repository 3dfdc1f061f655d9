// What ⌘K finds on the page itself, beside the sections that the box for any site finds: notes, memories, sessions, actions.

import { call, latestOf, listGraphs, searchGraph } from "../api";
import type { GraphSummary, SearchHit } from "../wire";
import type { Result } from "../overlay/askServer";
import type { Finder, Found } from "../overlay/finder";
import { FINDER, FINDER_CAME } from "../overlay/finder";
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
  { label: "Ask a new question", hint: "Ask", run: () => goTo(here() ? `/ask?graph=${encodeURIComponent(here())}` : "/ask") },
  { label: "Curate memories", hint: "Memory", run: to("/memory") },
  { label: "Open the trash", hint: "Memory", run: to("/memory/trash") },
  { label: "Simulate a route", hint: "Routes", run: to("/routes") },
  { label: "Build something", hint: "Studio", run: to("/studio") },
  { label: "Light colours", hint: "theme", run: () => setTheme("light") },
  { label: "Dark colours", hint: "theme", run: () => setTheme("dark") },
  { label: "Colours of the system", hint: "theme", run: () => setTheme("system") },
];

const here = () => document.getElementById("ask-script")?.dataset.graph ?? "";
const MOST_SPACES = 20;

async function graphAsked(): Promise<string> {
  return here() || (latestOf(await listGraphs()) ?? "");
}

const holds = (text: string, words: string) => words.split(/\s+/).every((word) => text.toLowerCase().includes(word));

/** Those of the space that is open, or of every one, the last read first. */
async function spaces(everywhere: boolean, signal: AbortSignal): Promise<GraphSummary[]> {
  const all = await listGraphs(signal);
  if (!everywhere) return all.filter(({ graphId }) => graphId === here());
  return all.sort((a, b) => b.ingestedAt.localeCompare(a.ingestedAt)).slice(0, MOST_SPACES);
}

async function notes(query: string, everywhere: boolean, signal: AbortSignal): Promise<Found[]> {
  const searched = await Promise.all(
    (await spaces(everywhere, signal)).map(async ({ graphId, name }) => {
      const { results } = await searchGraph({ graphId, query, limit: EACH }, signal);
      return results.map((hit) => ({ hit, graphId, space: name ?? graphId }));
    }),
  );
  const rank = ({ hit }: { hit: SearchHit }) => (hit.name.toLowerCase() === query.toLowerCase() ? 2 : 0) + hit.score;
  return searched
    .flat()
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, everywhere ? 2 * EACH : EACH)
    .map(({ hit, graphId, space }) => ({
      group: hit.path.endsWith("SKILL.md") ? "Skills" : "Notes",
      label: hit.name,
      hint: [everywhere && space, hit.description || hit.path].filter(Boolean).join(" · "),
      open: to(`/g/${encodeURIComponent(graphId)}/map?n=${encodeURIComponent(hit.id)}`),
    }));
}

/** Of every space; those of one alone are found by the box itself. */
async function sections(query: string, signal: AbortSignal): Promise<Found[]> {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ query, mode: "keyword", limit: 2, typing: true }), signal };
  const searched = await Promise.all(
    (await spaces(true, signal)).map(async ({ graphId, name }) => {
      const { results } = await call<{ results: Result[] }>(`?graph=${encodeURIComponent(graphId)}`, options, "/api/ask");
      return results.map(({ title, heading, snippet, url }): Found => {
        const [slug = "", anchor = ""] = url.replace(/^.*?\/docs\/?/, "").split("#");
        return {
          group: "Sections",
          label: heading ? `${title} › ${heading}` : title,
          hint: `${name ?? graphId} · ${snippet}`,
          open: to(readingPath(graphId, decodeURIComponent(slug) || "index", decodeURIComponent(anchor))),
        };
      });
    }),
  );
  return searched.flat().slice(0, EACH);
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
  const graph = here();
  const space = `/g/${encodeURIComponent(graph)}`;
  const ofSpace: Action[] = [
    { label: "See what to mend", hint: graph, run: to(`${space}/health`) },
    { label: "See what changed", hint: graph, run: to(`${space}/history`) },
    { label: "Rename this graph", hint: graph, run: to(`/?rename=${encodeURIComponent(graph)}`) },
  ];
  return [...(graph ? ofSpace : []), ...ACTIONS].filter(({ label, hint }) => holds(`${label} ${hint}`, words)).map(({ label, hint, run }) => ({ group: "Actions", label, hint, open: run }));
}

const finder: Finder = {
  here,
  async find(query, everywhere, signal) {
    const told = query.startsWith(">") ? query.slice(1).trim() : null;
    if (told !== null) return actions(told);
    const none = () => []; // what one kind cannot say does not keep the others back
    const all = everywhere ? sections(query, signal).catch(none) : [];
    const found = await Promise.all([notes(query, everywhere, signal).catch(none), all, memories(query, signal).catch(none), sessions(query, signal).catch(none)]);
    return [...found.flat(), ...actions(query)];
  },
  ask: (query, everywhere) => goTo(`/ask?${new URLSearchParams({ ...(here() && !everywhere && { graph: here() }), q: query })}`),
  page: async (address) => {
    const graph = await graphAsked();
    const slug = decodeURIComponent(address.pathname.replace(/^\/docs\/?/, ""));
    goTo(readingPath(graph, slug || "index", decodeURIComponent(address.hash.slice(1))));
  },
};

(window as unknown as Record<symbol, Finder>)[FINDER] = finder;
window.dispatchEvent(new Event(FINDER_CAME));
