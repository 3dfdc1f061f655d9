// Light, dark, or as the system has it. Kept by this browser; withheld storage means as the system has it.

import { useSyncExternalStore } from "react";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "loreweave.theme";
const listeners = new Set<() => void>();
let theme: Theme = kept();

function kept(): Theme {
  try {
    const text = localStorage.getItem(KEY);
    return THEMES.find((name) => name === text) ?? "system";
  } catch {
    return "system";
  }
}

function wear(): void {
  const root = document.documentElement;
  if (theme === "system") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
  document.getElementById("ask-script")?.setAttribute("data-theme", theme === "system" ? "" : theme);
}

wear();

export function setTheme(next: Theme): void {
  theme = next;
  wear();
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Then it lasts as long as the page.
  }
  for (const listener of listeners) listener();
  // Canvases read their colours anew.
  window.dispatchEvent(new Event("themechange"));
}

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => theme,
  );
