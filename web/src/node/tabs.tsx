// The four tabs of a note. Each asks the server for its own level, when it is opened and not before.

import { type ReactNode, useState } from "react";
import { readNode, readPage } from "../api";
import { KindMark } from "../map/KindMark";
import { Article } from "../read/Article";
import { ErrorNote } from "../shell/ErrorNote";
import { type GraphModel, readable } from "../shell/graphModel";
import { Link } from "../shell/Link";
import { go } from "../shell/useAddress";
import { useFetched } from "../shell/useFetched";
import type { Level, LinkedNote, NodeAtLevel } from "../wire";
import { NoteText } from "./NoteText";
import { plainSentence, plainWords } from "./noteText";

interface TabProps {
  graphId: string;
  id: string;
  model: GraphModel;
}

function Disclosed<L extends Level>(props: TabProps & { level: L; children: (node: NodeAtLevel[L]) => ReactNode }) {
  const { graphId, id, level, children } = props;
  const [fetched, again] = useFetched(`${graphId} ${props.model.graph.revision} ${id} ${level}`, (signal) => readNode(graphId, id, level, signal));
  if (fetched.state === "failed") return <ErrorNote error={fetched.error} retry={again} />;
  if (!fetched.value) {
    return (
      <p className="soft" role="status">
        Reading…
      </p>
    );
  }
  return children(fetched.value);
}

export function InfoTab(props: TabProps) {
  return (
    <Disclosed {...props} level={1}>
      {(node) => (
        <>
          {node.description ? <p className="lead">{readable(node.description)}</p> : <p className="soft">No description yet.</p>}
          {node.tags.length > 0 ? (
            <ul className="tags" aria-label="Tags">
              {node.tags.map((tag) => (
                <li key={tag}>{tag}</li>
              ))}
            </ul>
          ) : null}
          <dl className="facts">
            <dt>Links in</dt>
            <dd>{node.inDegree}</dd>
            <dt>Links out</dt>
            <dd>{node.outDegree}</dd>
            <dt>File</dt>
            <dd>
              <code>{node.path}</code>
            </dd>
            <dt>Id</dt>
            <dd>
              <code>{node.id}</code>
            </dd>
          </dl>
          <p>
            <Link className="button" to={{ view: "pack", how: "traverse", start: node.id, node: "" }}>
              Walk from here
            </Link>
          </p>
        </>
      )}
    </Disclosed>
  );
}

export function LinksTab(props: TabProps) {
  return (
    <Disclosed {...props} level={2}>
      {(node) => (
        <>
          <LinkList title="Links to" notes={node.links} model={props.model} />
          <LinkList title="Linked from" notes={node.backlinks} model={props.model} />
        </>
      )}
    </Disclosed>
  );
}

function LinkList({ title, notes, model }: { title: string; notes: LinkedNote[]; model: GraphModel }) {
  return (
    <section className="link-list">
      <h3>
        {title} <span className="count">{notes.length.toLocaleString("en")}</span>
      </h3>
      {notes.length === 0 ? <p className="soft">None.</p> : null}
      <ul>
        {notes.map((note, index) => (
          <li key={`${note.id} ${index}`}>
            <KindMark look={model.looks.get(note.type)} />
            <div>
              <Link to={{ node: note.id, tab: "info" }}>{note.name}</Link>
              <LinkWords context={note.context} model={model} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The sentence around a link, as it is meant. */
export const LinkWords = ({ context, model }: { context: string; model: GraphModel }) =>
  context ? <blockquote>{plainWords(wholeWords(context), (target) => model.byId.get(model.resolve(target) ?? "")?.name)}</blockquote> : null;

const MOST_SAID = 240;

/** A long sentence is stored cut: that it goes on is shown. */
const wholeWords = (context: string) => (context.length > MOST_SAID && /[\p{L}\p{N},]$/u.test(context) ? `${context}…` : context);

const TokenNote = ({ tokens, what }: { tokens: number; what: string }) => (
  <span className="soft token-note">
    {what}: {tokens.toLocaleString("en")} {tokens === 1 ? "token" : "tokens"}
  </span>
);

export function SectionsTab(props: TabProps) {
  return (
    <Disclosed {...props} level={3}>
      {(node) => (
        <>
          <TokenNote tokens={node.tokens} what="First words of each section" />
          {node.sections.map((section, index) => (
            <section key={index} className={`note-section depth-${section.level}`}>
              {section.heading ? <h3>{plainWords(section.heading)}</h3> : null}
              {section.text ? <NoteText text={plainSentence(section.text)} resolve={props.model.resolve} /> : null}
            </section>
          ))}
          {node.sections.length === 0 ? <p className="soft">This note has no text.</p> : null}
        </>
      )}
    </Disclosed>
  );
}

export function FullTab(props: TabProps) {
  const [raw, setRaw] = useState(false);
  return (
    <Disclosed {...props} level={4}>
      {(node) => (
        <>
          <p className="full-head">
            <TokenNote tokens={node.tokens} what="Whole note" />
            <button type="button" className="link" aria-pressed={raw} onClick={() => setRaw(!raw)}>
              {raw ? "As a page" : "As it was written"}
            </button>
          </p>
          {!node.content ? <p className="soft">This note has no text.</p> : raw ? <NoteText text={node.content} resolve={props.model.resolve} /> : <LaidOut {...props} />}
        </>
      )}
    </Disclosed>
  );
}

function LaidOut({ graphId, id, model }: TabProps) {
  const [fetched, again] = useFetched(`${graphId} ${model.graph.revision} ${id}`, (signal) => readPage(graphId, { id }, signal));
  if (fetched.state === "failed") return <ErrorNote error={fetched.error} retry={again} />;
  const opensHere = (slug: string) => {
    const node = model.byPath.get(`${slug}.md`)?.id ?? model.resolve(slug.split("/").pop()!);
    if (node) go({ node, tab: "full" });
    return node !== undefined;
  };
  return fetched.value ? <Article page={fetched.value} hash="" opensHere={opensHere} /> : null;
}
