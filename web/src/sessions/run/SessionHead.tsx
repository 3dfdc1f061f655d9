import { useEffect, useState } from "react";
import type { LinkState } from "../SessionFeed";
import { StatusMark } from "../StatusMark";
import { isRunning, isWaiting, type Story } from "../sessionStory";
import type { Given, SessionFacts } from "../sessionWire";
import { counted } from "../../counted";
import { between, KINDS, lasted, standing, stepType, WAITS, when } from "../words";
import { SessionButtons } from "./SessionButtons";
import { TokenMeter } from "./TokenMeter";

interface Props {
  id: string;
  story: Story;
  link: LinkState;
  facts: SessionFacts;
  given: Given | null;
  name: string;
  isPast: boolean;
  replay: () => void;
}

/** What it is called, how it stands, what it has cost, and what can be done with it. */
export function SessionHead({ id, story, link, facts, given, name, isPast, replay }: Props) {
  const [mark, word] = isWaiting(story) ? WAITS : standing(story.state!, story.outcome);
  const path = story.open.map((row) => row.name).join(" › ");
  const doing = story.open.at(-1)?.stepType;
  const now = path ? `At step ${path}${doing ? `: ${stepType(doing)}` : ""}` : counted(story.rows.filter((row) => row.kind === "step").length, "step");
  return (
    <header className="session-head">
      <div className="page-head">
        <h1 id="session-title" tabIndex={-1}>
          {name}
        </h1>
        {link === "deleted" ? null : <SessionButtons id={id} story={story} name={name} given={given} spec={facts.spec} isPast={isPast} replay={replay} />}
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
        <Took story={story} isPast={isPast} />
        <span className="link-word" role="status">
          {link === "deleted" ? "This session was deleted." : ""}
        </span>
      </p>
      <TokenMeter tokens={story.tokens} budget={story.tokens.budget ?? facts.tokens?.max_budget ?? null} isBuild={story.kind === "build"} />
      {/* One line whatever it says, so that steps that come and go move nothing. */}
      {story.kind === "build" ? null : (
        <p className="now soft" title={now}>
          {now}
        </p>
      )}
    </header>
  );
}

/** How long it took, or has taken so far; of the past, how long it had taken then. */
function Took({ story, isPast }: { story: Story; isPast: boolean }) {
  const [now, setNow] = useState(Date.now);
  const running = isRunning(story) && !isPast;
  useEffect(() => {
    if (!running) return;
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, [running]);
  const until = story.endedAt ?? (isPast ? story.events.at(-1)?.ts : null);
  if (until) return <span className="soft took">{between(story.startedAt!, until)}</span>;
  if (!running) return null;
  const seconds = Math.max(0, Math.floor((now - Date.parse(story.startedAt!)) / 1_000));
  return <span className="soft took">{seconds < 60 ? `${seconds} s` : lasted(seconds * 1_000)}</span>;
}
