/** What a page of the product adds to the box: what else is found, and where it is shown. Other sites add nothing. */
export interface Found {
  group: string;
  label: string;
  hint: string;
  open: () => void;
}

export interface Finder {
  /** The space that is open, as people call it; nothing where none is. */
  here(): string;
  /** In every space, or beside the sections of the one that is open. */
  find(query: string, everywhere: boolean, signal: AbortSignal): Promise<Found[]>;
  /** Asks in a place of its own rather than in the box. */
  ask(query: string, everywhere: boolean): void;
  /** Opens a page that the server renders. */
  page(address: URL): void;
}

export const FINDER = Symbol.for("loreweave.finder");
/** Said once the page has its finder: the box may have been opened before. */
export const FINDER_CAME = "loreweave-finder";

export const finderHere = (): Finder | null => (window as unknown as Record<symbol, Finder | undefined>)[FINDER] ?? null;

/** Whether somebody asks rather than looks for a name. */
export const isQuestion = (text: string) => text.startsWith("?") || text.trim().endsWith("?") || text.trim().split(/\s+/).length > 3;
