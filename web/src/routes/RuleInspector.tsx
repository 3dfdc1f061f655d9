import { Inspector } from "../shell/Inspector";
import { edgesOf } from "./findMarks";
import type { Routes, RouteVerdict } from "./routeWire";
import { suggest } from "./walk/StepForm";

interface Props {
  routes: Routes;
  edge: number;
  verdict: RouteVerdict | null;
  close: () => void;
  open: (skill: string) => void;
}

/** One edge: what it waits for, what became of it in this step, and a button that fills the form so that it wins. */
export function RuleInspector({ routes, edge, verdict, close, open }: Props) {
  const { from, to, kind, label, priority, reason } = routes.edges[edge]!;
  const { says, tool, statuses, example, question, carry, file, line } = routes.rules[edge]!;
  const problems = routes.checkup.problems.filter((problem) => edgesOf(routes, problem).includes(edge));
  const link = (id: string | null) =>
    routes.skills.some((skill) => skill.id === id) ? (
      <button type="button" className="link" onClick={() => open(id!)}>
        {id}
      </button>
    ) : (
      (id ?? "the start")
    );
  return (
    <Inspector title={`${from ?? "Start"} → ${to}`} kind={kind === "model" ? "link that a model may follow" : kind === "entry" ? "way in" : "rule"} close={close}>
      <div className="routes-inspected">
        {problems.map(({ message }, number) => (
          <p key={number} className="finding">
            {message}
          </p>
        ))}
        <p className="lead">
          {kind === "model" ? "Only the model takes it" : `When ${says}`}
          {label && kind !== "on-tool-return" ? ` (${label})` : ""}.
        </p>
        {reason ? <blockquote>{reason}</blockquote> : null}
        {verdict ? (
          <p>
            In this step: <b className={`verdict ${verdict.verdict.replace(" ", "-")}`}>{verdict.verdict}</b>, {verdict.why}.
          </p>
        ) : null}
        <dl className="facts">
          <dt>From</dt>
          <dd>{link(from)}</dd>
          <dt>To</dt>
          <dd>{link(to)}</dd>
          {priority !== 0 ? (
            <>
              <dt>Priority</dt>
              <dd>{priority}, higher goes first</dd>
            </>
          ) : null}
          {carry.length > 0 ? (
            <>
              <dt>Carries</dt>
              <dd>{carry.join(", ")}</dd>
            </>
          ) : null}
          {file ? (
            <>
              <dt>Stands in</dt>
              <dd>
                <code>
                  {file}
                  {line ? `:${line}` : ""}
                </code>
              </dd>
            </>
          ) : null}
        </dl>
        {tool || question ? (
          <p>
            <button type="button" onClick={() => suggest({ tool: tool ?? "", status: statuses[0] ?? (tool ? "success" : ""), result: example ?? "", question })}>
              Fill the form so that it holds
            </button>
          </p>
        ) : null}
      </div>
    </Inspector>
  );
}
