import type { GraphModel } from "../shell/graphModel";
import { Link } from "../shell/Link";
import type { BrokenLink } from "../wire";

/** A file by its path; where the graph is at hand, a way to its note. */
export function FileLink({ file, line, model }: { file: string; line?: number | null; model?: GraphModel }) {
  const node = model?.byPath.get(file);
  const text = line ? `${file}:${line}` : file;
  return node ? (
    <Link className="file" to={{ node: node.id, tab: "full" }}>
      {text}
    </Link>
  ) : (
    <code className="file">{text}</code>
  );
}

export function BrokenLinkItem({ link, model }: { link: BrokenLink; model?: GraphModel }) {
  const suggested = link.suggestion ? model?.byId.get(link.suggestion) : undefined;
  return (
    <li className="broken">
      <p>
        <FileLink file={link.source} line={link.line} model={model} /> names <b>{link.raw || link.target}</b>, but no note
        has that name.
      </p>
      {link.context ? <blockquote>{link.context}</blockquote> : null}
      {link.suggestion ? (
        <p className="suggestion">
          Did you mean{" "}
          {suggested ? <Link to={{ node: suggested.id, tab: "info" }}>{suggested.name}</Link> : <code>{link.suggestion}</code>}?
        </p>
      ) : null}
    </li>
  );
}
