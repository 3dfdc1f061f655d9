import { useState } from "react";
import { sourceLinePath } from "../read/readingPath";
import type { GraphModel } from "../shell/graphModel";
import { Link, PathLink } from "../shell/Link";
import type { BrokenLink, IngestAnswer } from "../wire";

/** A file by its path; where its note is known to be in a graph, a way to its line. */
export function FileLink({ file, line, model, graph }: { file: string; line?: number | null; model?: GraphModel; graph?: string }) {
  const text = line ? `${file}:${line}` : file;
  const home = graph ?? (model?.byPath.has(file) ? model.graph.graphId : undefined);
  return home ? (
    <PathLink className="file" to={sourceLinePath(home, file, line)}>
      {text}
    </PathLink>
  ) : (
    <code className="file">{text}</code>
  );
}

/** What reading told, none of which costs the score anything. */
export function Warnings({ warnings, count, model, graph }: { warnings: IngestAnswer["warnings"]; count: number; model?: GraphModel; graph?: string }) {
  if (count === 0) return null;
  return (
    <details>
      <summary>
        Warnings of reading <span className="count">{count.toLocaleString("en")}</span>
      </summary>
      <ul>
        {warnings.map(({ file, line, message }, index) => (
          <li key={index}>
            {file ? <FileLink file={file} line={line} model={model} graph={graph} /> : null} {message}
          </li>
        ))}
        {count > warnings.length ? <li className="soft">and {(count - warnings.length).toLocaleString("en")} more</li> : null}
      </ul>
    </details>
  );
}

export function BrokenLinkItem({ link, model, graph }: { link: BrokenLink; model?: GraphModel; graph?: string }) {
  const suggested = link.suggestion ? model?.byId.get(link.suggestion) : undefined;
  return (
    <li className="broken">
      <p>
        <FileLink file={link.source} line={link.line} model={model} graph={graph} /> names <b>{link.raw || link.target}</b>, but no note
        has that name.
      </p>
      {link.context ? <blockquote>{link.context}</blockquote> : null}
      {link.suggestion ? (
        <p className="suggestion">
          Did you mean{" "}
          {suggested ? <Link to={{ node: suggested.id, tab: "info" }}>{suggested.name}</Link> : <code>{link.suggestion}</code>}?{" "}
          {suggested && link.context.includes(link.raw || link.target) ? <Patch link={link} name={suggested.name} path={suggested.path} /> : null}
        </p>
      ) : null}
    </li>
  );
}

/** The line with its link mended, to put in the place of the one that is there. */
export function mendedLine({ context, raw, target }: BrokenLink, name: string, path: string): string {
  const wrong = raw || target;
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.(md|markdown|mdx)$/i, "");
  return context.replace(wrong, () => (wrong.includes("/") || /\.\w+$/.test(wrong) ? path : wrong === wrong.toLowerCase() ? stem : name));
}

function Patch({ link, name, path }: { link: BrokenLink; name: string; path: string }) {
  const [told, setTold] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(mendedLine(link, name, path));
      setTold("Copied: paste it over the line.");
    } catch {
      setTold(mendedLine(link, name, path));
    }
  };
  return (
    <>
      <button type="button" className="link" onClick={copy}>
        Copy the mended line
      </button>{" "}
      <span role="status">{told}</span>
    </>
  );
}
