import type { ReactNode } from "react";
import { validateGraph } from "../api";
import { ErrorNote } from "../shell/ErrorNote";
import type { GraphModel } from "../shell/graphModel";
import { useFetched } from "../shell/useFetched";
import type { ValidateAnswer } from "../wire";
import { BrokenLinkItem, FileLink } from "./findings";
import { Gaps } from "./Gaps";
import { sumScore } from "./score";

export function HealthView({ model, graphId }: { model: GraphModel; graphId: string }) {
  const [fetched, again] = useFetched(graphId, (signal) => validateGraph(graphId, signal));
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
  const { issues, summary } = fetched.value;
  const clean = Object.values(issues).every((list) => list.length === 0);
  return (
    <section className="health" aria-label="Health">
      <ScoreSheet answer={fetched.value} />
      <div className="findings">
        <h2>Findings</h2>
        <p className="lead">{clean ? "Nothing to mend: every link leads somewhere and every note is described." : summary}</p>
        <Finding title="Broken links" count={issues.brokenLinks.length}>
          {issues.brokenLinks.map((link, index) => (
            <BrokenLinkItem key={index} link={link} model={model} />
          ))}
        </Finding>
        <Files title="Missing descriptions" files={issues.missingDescriptions.map(({ file }) => file)} model={model} />
        <Files title="Missing types" files={issues.missingTypes.map(({ file }) => file)} model={model} />
        <Files title="Missing domains" files={issues.missingDomains.map(({ file }) => file)} model={model} />
        <Files title="Orphans, linked with nothing" files={issues.orphans.map(({ file }) => file)} model={model} />
        <Finding title="Pairs that link only each other" count={issues.circularOnly.length}>
          {issues.circularOnly.map(({ files }) => (
            <li key={files.join("\n")}>
              <FileLink file={files[0]} model={model} /> and <FileLink file={files[1]} model={model} />
            </li>
          ))}
        </Finding>
        <Gaps graphId={graphId} />
      </div>
    </section>
  );
}

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

function Finding({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  if (count === 0) return null;
  return (
    <details open={count <= 60}>
      <summary>
        {title} <span className="count">{count}</span>
      </summary>
      <ul>{children}</ul>
    </details>
  );
}

function Files({ title, files, model }: { title: string; files: string[]; model: GraphModel }) {
  return (
    <Finding title={title} count={files.length}>
      {files.map((file) => (
        <li key={file}>
          <FileLink file={file} model={model} />
        </li>
      ))}
    </Finding>
  );
}
