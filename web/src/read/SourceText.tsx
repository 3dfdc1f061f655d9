import { useEffect, useRef } from "react";
import { fetchFile } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import { useFetched } from "../shell/useFetched";
import type { PageAnswer } from "../wire";

/** The document as it was written, line by line; `#L12` marks one of them. */
export function SourceText({ graph, page, hash }: { graph: string; page: PageAnswer; hash: string }) {
  const address = `/docs/${page.slug.split("/").map(encodeURIComponent).join("/")}.md?graph=${encodeURIComponent(graph)}`;
  const [fetched, again] = useFetched(`${address} ${page.revision}`, async () => (await fetchFile(address)).text());
  const marked = useRef<HTMLLIElement>(null);
  const line = Number(/^L(\d+)$/.exec(hash)?.[1] ?? 0);
  useEffect(() => marked.current?.scrollIntoView({ block: "center" }), [fetched.value, line]);
  if (fetched.state === "failed") return <ErrorNote error={fetched.error} retry={again} />;
  if (fetched.value === undefined) {
    return (
      <p className="soft" role="status">
        Reading…
      </p>
    );
  }
  return (
    <ol className="source-text" aria-label={`${page.path} as written`} tabIndex={0}>
      {fetched.value.split("\n").map((text, index) => (
        <li key={index} ref={index + 1 === line ? marked : undefined} aria-current={index + 1 === line ? "location" : undefined}>
          {text || " "}
        </li>
      ))}
    </ol>
  );
}
