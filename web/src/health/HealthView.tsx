import type { ReactNode } from "react";
import { validateGraph } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import type { GraphModel } from "../shell/graphModel";
import { useFetched } from "../shell/useFetched";
import type { FileFault, ValidateAnswer } from "../wire";
import { Finding, type Kind, WORDS } from "./FindingKind";
import { BrokenLinkItem, FileLink, Warnings } from "./findings";
import { Gaps } from "./Gaps";
import { sumScore } from "./score";

export function HealthView({ model, graphId }: { model: GraphModel; graphId: string }) {
  const [fetched, again] = useFetched(`${graphId} ${model.graph.revision}`, (signal) => validateGraph(graphId, signal));
  if (fetched.state === "failed") {
    return (
      <div className="centred">
        <ErrorNote error={fetched.error} retry={again} />
      </div>
    );
  }
  if (!fetched.value) {
    return (
      <p className="centred soft" role="status">
        Checking…
      </p>
    );
  }
  const { issues, deductions, score, summary, warnings, warningCount } = fetched.value;
  const clean = Object.values(issues).every((list) => list.length === 0);
  const files = (faults: FileFault[]) => faults.map(({ file }) => <FileRow key={file} file={file} model={model} />);
  const rows: Record<Kind, ReactNode> = {
    brokenLinks: issues.brokenLinks.map((link, index) => <BrokenLinkItem key={index} link={link} model={model} />),
    missingDescriptions: files(issues.missingDescriptions),
    missingTypes: files(issues.missingTypes),
    missingDomains: files(issues.missingDomains),
    orphans: files(issues.orphans),
    circularOnly: issues.circularOnly.map(({ files: [one, other] }) => (
      <li key={`${one}\n${other}`}>
        <FileLink file={one} model={model} /> and <FileLink file={other} model={model} />
      </li>
    )),
  };
  // What is worth most comes first, and stands open.
  const kinds = (Object.keys(WORDS) as Kind[]).filter((kind) => issues[kind].length > 0).sort((one, other) => deductions[other] - deductions[one]);
  return (
    <section className="health" aria-label="Health">
      <ScoreSheet answer={fetched.value} />
      <div className="findings">
        <h2>Findings</h2>
        <p className="lead">{!clean ? summary : warningCount === 0 ? "Nothing to mend: every link leads somewhere and every note is described." : "Nothing that costs points; what reading warned of is below."}</p>
        {kinds.map((kind, place) => (
          <Finding key={kind} kind={kind} worth={Math.min(deductions[kind], 100 - score)} opens={place === 0 || issues[kind].length <= FEW}>
            {rows[kind]}
          </Finding>
        ))}
        <Warnings warnings={warnings} count={warningCount} model={model} />
        <Gaps graphId={graphId} />
      </div>
    </section>
  );
}

const FEW = 12;

const FileRow = ({ file, model }: { file: string; model: GraphModel }) => (
  <li>
    <FileLink file={file} model={model} />
  </li>
);

function ScoreSheet({ answer }: { answer: ValidateAnswer }) {
  const sum = sumScore(answer);
  return (
    <div className="score-sheet">
      <h2>Score</h2>
      <p className="big-score">
        {answer.score}
        <small> / {answer.maxScore}</small>
      </p>
      <table aria-label="How the score is made">
        <tbody>
          <Row points="100" label="to begin with" />
          {sum.penalties.map(({ label, count, points }) => (
            <Row key={label} points={`− ${-points}`} label={`${count.toLocaleString("en")} ${label}`} />
          ))}
          <Row points={`= ${sum.base}`} label={sum.rawBase < 0 ? "never below 0" : "so far"} sum />
          {sum.bonuses.map(({ label, points }) => (
            <Row key={label} points={`+ ${points}`} label={`of 10: ${label}`} />
          ))}
          <Row points={`= ${sum.total}`} label={sum.rawTotal > 100 ? "never above 100" : "score"} sum />
        </tbody>
      </table>
    </div>
  );
}

const Row = ({ points, label, sum = false }: { points: string; label: string; sum?: boolean }) => (
  <tr className={sum ? "sum" : undefined}>
    <td className="number">{points}</td>
    <td>{label}</td>
  </tr>
);
