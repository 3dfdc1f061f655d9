import { useSyncExternalStore } from "react";
import { type Address, formatAddress, parseAddress } from "../address";

const listeners = new Set<() => void>();
let search = window.location.search;
let address = parseAddress(search);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function current(): Address {
  if (window.location.search !== search) {
    search = window.location.search;
    address = parseAddress(search);
  }
  return address;
}

function announce(): void {
  for (const listener of listeners) listener();
}

window.addEventListener("popstate", announce);

/** Goes to a changed address. `replace` is for what is typed or dragged: it leaves no step for the back button. */
export function go(change: Partial<Address>, step: "push" | "replace" = "push"): void {
  const next = "/" + formatAddress({ ...current(), ...change });
  if (next === window.location.pathname + window.location.search) return;
  if (step === "push") window.history.pushState(null, "", next);
  else window.history.replaceState(null, "", next);
  announce();
}

export const useAddress = (): Address => useSyncExternalStore(subscribe, current);

/** Goes to a page with a path of its own; whoever uses a keyboard goes on reading there. */
export function goTo(path: string): void {
  if (path === window.location.pathname + window.location.search) return;
  window.history.pushState(null, "", path);
  announce();
  // The next page is drawn first.
  window.setTimeout(() => {
    window.scrollTo(0, 0);
    document.getElementById("main")?.focus();
  });
}

export const usePath = (): string => useSyncExternalStore(subscribe, () => window.location.pathname);
