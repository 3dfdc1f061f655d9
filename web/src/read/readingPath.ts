// Where a document is read: by its slug, or by its path, which leads on to the slug.

export function readingPath(graph: string, slug: string, anchor = ""): string {
  const path = slug.split("/").map(encodeURIComponent).join("/");
  return `/g/${encodeURIComponent(graph)}/read/${path}${anchor ? `#${encodeURIComponent(anchor)}` : ""}`;
}

/** A line of a document as it was written. */
export const sourceLinePath = (graph: string, slug: string, line?: number | null): string =>
  `${readingPath(graph, slug)}?as=source${line ? `#L${line}` : ""}`;
