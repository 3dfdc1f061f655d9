import { useEffect, useState } from "react";
import { BuildView } from "../builds/BuildView";
import { ErrorNote } from "../shell/ErrorNote";
import { PathLink } from "../shell/Link";
import { usePageTitle } from "../shell/usePageTitle";
import { Announcer } from "./Announcer";
import { Ending } from "./Ending";
import { QuestionForm } from "./QuestionForm";
import { RawEvents } from "./RawEvents";
import { SessionButtons } from "./SessionButtons";
import type { SessionFeed } from "./SessionFeed";
import { StatusMark } from "./StatusMark";
import { StepRows } from "./StepRows";
import { isRunning, isWaiting, openQuestions, type Story } from "./sessionStory";
import type { SessionFacts, SessionState } from "./sessionWire";
import { TokenMeter } from "./TokenMeter";
import { useSessionFeed } from "./useSessionFeed";
import { between, count, KINDS, lasted, standing, WAITS, when } from "./words";

export function SessionPage({ id }: { id: string }) {
  const feed = useSessionFeed(id);
  const name = feed ? nameOf(feed) : "Session";
  usePageTitle(`${name} · Studio`);
  return (
    <main id="main" className="session" tabIndex={-1}>
      <PathLink to="/studio" className="back">
        All sessions
      </PathLink>
      {feed ? <Session id={id} feed={feed} /> : null}
    </main>
  );
}

/** A build is called by its goal, which no event tells. */
function nameOf({ story, facts }: SessionFeed): string {
  const unnamed = story.kind === "build" ? "Build" : story.kind === "skill" ? "Unnamed plan" : "Session";
  return story.name || facts?.spec?.project?.goal || unnamed;
}

function Session({ id, feed }: { id: string; feed: SessionFeed }) {
  const { story, facts, link } = feed;
  if (link === "refused" && feed.error) return <ErrorNote error={feed.error} />;
  if (!facts || story.kind === null) return <Arriving link={link} />;
  const isCaughtUp = story.lastSeq >= facts.last_seq;
  return (
    <>
      <SessionHead id={id} feed={feed} facts={facts} name={nameOf(feed)} />
      {story.kind === "build" ? (
        <BuildView id={id} feed={feed} facts={facts} goal={nameOf(feed)} isCaughtUp={isCaughtUp} />
      ) : (
        <SkillRun id={id} feed={feed} facts={facts} isCaughtUp={isCaughtUp} />
      )}
      <Announcer news={story.news} silent={!isCaughtUp} />
    </>
  );
}

interface RunProps {
  id: string;
  feed: SessionFeed;
  facts: SessionFacts;
  isCaughtUp: boolean;
}

function SkillRun({ id, feed: { story, link }, facts, isCaughtUp }: RunProps) {
  const questions = openQuestions(story);
  return (
    <div className="session-body">
      <div className="session-side">
        {questions.length > 0 && link !== "deleted" ? (
          <section aria-labelledby="questions-title">
            <h2 id="questions-title">{questions.length === 1 ? "A question for you" : "Questions for you"}</h2>
            {questions.map((asked) => (
              <QuestionForm key={asked.questionId} session={id} asked={asked} />
            ))}
          </section>
        ) : null}
        <Ending story={story} />
        {isRunning(story) && questions.length === 0 ? <p className="soft">Nothing to answer just now.</p> : null}
      </div>
      <section className="session-steps" aria-labelledby="steps-title">
        <div className="steps-head">
          <h2 id="steps-title">Steps</h2>
          {isCaughtUp ? null : <progress aria-label="Events read" max={facts.last_seq} value={story.lastSeq} />}
        </div>
        {isCaughtUp && story.rows.length === 0 ? <p className="soft">{NO_STEPS[story.state ?? "executing"] ?? "No step yet."}</p> : null}
        <StepRows rows={story.rows} />
        <RawEvents events={story.events} length={story.lastSeq} />
      </section>
    </div>
  );
}

const Arriving = ({ link }: { link: SessionFeed["link"] }) => (
  <p className="soft" role="status">
    {link === "lost" ? "The server does not answer. Trying again…" : "Reading…"}
  </p>
);

const NO_STEPS: Partial<Record<SessionState, string>> = { done: "No step ran." };

interface HeadProps {
  id: string;
  feed: SessionFeed;
  facts: SessionFacts;
  name: string;
}

function SessionHead({ id, feed: { story, link }, facts, name }: HeadProps) {
  const [mark, word] = isWaiting(story) ? WAITS : standing(story.state!, story.outcome);
  const path = story.open.map((row) => row.name).join(" › ");
  const now = path ? `Now: ${path}` : count(story.rows.filter((row) => row.kind === "step").length, "step");
  return (
    <header className="session-head">
      <div className="page-head">
        <h1 id="session-title" tabIndex={-1}>
          {name}
        </h1>
        {link === "deleted" ? null : <SessionButtons id={id} story={story} name={name} />}
      </div>
      <p className="session-line">
        <span className={`standing ${mark}`}>
          <StatusMark mark={mark} />
          {word}
        </span>
        <span className="soft">{KINDS[story.kind!]}</span>
        <span className="soft">
          <time dateTime={story.startedAt!}>{when(story.startedAt!)}</time>
        </span>
        <Took story={story} />
        <LinkWord link={link} />
      </p>
      <TokenMeter tokens={story.tokens} budget={story.tokens.budget ?? facts.tokens?.max_budget ?? null} />
      {/* One line whatever it says, so that steps that come and go move nothing. */}
      {story.kind === "build" ? null : (
        <p className="now soft" title={now}>
          {now}
        </p>
      )}
    </header>
  );
}

/** How long it took, or has taken so far. */
function Took({ story }: { story: Story }) {
  const [now, setNow] = useState(Date.now);
  const running = isRunning(story);
  useEffect(() => {
    if (!running) return;
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, [running]);
  if (story.endedAt) return <span className="soft took">{between(story.startedAt!, story.endedAt)}</span>;
  if (!running) return null;
  const seconds = Math.max(0, Math.floor((now - Date.parse(story.startedAt!)) / 1_000));
  return <span className="soft took">{seconds < 60 ? `${seconds} s` : lasted(seconds * 1_000)}</span>;
}

function LinkWord({ link }: { link: SessionFeed["link"] }) {
  const words = { connecting: "", live: "", refused: "", lost: "The line is broken. Trying again…", deleted: "This session was deleted." };
  return (
    <span className="link-word" role="status">
      {words[link]}
    </span>
  );
}
