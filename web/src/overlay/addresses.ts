/** Where the server is, and where its addresses lead from the page that asks. */

/** The address of /api/ask: from what the script tag says, or beside the script itself. */
export function endpointOf(written: string | undefined, script: string, page: string): string {
  const address = written ? new URL(written, page) : new URL("/api/ask", script || page);
  const path = address.pathname.replace(/\/+$/, "");
  return address.origin + (path || "/api/ask");
}

export interface Place {
  /** What relative addresses are relative to: the page, unless the script tag names a `data-base`. */
  base: string;
  endpoint: string;
  graph: string | null;
}

/**
 * The address of a section as a link, or null when it is none to follow. Pages that the server itself renders are told
 * which graph is meant.
 */
export function linkTo(url: string, place: Place): string | null {
  let address: URL;
  try {
    address = new URL(url, place.base);
  } catch {
    return null;
  }
  if (address.protocol !== "http:" && address.protocol !== "https:") return null;
  const isRendered = address.origin === new URL(place.endpoint).origin && /^\/docs(?:\/|$)/.test(address.pathname);
  if (isRendered && place.graph && !address.searchParams.has("graph")) address.searchParams.set("graph", place.graph);
  return address.href;
}

/** Two ways to write one address are equal: raw or percent-encoded, with or without escapes of Markdown. */
export function comparable(url: string): string {
  return url.replaceAll("&amp;", "&").replace(/[^!-~]+/g, (part) => encodeURI(wellFormed(part)));
}

/** Half a surrogate pair is no text and is not sent. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}
