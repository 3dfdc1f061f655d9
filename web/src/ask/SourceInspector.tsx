import { call, readPage } from "../api";
import { Article } from "../read/Article";
import { ErrorNote } from "../shell/ErrorNote";
import { Inspector } from "../shell/Inspector";
import { PathLink } from "../shell/Link";
import { useFetched } from "../shell/useFetched";
import { KINDS, type ReadSource } from "./threadApi";
import "../styles/read.css";

interface Props {
  source: ReadSource;
  graph: string;
  path: string;
  close: () => void;
}

/** What was cited, at the line it was cited from. */
export function SourceInspector({ source, graph, path, close }: Props) {
  return (
    <Inspector title={source.title} kind={`${KINDS[source.kind]} · ${source.reason}`} close={close}>
      <p className="source-ways">
        <PathLink to={path}>{source.kind === "memory" ? "Open it in Memory" : source.kind === "section" ? "Read it as a page" : "See it on the map"}</PathLink>
      </p>
      {source.kind === "memory" ? <MemoryText id={source.id} /> : <PageText source={source} graph={graph} />}
    </Inspector>
  );
}

function PageText({ source, graph }: { source: ReadSource; graph: string }) {
  const [slug = "", anchor = ""] = source.kind === "section" ? source.id.split("#") : [];
  const [fetched, again] = useFetched(`${graph} ${source.id}`, (signal) => readPage(graph, source.kind === "section" ? { slug } : { id: source.id }, signal));
  if (fetched.state === "failed") return <ErrorNote error={fetched.error} retry={again} />;
  return fetched.value ? <Article page={fetched.value} hash={anchor} /> : <Reading />;
}

function MemoryText({ id }: { id: string }) {
  const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ node_id: id }) };
  const [fetched, again] = useFetched(id, (signal) => call<{ content: string }>("/get_memory", { ...asked, signal }, "/api/memory"));
  if (fetched.state === "failed") return <ErrorNote error={fetched.error} retry={again} />;
  return fetched.value ? <p className="memory-text">{fetched.value.content}</p> : <Reading />;
}

const Reading = () => (
  <p className="soft source-ways" role="status">
    Reading…
  </p>
);
