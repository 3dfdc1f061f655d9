import { useSyncExternalStore } from "react";
import { type Address, formatAddress, movedTo, type Where, whereIs } from "../address";

const listeners = new Set<() => void>();
let shown = "";
let where: Where;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function current(): Where {
  const { pathname, search, hash } = window.location;
  if (pathname + search !== shown) {
    const moved = movedTo(pathname, search);
    if (moved !== null) window.history.replaceState(null, "", moved + hash);
    shown = window.location.pathname + window.location.search;
    where = whereIs(window.location.pathname, window.location.search);
  }
  return where;
}

function announce(): void {
  for (const listener of listeners) listener();
}

window.addEventListener("popstate", announce);

function change(next: string, step: "push" | "replace"): boolean {
  if (next === window.location.pathname + window.location.search + window.location.hash) return false;
  if (step === "push") window.history.pushState(null, "", next);
  else window.history.replaceState(null, "", next);
  announce();
  return true;
}

/** Goes to a changed address. `replace` is for what is typed or dragged: it leaves no step for the back button. */
export function go(to: Partial<Address>, step: "push" | "replace" = "push"): void {
  change(formatAddress({ ...current().address, ...to }), step);
}

export const useWhere = (): Where => useSyncExternalStore(subscribe, current);

export const useAddress = (): Address => useWhere().address;

/** One field of the query, for places that read their own; setting it leaves no step for the back button unless told. */
export function useQueryField(name: string): [string, (value: string, step?: "push" | "replace") => void] {
  const text = useSyncExternalStore(subscribe, () => new URLSearchParams(window.location.search).get(name) ?? "");
  const set = (value: string, step: "push" | "replace" = "replace") => {
    const fields = new URLSearchParams(window.location.search);
    if (value) fields.set(name, value);
    else fields.delete(name);
    change(window.location.pathname + (fields.size > 0 ? `?${fields}` : ""), step);
  };
  return [text, set];
}

/** Goes to another address of the page; whoever uses a keyboard goes on reading there. */
export function goTo(path: string, step: "push" | "replace" = "push"): void {
  if (!change(path, step)) return;
  // The next page is drawn first.
  window.setTimeout(() => {
    window.scrollTo(0, 0);
    document.getElementById("main")?.focus();
  });
}

/** What stands behind the `#`, as it was meant. */
export const useHash = (): string => useSyncExternalStore(subscribe, anchor);

function anchor(): string {
  const text = window.location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const usePath = (): string => useSyncExternalStore(subscribe, () => window.location.pathname);
