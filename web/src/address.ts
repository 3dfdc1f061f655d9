// What the page shows, as the query part of its address: every view can be bookmarked, shared and gone back to.

export const VIEWS = ["map", "list", "index", "ask", "health", "changes"] as const;
export const TABS = ["info", "links", "sections", "full"] as const;
export const MAX_BUDGET = 200_000;

export type View = (typeof VIEWS)[number];
export type Tab = (typeof TABS)[number];

export interface Address {
  graph: string;
  view: View;
  node: string;
  tab: Tab;
  /** Find-as-you-type text, and the filters beside it; empty means all. */
  find: string;
  domain: string;
  type: string;
  edge: string;
  /** The question of the ask panel, and how it is answered. */
  query: string;
  how: "context" | "traverse";
  start: string;
  budget: number;
}

export const HOME: Address = {
  graph: "",
  view: "map",
  node: "",
  tab: "info",
  find: "",
  domain: "",
  type: "",
  edge: "",
  query: "",
  how: "context",
  start: "",
  budget: 6000,
};

const oneOf = <T extends string>(values: readonly T[], text: string | null, otherwise: T): T =>
  values.includes(text as T) ? (text as T) : otherwise;

function budgetFrom(text: string | null): number {
  return text !== null && /^\d{1,6}$/.test(text) ? Math.min(Number(text), MAX_BUDGET) : HOME.budget;
}

export function parseAddress(search: string): Address {
  const fields = new URLSearchParams(search);
  const text = (key: keyof Address) => fields.get(key) ?? "";
  return {
    graph: text("graph"),
    view: oneOf(VIEWS, fields.get("view"), HOME.view),
    node: text("node"),
    tab: oneOf(TABS, fields.get("tab"), HOME.tab),
    find: text("find"),
    domain: text("domain"),
    type: text("type"),
    edge: text("edge"),
    query: text("query"),
    how: oneOf(["context", "traverse"] as const, fields.get("how"), HOME.how),
    start: text("start"),
    budget: budgetFrom(fields.get("budget")),
  };
}

/** Leaves out what is at its default, so that addresses stay short and equal states have equal addresses. */
export function formatAddress(address: Address): string {
  const fields = new URLSearchParams();
  for (const key of Object.keys(HOME) as (keyof Address)[]) {
    if (address[key] !== HOME[key]) fields.set(key, String(address[key]));
  }
  const text = fields.toString();
  return text ? `?${text}` : "";
}
