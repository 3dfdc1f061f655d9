// Where the page stands: every view has an address that can be bookmarked, shared and gone back to.
//   /                         the library             /ask, /ask/ID             questions
//   /g/ID/map?n=NODE          a view of one space     /memory/…, /routes/…      what is remembered, how skills lead on
//   /g/ID/read/SLUG#anchor    a note as a page        /studio/…                 plans and builds

export const PLACES = ["library", "ask", "memory", "routes", "studio"] as const;
export const VIEWS = ["map", "list", "index", "read", "health", "history", "pack"] as const;
export const TABS = ["info", "links", "sections", "full"] as const;
export const MAX_BUDGET = 200_000;

export type Place = (typeof PLACES)[number];
export type View = (typeof VIEWS)[number];
export type Tab = (typeof TABS)[number];

/** What a view of a space shows. Everything but graph, view and slug stands in the query. */
export interface Address {
  graph: string;
  view: View;
  /** Which page is read. */
  slug: string;
  node: string;
  tab: Tab;
  /** Find-as-you-type text, and the filters beside it; empty means all. */
  find: string;
  domain: string;
  type: string;
  edge: string;
  /** How the map is looked at: what its colours tell, the group shown alone, steps round the note, clusters first, the one that is open. */
  colour: string;
  only: string;
  around: string;
  first: string;
  cluster: string;
  /** By which column the list is sorted. */
  sort: string;
  /** Which revision of its history is open. */
  rev: string;
  /** The question, and how it is answered. */
  query: string;
  how: "context" | "traverse";
  start: string;
  budget: number;
}

export const HOME: Address = {
  graph: "",
  view: "map",
  slug: "",
  node: "",
  tab: "info",
  find: "",
  domain: "",
  type: "",
  edge: "",
  colour: "",
  only: "",
  around: "",
  first: "",
  cluster: "",
  sort: "",
  rev: "",
  query: "",
  how: "context",
  start: "",
  budget: 6000,
};

export interface Where {
  /** Null where nothing of the page is at this address. */
  place: Place | null;
  address: Address;
  /** What stands behind the place's name, for places that read their own addresses. */
  rest: string[];
}

/** What each place of the page is given. */
export interface PlaceProps {
  where: Where;
}

const oneOf = <T extends string>(values: readonly T[], text: string | null | undefined, otherwise: T): T =>
  values.includes(text as T) ? (text as T) : otherwise;

export function budgetFrom(text: string | null): number {
  return text !== null && /^\d{1,6}$/.test(text) ? Math.min(Number(text), MAX_BUDGET) : HOME.budget;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // nothing is called that; the server says so
  }
}

function fieldsOf(search: string, graph: string, view: View, slug: string): Address {
  const fields = new URLSearchParams(search);
  const text = (key: string) => fields.get(key) ?? "";
  return {
    graph,
    view,
    slug,
    node: text("n"),
    tab: oneOf(TABS, fields.get("tab"), HOME.tab),
    find: text("find"),
    domain: text("domain"),
    type: text("type"),
    edge: text("edge"),
    colour: text("colour"),
    only: text("only"),
    around: text("around"),
    first: text("first"),
    cluster: text("cluster"),
    sort: text("sort"),
    rev: text("rev"),
    query: text("query"),
    how: oneOf(["context", "traverse"] as const, fields.get("how"), HOME.how),
    start: text("start"),
    budget: budgetFrom(fields.get("budget")),
  };
}

export function whereIs(path: string, search: string): Where {
  const parts = path.split("/").slice(1).map(decoded);
  const [first = "", ...rest] = parts[parts.length - 1] === "" ? parts.slice(0, -1) : parts;
  if (first === "") return { place: "library", address: HOME, rest: [] };
  if (first === "g") {
    const [graph = "", view = "map", ...slug] = rest;
    const known = graph !== "" && VIEWS.includes(view as View) && (view === "read" || slug.length === 0);
    return { place: known ? "library" : null, address: fieldsOf(search, graph, oneOf(VIEWS, view, "map"), slug.join("/")), rest };
  }
  const place = PLACES.find((name) => name === first && name !== "library") ?? null;
  return { place, address: { ...HOME, graph: place === "ask" ? (new URLSearchParams(search).get("graph") ?? "") : "" }, rest };
}

/** Leaves out what is at its default, so that addresses stay short and equal states have equal addresses. */
export function formatAddress(address: Address): string {
  if (!address.graph) return "/";
  const fields = new URLSearchParams();
  for (const key of Object.keys(HOME) as (keyof Address)[]) {
    if (key === "view" || key === "slug" || key === "graph") continue;
    if (address[key] !== HOME[key]) fields.set(key === "node" ? "n" : key, String(address[key]));
  }
  const slug = address.view === "read" && address.slug ? `/${address.slug.split("/").map(encodeURIComponent).join("/")}` : "";
  const path = `/g/${encodeURIComponent(address.graph)}/${address.view}${slug}`;
  const text = fields.toString();
  return text ? `${path}?${text}` : path;
}

const OLD_VIEWS: Record<string, View> = { changes: "history", ask: "pack" };

/** Where an address that used to be led; null where it is none of those. */
export function movedTo(path: string, search: string): string | null {
  const fields = new URLSearchParams(search);
  const graph = fields.get("graph");
  if (path === "/" && graph) {
    const view = fields.get("view") ?? "map";
    const address = fieldsOf(search, graph, OLD_VIEWS[view] ?? oneOf(VIEWS, view, "map"), "");
    return formatAddress({ ...address, node: fields.get("node") ?? "" });
  }
  const [, first, ...rest] = path.split("/");
  if (first === "sessions") return rest[0] ? `/studio/run/${rest.join("/")}${search}` : "/studio";
  if (path.replace(/\/$/, "") === "/memory/inbox") return `/memory${search}`;
  if (first === "route") return `/routes${rest.length ? `/${rest.join("/")}` : ""}${search}`;
  return null;
}
