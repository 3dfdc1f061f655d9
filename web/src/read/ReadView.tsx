import { useEffect } from "react";
import type { Address } from "../address";
import { readNode, readPage } from "../api";
import { LinkWords } from "../node/tabs";
import { ErrorNote } from "../shell/ErrorNote";
import type { GraphModel } from "../shell/graphModel";
import { Link, PathLink } from "../shell/Link";
import { goTo, useHash, useQueryField } from "../shell/useAddress";
import { useFetched } from "../shell/useFetched";
import { usePageTitle } from "../shell/usePageTitle";
import type { LinkedNote, PageAnswer } from "../wire";
import { Article } from "./Article";
import { ReadTree } from "./ReadTree";
import { readingPath } from "./readingPath";
import { SourceText } from "./SourceText";
import "../styles/read.css";

/** Who knows a note by its id alone, as a build does, is led to its page. */
function pathOfId(model: GraphModel, slug: string): string | undefined {
  if (!slug.startsWith("skill:")) return undefined;
  return (model.byId.get(slug) ?? model.byId.get(model.resolve(slug.slice("skill:".length)) ?? ""))?.path;
}

const isBare = ({ html }: PageAnswer) => !/<(img|svg|video|audio|iframe|hr)\b/.test(html) && !html.replace(/<h1\b[\s\S]*?<\/h1>/, "").replace(/<[^>]*>/g, "").trim();

/** A note as a page: what is around it at the left, what is in it at the right. */
export function ReadView({ model, address }: { model: GraphModel; address: Address }) {
  const [fetched, again] = useFetched(`${address.graph} ${model.graph.revision} ${address.slug}`, async (signal) => ({
    asked: address.slug,
    page: await readPage(address.graph, { slug: pathOfId(model, address.slug) ?? address.slug }, signal),
  }));
  const [shownAs] = useQueryField("as");
  const page = fetched.value?.page;
  const hash = useHash();
  usePageTitle(page ? `${page.title} · ${address.graph}` : `${address.graph} · Read`);
  useEffect(() => {
    // Named by its path, or not at all: it has one address of its own.
    if (fetched.state !== "ready" || fetched.value.asked !== address.slug) return;
    const { slug } = fetched.value.page;
    if (slug !== address.slug) goTo(readingPath(address.graph, slug) + window.location.search + window.location.hash, "replace");
  }, [fetched, address.slug, address.graph]);
  if (fetched.state === "failed") {
    return (
      <div className="centred">
        <ErrorNote error={fetched.error} retry={again} />
        <p>
          <Link to={{ slug: "" }}>Read from the beginning</Link>
        </p>
      </div>
    );
  }
  if (!page) {
    return (
      <p className="centred soft" role="status">
        Opening the page… {model.graph.nodes.length > 500 ? "The first time after a start of the server, a large graph takes some seconds." : null}
      </p>
    );
  }
  return (
    <div className="read">
      <ReadTree model={model} page={page} />
      <div className="read-text">
        <p className="read-ways">
          <code>{page.path}</code>
          {page.id ? <Link to={{ view: "map", slug: "", node: page.id }}>On the map</Link> : null}
          {shownAs === "source" ? (
            <PathLink to={readingPath(address.graph, page.slug)}>As a page</PathLink>
          ) : (
            <PathLink to={`${readingPath(address.graph, page.slug)}?as=source`}>As written</PathLink>
          )}
        </p>
        {shownAs === "source" ? <SourceText graph={address.graph} page={page} hash={hash} /> : <Article page={page} hash={hash} />}
        {shownAs !== "source" && isBare(page) ? <p className="soft">This page has no text of its own.</p> : null}
        <nav className="read-beside" aria-label="Next pages">
          {page.before ? (
            <PathLink className="before" to={readingPath(address.graph, page.before.slug)}>
              <span aria-hidden="true">← </span>
              {page.before.title}
            </PathLink>
          ) : null}
          {page.after ? (
            <PathLink className="after" to={readingPath(address.graph, page.after.slug)}>
              {page.after.title}
              <span aria-hidden="true"> →</span>
            </PathLink>
          ) : null}
        </nav>
      </div>
      <aside className="read-side">
        {shownAs === "source" ? null : <Contents page={page} graph={address.graph} here={hash} />}
        {page.id ? <Backlinks graph={address.graph} id={page.id} model={model} /> : null}
      </aside>
    </div>
  );
}

function Contents({ page, graph, here }: { page: PageAnswer; graph: string; here: string }) {
  if (page.headings.length < 2) return null;
  return (
    <nav className="read-contents" aria-labelledby="contents-title">
      <h2 id="contents-title">On this page</h2>
      <ul>
        {page.headings.map(({ anchor, heading, level }) => (
          <li key={anchor} className={`level-${level}`}>
            <PathLink to={readingPath(graph, page.slug, anchor)} aria-current={here === anchor ? "location" : undefined}>
              {heading}
            </PathLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Who leads here, each with the sentence that does. */
function Backlinks({ graph, id, model }: { graph: string; id: string; model: GraphModel }) {
  const [fetched] = useFetched(`${graph} ${model.graph.revision} ${id}`, (signal) => readNode(graph, id, 2, signal));
  const found = fetched.value?.id === id ? fetched.value.backlinks : [];
  if (found.length === 0) return null;
  return (
    <section className="read-backlinks" aria-labelledby="backlinks-title">
      <h2 id="backlinks-title">
        Linked from <span className="count">{found.length.toLocaleString("en")}</span>
      </h2>
      <ul>
        {found.map((note, index) => (
          <Backlink key={`${note.id} ${index}`} note={note} graph={graph} model={model} />
        ))}
      </ul>
    </section>
  );
}

function Backlink({ note, graph, model }: { note: LinkedNote; graph: string; model: GraphModel }) {
  const card = model.byId.get(note.id);
  return (
    <li>
      {card ? <PathLink to={readingPath(graph, card.path)}>{note.name}</PathLink> : note.name}
      <LinkWords context={note.context} model={model} />
    </li>
  );
}
