import { Fragment, type ReactNode, useMemo, useState } from "react";
import { type Piece, readMarkdown } from "../overlay/answer/inertMarkdown";
import { ErrorNote } from "../shell/ErrorNote";
import { Inspector } from "../shell/Inspector";
import { skillOf } from "./findMarks";
import type { NamedSource } from "./routeSource";
import { readSkillFile, type RouteSkill, type Routes, useAnswer } from "./routeWire";

interface Props {
  id: string;
  named: NamedSource;
  routes: Routes;
  skill: RouteSkill;
  close: () => void;
  open: (skill: string) => void;
  openRule: (edge: number) => void;
  /** Lets the model pick it in the walk, where it may. */
  pick: (() => void) | null;
}

/** One skill: what it says, its tools, who routes here, where it leads. */
export function SkillInspector({ id, named, routes, skill, close, open, openRule, pick }: Props) {
  const file = routes.files[skill.id];
  const [fetched, content] = useAnswer(file ? `${id} ${skill.id}` : null, (signal) => readSkillFile(named.source, skill.id, file!, signal));
  const [isRaw, setRaw] = useState(false);
  const problems = routes.checkup.problems.filter((problem) => skillOf(problem) === skill.id);
  const into = routes.edges.flatMap((edge, number) => (edge.to === skill.id ? [number] : []));
  const out = routes.edges.flatMap((edge, number) => (edge.from === skill.id ? [number] : []));
  const lines = new Set(problems.flatMap(({ file: place, line }) => (place === file && line ? [line] : [])));
  const kind = [into.some((edge) => routes.edges[edge]!.kind === "entry") ? "entry" : "", skill.end ? "end" : "", "skill"].filter(Boolean).join(" · ");
  return (
    <Inspector title={skill.id} kind={kind} close={close}>
      <div className="routes-inspected">
        <p className="lead">{skill.description}</p>
        {problems.map(({ message, line }, number) => (
          <p key={number} className="finding">
            {message}
            {line ? ` (line ${line})` : ""}
          </p>
        ))}
        {pick ? (
          <p>
            <button type="button" onClick={pick}>
              Let the model pick it
            </button>
          </p>
        ) : null}
        {skill.tools.length > 0 ? (
          <section>
            <h3>Tools</h3>
            <ul className="tags">
              {skill.tools.map((tool) => (
                <li key={tool}>
                  <code>{tool}</code>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        <Edges title="Who routes here" edges={into} routes={routes} end="from" openRule={openRule} />
        <Edges title="Where it leads" edges={out} routes={routes} end="to" openRule={openRule} />
        <section>
          <h3 className="routes-file">
            {isRaw ? <code>{file}</code> : "What it says"}
            <button type="button" className="quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
              {isRaw ? "As text" : "As file"}
            </button>
          </h3>
          {fetched.state === "failed" && fetched.error.status !== 0 ? <ErrorNote error={fetched.error} /> : null}
          {content === undefined ? null : isRaw ? <RawFile text={content} lines={lines} /> : <SkillText text={withoutHeader(content)} skills={routes.skills} open={open} />}
        </section>
      </div>
    </Inspector>
  );
}

function Edges({ title, edges, routes, end, openRule }: { title: string; edges: number[]; routes: Routes; end: "from" | "to"; openRule: (edge: number) => void }) {
  return (
    <section>
      <h3>
        {title} <span className="count">{edges.length}</span>
      </h3>
      {edges.length === 0 ? <p className="soft">{end === "from" ? "Nobody." : "Nowhere."}</p> : null}
      <ul className="routes-edges">
        {edges.map((edge) => (
          <li key={edge}>
            <button type="button" className="link" onClick={() => openRule(edge)}>
              {routes.edges[edge]![end] ?? "the start"}
            </button>{" "}
            <span className="soft">{routes.rules[edge]!.says}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RawFile({ text, lines }: { text: string; lines: Set<number> }) {
  return (
    <pre className="routes-raw" tabIndex={0}>
      {text.split("\n").map((line, number) => (
        <span key={number} className={lines.has(number + 1) ? "marked" : undefined}>
          {line}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

const withoutHeader = (text: string) => text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/, "");
const SKILL_LINK = "skill:";

/** A skill's body. It may be anybody's: nothing in it becomes HTML, and links lead to skills of this graph alone. */
function SkillText({ text, skills, open }: { text: string; skills: RouteSkill[]; open: (skill: string) => void }) {
  const pieces = useMemo(() => {
    const known = new Map(skills.map(({ id }) => [id.toLowerCase(), id]));
    const found = (name: string) => known.get(name.trim().toLowerCase());
    const linked = text.replace(/\[\[([^\]|\n]{1,200})(?:\|([^\]\n]{1,200}))?\]\]/g, (whole, name: string, alias?: string) =>
      found(name) ? `[${alias ?? name}](${SKILL_LINK}${encodeURIComponent(found(name)!)})` : whole,
    );
    return readMarkdown(linked, (url) => {
      const name = url.startsWith(SKILL_LINK) ? url.slice(SKILL_LINK.length) : /([^/]+)\/SKILL\.md$/i.exec(url)?.[1];
      const id = name && found(decodeURIComponent(name));
      return id ? `#${id}` : null;
    });
  }, [text, skills]);
  const draw = (piece: Piece, key: number): ReactNode => {
    if (typeof piece === "string") return <Fragment key={key}>{piece}</Fragment>;
    const children = piece.children.length > 0 ? piece.children.map(draw) : undefined;
    if (piece.href !== undefined) {
      return (
        <button key={key} type="button" className="link inline" onClick={() => open(piece.href!.slice(1))}>
          {children}
        </button>
      );
    }
    const Tag = piece.tag as "p";
    return (
      <Tag key={key} {...(piece.tag === "pre" || piece.name === "scroll" ? { tabIndex: 0 } : {})} {...(piece.start !== undefined && { start: piece.start })}>
        {children}
      </Tag>
    );
  };
  return <div className="routes-body">{pieces.map(draw)}</div>;
}
