import { memo } from "react";
import { PermissionLine } from "./PermissionLine";
import { SaidText } from "./SaidText";
import { StatusMark } from "./StatusMark";
import type { AskedQuestion, Said, StoryRow } from "./sessionStory";
import { useShown } from "./useShown";
import { between, count, stepType } from "./words";

const MANY = 300;

/** The steps as an indented list. Rows are only ever added at its end, so nothing above moves while one reads. */
export function StepRows({ rows }: { rows: StoryRow[] }) {
  const [shown, more] = useShown(rows.length, MANY, "steps");
  return (
    <>
      <ol className="steps" aria-label="Steps">
        {rows.slice(0, shown).map((row) => (
          <StepRow key={row.key} row={row} version={row.version} />
        ))}
      </ol>
      {more}
    </>
  );
}

const isWaiting = (row: StoryRow) => row.said.some((said) => said.kind === "question" && said.asked.status === "open");

const WORDS = { running: "running", completed: "completed", failed: "failed", stopped: "stopped" };

/** `version` is what memo looks at: the row itself is always the same value. */
const StepRow = memo(function StepRow({ row }: { row: StoryRow; version: number }) {
  const waiting = row.status === "running" && isWaiting(row);
  return (
    <li className={row.kind === "skill" ? "step skill" : "step"} aria-level={row.depth} style={{ "--depth": row.depth - 1 } as React.CSSProperties}>
      <p className="step-line">
        <StatusMark mark={waiting ? "waiting" : row.status} />
        <span className="unseen">{waiting ? "waits for an answer" : WORDS[row.status]}: </span>
        <span className="step-name">{row.name}</span>
        <span className="soft step-type">{row.kind === "skill" ? "skill" : stepType(row.stepType)}</span>
        <span className="soft step-figures">
          {row.tokens > 0 ? <span>{count(row.tokens, "token")}</span> : null}
          {row.endedAt && row.endedAt !== row.startedAt ? <span>{between(row.startedAt, row.endedAt)}</span> : null}
        </span>
      </p>
      {row.said.map((said) => (
        <SaidItem key={said.seq} said={said} />
      ))}
    </li>
  );
});

function SaidItem({ said }: { said: Said }) {
  if (said.kind === "output") {
    return (
      <div className="output">
        <SaidText text={said.text} />
      </div>
    );
  }
  if (said.kind === "question") return <QuestionLine asked={said.asked} />;
  return <PermissionLine told={said} />;
}

const ANSWERED: Record<AskedQuestion["status"], string> = {
  open: "Waits for an answer.",
  answered: "Answered.",
  late: "Nobody answered in time.",
  "left open": "Not answered: the session ended first.",
};

function QuestionLine({ asked }: { asked: AskedQuestion }) {
  return (
    <div className={asked.status === "late" ? "asked late" : "asked"}>
      {asked.questions.map((question, index) => (
        <p key={index}>{question.question || question.header}</p>
      ))}
      <p className="soft">{asked.answers.length > 0 ? `Answered: ${asked.answers.join("; ")}` : ANSWERED[asked.status]}</p>
    </div>
  );
}
