import { memo } from "react";
import type { OutlineRow, OutlineStatus } from "../planOutline";
import { PermissionLine, SaidText } from "../SaidText";
import { StatusMark } from "../StatusMark";
import type { AskedQuestion, Said, StoryRow } from "../sessionStory";
import { GoToCard } from "./NeedsYou";
import { useShown } from "../useShown";
import { counted } from "../../counted";
import { between, type Mark, stepType, stepWords } from "../words";

const MANY = 300;

/** The plan as an indented list: what ran, what is to come, and what was passed by. */
export function StepRows({ rows }: { rows: OutlineRow[] }) {
  const [shown, more] = useShown(rows.length, MANY, "steps");
  return (
    <>
      <ol className="steps" aria-label="Steps">
        {rows.slice(0, shown).map(({ key, row, step, depth, status }) =>
          row ? (
            <StepRow key={key} row={row} does={step && SILENT.has(step.type) ? stepWords(step) : ""} status={row.status} version={row.version} />
          ) : (
            <PlannedRow key={key} id={step!.id} does={stepWords(step!)} depth={depth} status={status} />
          ),
        )}
      </ol>
      {more}
    </>
  );
}

/** Of these nothing else would be seen once they have run. */
const SILENT = new Set(["branch", "set_context"]);

const isWaiting = (row: StoryRow) => row.said.some((said) => said.kind === "question" && said.asked.status === "open");

const level = (depth: number) => ({ "aria-level": depth, style: { "--depth": depth - 1 } as React.CSSProperties });

/** `version` is what memo looks at: while a session runs the row itself is always the same value. */
const StepRow = memo(
  function StepRow({ row, does }: { row: StoryRow; does: string; status: string; version: number }) {
    const waiting = row.status === "running" && isWaiting(row);
    return (
      <li className={row.kind === "skill" ? "step skill" : "step"} {...level(row.depth)}>
        <p className="step-line">
          <StatusMark mark={waiting ? "waiting" : row.status} />
          <span className="unseen">{waiting ? "waits for an answer" : row.status}: </span>
          <span className="step-name">{row.name}</span>
          <span className="soft step-type">{row.kind === "skill" ? "skill" : does || stepType(row.stepType)}</span>
          <span className="soft step-figures">
            {row.tokens > 0 ? <span>{counted(row.tokens, "token")}</span> : null}
            {row.endedAt && row.endedAt !== row.startedAt ? <span>{between(row.startedAt, row.endedAt)}</span> : null}
          </span>
        </p>
        {row.said.map((said) => (
          <SaidItem key={said.seq} said={said} />
        ))}
      </li>
    );
  },
  (before, now) => before.row === now.row && before.version === now.version && before.status === now.status,
);

const PLANNED: Partial<Record<OutlineStatus, [Mark, string]>> = {
  "to come": ["idle", "to come"],
  skipped: ["partial", "not taken"],
  "not reached": ["idle", "not reached"],
};

const PlannedRow = memo(function PlannedRow({ id, does, depth, status }: { id: string; does: string; depth: number; status: OutlineStatus }) {
  const [mark, word] = PLANNED[status]!;
  return (
    <li className={status === "skipped" ? "step planned skipped" : "step planned"} {...level(depth)}>
      <p className="step-line">
        <StatusMark mark={mark} />
        <span className="unseen">{word}: </span>
        <span className="step-name">{id}</span>
        <span className="step-type">{does}</span>
        <span className="step-figures" aria-hidden="true">
          {word}
        </span>
      </p>
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
      {asked.status === "open" ? <GoToCard id={asked.questionId} /> : null}
    </div>
  );
}
