import { type ReactNode, useCallback } from "react";
import { Ending } from "../sessions/run/Ending";
import { NeedsYou } from "../sessions/run/NeedsYou";
import { RawEvents } from "../sessions/run/RawEvents";
import { readGiven } from "../sessions/sessionApi";
import type { LinkState } from "../sessions/SessionFeed";
import { StatusMark } from "../sessions/StatusMark";
import { type AskedQuestion, isRunning, openQuestions, type Story } from "../sessions/sessionStory";
import type { SessionFacts, SessionState } from "../sessions/sessionWire";
import { type Mark, standing } from "../sessions/words";
import { counted as tally } from "../counted";
import { PathLink } from "../shell/Link";
import { useQueryField } from "../shell/useAddress";
import { useFetched } from "../shell/useFetched";
import { RunBlocks } from "../studio/blocks/RunBlocks";
import { BoardView } from "./board/BoardView";
import { BuildEnd } from "./BuildEnd";
import { BuildMade } from "./BuildMade";
import { Cards, Team } from "./BuildTeam";
import { type BuildStory, type Gate, hasPage, openGates } from "./buildStory";
import { Preview } from "./Preview";
import { TaskGraph } from "./TaskGraph";
import { TaskInspector } from "./TaskInspector";
import { type Asking, TaskRows } from "./TaskRows";

interface Props {
  id: string;
  story: Story;
  link: LinkState;
  facts: SessionFacts;
  goal: string;
  isCaughtUp: boolean;
  /** It is looked at as it stood with an earlier event: nothing can be done then. */
  isPast: boolean;
}

/** A build while it runs and after: all of it from its log, but for the address at which this server shows the page. */
export function BuildView({ id, story, link, facts, goal, isCaughtUp, isPast }: Props) {
  const { build } = story;
  const questions = openQuestions(story);
  const gates = openGates(build);
  const asking = askedAt(questions, gates);
  const waiting = new Set(asking.keys());
  // Who is asked how it looks must be able to look; of the past, at what was there then.
  const mayLook = gates.length > 0 && facts.url !== null;
  const [given] = useFetched(mayLook && isPast && !hasPage(build) ? id : null, (signal) => readGiven(id, signal));
  const hadPage = !isPast || hasPage(build) || Boolean(given.value?.continues); // what it continues had one before its first commit
  const url = build.url !== null ? (facts.url ?? build.url) : mayLook && hadPage ? facts.url : null;
  const [chosen, choose] = useQueryField("task");
  const open = useCallback((task: string) => choose(task, "push"), []);
  const opened = build.tasks.find((task) => task.id === chosen);
  const graph = facts.spec?.knowledge?.graphId;
  const hasBoard = Boolean(facts.spec?.hardware) || build.board !== null;
  const isOver = story.state === "done";
  const isShown = url !== null && link !== "deleted";
  // What waits for a person, or how it ended, stands where the team was, and the team below it: nothing else moves.
  const isQuiet = gates.length + questions.length === 0 && !isOver;
  const graphOfTasks = <TaskGraph tasks={build.tasks} waiting={waiting} open={open} />;
  const hasStage = isShown || !hasBoard;
  const board = hasBoard ? (
    <BoardView id={id} hardware={facts.spec?.hardware} board={build.board} canRun={isOver && build.folder !== null && !isPast && link !== "deleted"} />
  ) : null;
  const title = (
    <>
      <h2 id="tasks-title">Plan</h2>
      <span className="soft">{planLine(build)}</span>
      {isCaughtUp ? null : <progress aria-label="Events read" max={facts.last_seq} value={story.lastSeq} />}
    </>
  );
  return (
    <>
      <Phases story={story} />
      <Narrator build={build} silent={!isCaughtUp} />
      <div className={hasStage ? "session-body build-body staged" : "session-body build-body"}>
        {isShown ? <Preview url={url} goal={goal} isWhole={build.url !== null} version={build.commits.length} /> : hasStage ? <Stage isOver={isOver}>{graphOfTasks}</Stage> : null}
        <div className="session-side">
          {isQuiet ? <Team agents={build.agents} /> : null}
          {link === "deleted" ? null : <NeedsYou id={id} story={story} isPast={isPast} />}
          <Ending story={story} />
          {link === "deleted" || isPast ? null : <BuildEnd id={id} goal={goal} story={story} />}
        </div>
        <div className="session-steps">
          {/* What was made for a board is played with there: it comes before how it was made. */}
          {isOver ? board : null}
          <section aria-labelledby="tasks-title">
            <RunBlocks id={id} kind="build" story={story} given={null} title={title}>
              {build.explanation ? <p className="explanation">{build.explanation}</p> : null}
              {graph ? <Knowledge id={id} graph={graph} /> : null}
              {build.tasks.length === 0 && isCaughtUp ? <p className="soft">{NO_PLAN[story.state ?? "idle"] ?? "There is no plan yet."}</p> : null}
              <TaskRows tasks={build.tasks} asking={asking} open={open} />
              {isShown || !hasStage ? graphOfTasks : null}
            </RunBlocks>
          </section>
          <Notes build={build} />
          {isOver ? null : board}
          <BuildMade build={build} id={id} />
          <RawEvents events={story.events} length={story.lastSeq} />
        </div>
        <div className="build-beside">
          <Cards cards={build.cards} />
          <Decided gates={build.gates} />
          {isQuiet ? null : <Team agents={build.agents} />}
        </div>
      </div>
      {opened ? <TaskInspector id={id} task={opened} close={() => choose("", "push")} /> : null}
    </>
  );
}

/** Which notes it works with, and the map on which it is followed. */
const Knowledge = ({ id, graph }: { id: string; graph: string }) => (
  <p className="soft">
    It works with the notes of <PathLink to={`/g/${encodeURIComponent(graph)}/map`}>{graph}</PathLink>:{" "}
    <PathLink to={`/routes/${encodeURIComponent(graph)}?session=${encodeURIComponent(id)}`}>follow on the map which skills it opens</PathLink>
  </p>
);

/** The place of the preview, kept for it: until there is something to see, how the tasks hang together. */
const Stage = ({ isOver, children }: { isOver: boolean; children: ReactNode }) => (
  <section className="preview stage-kept" aria-labelledby="preview-title">
    <div className="preview-head">
      <h2 id="preview-title">{isOver ? "The work" : "Preview"}</h2>
    </div>
    <div className="stage-box">
      {isOver ? null : <p className="soft">What is made is shown here as soon as there is something to see.</p>}
      {children}
    </div>
  </section>
);

/** By the tasks at which it is asked: one is asked by its agent, behind another a gate stands. */
function askedAt(questions: AskedQuestion[], gates: Gate[]): Map<string, Asking[]> {
  const asking = new Map<string, Asking[]>();
  const add = (task: string, one: Asking) => asking.set(task, [...(asking.get(task) ?? []), one]);
  for (const { asker, questionId, questions: texts } of questions) add(asker.id, { id: questionId, text: texts.map((each) => each.question || each.header).join(" ") });
  for (const { taskId, gateId, question } of gates) add(taskId, { id: gateId, text: question });
  return asking;
}

const NO_PLAN: Partial<Record<SessionState, string>> = {
  idle: "This build waits for its start.",
  planning: "The planner makes tasks of the wish…",
  done: "No plan was made.",
};

function planLine({ tasks, revision }: BuildStory): string {
  if (tasks.length === 0) return "";
  const counted = tasks.filter((task) => !task.isReplaced);
  const done = counted.filter((task) => task.status === "done").length;
  return `${done} of ${tally(counted.length, "task")} done${revision > 0 ? `, changed ${revision === 1 ? "once" : `${revision} times`}` : ""}`;
}

const PHASES: [SessionState, string][] = [
  ["planning", "Plan"],
  ["executing", "Build"],
  ["testing", "Test"],
  ["deploying", "Deploy"],
  ["done", "Done"],
];

/** Where the build stands. While somebody decides, it stands where it was when it asked. */
function Phases({ story }: { story: Story }) {
  const { build, state } = story;
  const now = state === "reviewing" ? (openGates(build)[0]?.openedIn ?? "executing") : state;
  const markOf = (phase: SessionState): [Mark, string] => {
    if (phase === "done" && state === "done") return [standing(state, story.outcome)[0], "the end"];
    if (phase === now) return state === "reviewing" ? ["waiting", "waits for you"] : ["running", "under way"];
    return build.reached.includes(phase) ? ["completed", "done"] : ["idle", isRunning(story) ? "to come" : "not reached"];
  };
  return (
    <ol className="phases" aria-label="Phases">
      {PHASES.map(([phase, word]) => {
        const [mark, told] = markOf(phase);
        return (
          <li key={phase} className={mark} aria-current={phase === now ? "step" : undefined}>
            <StatusMark mark={mark} />
            {phase === "done" && state === "done" ? standing(state, story.outcome)[1] : word}
            <span className="unseen">: {told}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** The last line is the one that counts; the others are there for who came late. Its place is kept until there is one. */
function Narrator({ build, silent }: { build: BuildStory; silent: boolean }) {
  const last = build.lines[build.lines.length - 1];
  return (
    <section className={`narrator ${last?.mood ?? ""}`} aria-label="Narrator">
      <p className="narrator-line" aria-live={silent ? "off" : "polite"}>
        {last ? last.text : <span className="soft">What happens is told here.</span>}
      </p>
      {build.lines.length > 1 ? (
        <details>
          <summary>The story so far</summary>
          <ol aria-label="The story so far">
            {build.lines.map((line, index) => (
              <li key={index}>{line.text}</li>
            ))}
          </ol>
        </details>
      ) : null}
    </section>
  );
}

function Notes({ build }: { build: BuildStory }) {
  if (build.warnings.length + build.troubles.length === 0) return null;
  return (
    <ul className="house-notes" aria-label="Warnings and troubles">
      {build.warnings.map((warning, index) => (
        <li key={`w${index}`}>{warning}</li>
      ))}
      {build.troubles.map((trouble, index) => (
        <li key={`t${index}`} className="trouble">
          {trouble}
        </li>
      ))}
    </ul>
  );
}

const DECISIONS: Record<Gate["status"], string> = { open: "", approved: "Approved", rejected: "Rejected", "left open": "Not decided: the build ended first" };

function Decided({ gates }: { gates: Gate[] }) {
  const closed = gates.filter((gate) => gate.status !== "open");
  if (closed.length === 0) return null;
  return (
    <section aria-labelledby="decided-title">
      <h2 id="decided-title">Decided</h2>
      <ul className="decided" aria-label="Decided">
        {closed.map((gate) => (
          <li key={gate.gateId}>
            <p>{gate.question}</p>
            <p className="soft">
              {DECISIONS[gate.status]}
              {gate.feedback ? `: ${gate.feedback}` : ""}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
