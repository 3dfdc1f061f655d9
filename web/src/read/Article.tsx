import { type MouseEvent, useEffect, useLayoutEffect, useRef } from "react";
import { goTo } from "../shell/useAddress";
import type { PageAnswer } from "../wire";

const OURS = "at:"; // before the ids of a document, so that none is taken for one of the page

interface Props {
  page: PageAnswer;
  hash: string;
  /** Whether the document of this slug is shown where this one is, rather than on a page of its own. */
  opensHere?: (slug: string) => boolean;
}

/**
 * The document as the server laid it out and cleaned it; the policy of the page lets nothing in it run either.
 * It is parsed by itself and put in as nodes.
 */
export function Article({ page, hash, opensHere }: Props) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const read = new DOMParser().parseFromString(page.html, "text/html");
    for (const named of read.body.querySelectorAll("[id]")) named.id = OURS + named.id;
    for (const wide of read.body.querySelectorAll("pre, table")) makeScrollable(read, wide);
    box.current?.replaceChildren(...read.body.childNodes);
  }, [page.html]);
  useEffect(() => {
    for (const before of box.current?.querySelectorAll(".reached") ?? []) before.classList.remove("reached");
    const target = hash ? document.getElementById(OURS + hash) : null;
    if (target) {
      target.classList.add("reached");
      target.scrollIntoView({ block: "start" });
    } else {
      box.current?.closest("#main, .inspector-body")?.scrollTo(0, 0);
    }
  }, [page, hash]);
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest("a");
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const to = new URL(link.href, window.location.href);
    if (to.origin !== window.location.origin || !to.pathname.startsWith("/g/")) return;
    event.preventDefault();
    if (opensHere?.(decodeURIComponent(to.pathname.split("/").slice(4).join("/")))) return;
    goTo(to.pathname + to.search + to.hash);
  };
  return (
    <div className="read-article" onClick={follow}>
      {page.html.includes("<h1") ? null : <h1>{page.title}</h1>}
      <article ref={box} dir="auto" aria-label={page.title} />
    </div>
  );
}

/** Wide code and tables scroll by themselves, by keyboard too. */
function makeScrollable(read: Document, wide: Element): void {
  const frame = read.createElement("div");
  frame.className = "wide-part";
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", wide.tagName === "PRE" ? "Code" : "Table");
  wide.replaceWith(frame);
  frame.append(wide);
}
