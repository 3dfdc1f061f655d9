import { useMemo, useState } from "react";
import { BuildView } from "../../builds/BuildView";
import { ErrorNote } from "../../shell/ErrorNote";
import { PathLink } from "../../shell/Link";
import { Nowhere } from "../../shell/Nowhere";
import { useQueryField } from "../../shell/useAddress";
import { usePageTitle } from "../../shell/usePageTitle";
import { RunBlocks } from "../../studio/blocks/RunBlocks";
import { outlineOf } from "../planOutline";
import type { SessionFeed } from "../SessionFeed";
import { isRunning, isWaiting, type Story, storyAt } from "../sessionStory";
import type { SessionFacts, SessionState } from "../sessionWire";
import { useSessionFeed } from "../useSessionFeed";
import { Announcer } from "./Announcer";
import { Ending } from "./Ending";
import { NeedsYou } from "./NeedsYou";
import { RawEvents } from "./RawEvents";
import { ReplayBar } from "./ReplayBar";
import { SessionHead } from "./SessionHead";
import { StepRows } from "./StepRows";
import { Variables } from "./Variables";

export function SessionPage({ id }: { id: string }) {
  const feed = useSessionFeed(id);
  const name = feed ? nameOf(feed) : "Session";
  usePageTitle(`${name} · Studio`);
  if (feed?.link === "refused" && feed.error && [400, 404].includes(feed.error.status))
    return <Nowhere said="There is no run of that name in Studio." to="/studio" way="All sessions" />;
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

/** The event that the address names, once it has been read; null for the newest there is. */
function useShownEvent(last: number): [number | null, (at: number | null) => void] {
  const [text, set] = useQueryField("at");
  const at = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
  return [at !== null && at < last ? at : null, (next) => set(next === null ? "" : String(next))];
}

function Session({ id, feed }: { id: string; feed: SessionFeed }) {
  const { facts, link } = feed;
  const [at, show] = useShownEvent(feed.story.lastSeq);
  const [isPlaying, setIsPlaying] = useState(false);
  const past = useMemo(() => (at === null ? null : storyAt(feed.story.events, at)), [feed, at]);
  if (link === "refused" && feed.error) return <ErrorNote error={feed.error} />;
  const story = past ?? feed.story;
  if (!facts || story.kind === null) return <Arriving link={link} />;
  const isCaughtUp = feed.story.lastSeq >= facts.last_seq;
  const shown = { id, story, link, facts, isCaughtUp, isPast: past !== null };
  const replay = () => {
    show(1);
    setIsPlaying(true);
  };
  return (
    <>
      <SessionHead {...shown} name={nameOf(feed)} given={feed.given} replay={replay} />
      <div className="shown" data-seq={story.lastSeq}>
        {story.kind === "build" ? <BuildView {...shown} goal={nameOf(feed)} /> : <SkillRun {...shown} given={feed.given} />}
      </div>
      <ReplayBar events={feed.story.events} at={at} show={show} isPlaying={isPlaying} setIsPlaying={setIsPlaying} isOver={!isRunning(feed.story)} />
      <Announcer news={feed.story.news} silent={!isCaughtUp || past !== null} />
    </>
  );
}

interface RunProps {
  id: string;
  story: Story;
  link: SessionFeed["link"];
  facts: SessionFacts;
  given: SessionFeed["given"];
  isCaughtUp: boolean;
  isPast: boolean;
}

function SkillRun({ id, story, link, facts, given, isCaughtUp, isPast }: RunProps) {
  const { rows, variables } = useMemo(() => outlineOf(given, story), [given, story, story.lastSeq]);
  const title = (
    <>
      <h2 id="steps-title">Steps</h2>
      {isCaughtUp ? null : <progress aria-label="Events read" max={facts.last_seq} value={story.lastSeq} />}
    </>
  );
  return (
    <div className="session-body">
        <div className="session-side">
          {link === "deleted" ? null : <NeedsYou id={id} story={story} isPast={isPast} />}
          <Ending story={story} />
          {isRunning(story) && !isWaiting(story) ? <p className="soft">Nothing to answer just now.</p> : null}
          {isCaughtUp ? <Variables variables={variables} /> : null}
        </div>
        <section className="session-steps" aria-labelledby="steps-title">
          <RunBlocks id={id} kind="plan" story={story} given={given} title={title}>
            {isCaughtUp && rows.length === 0 ? <p className="soft">{NO_STEPS[story.state ?? "executing"] ?? "No step yet."}</p> : null}
            <StepRows rows={rows} />
          </RunBlocks>
          <RawEvents events={story.events} length={story.lastSeq} />
        </section>
      </div>
  );
}

const Arriving = ({ link }: { link: SessionFeed["link"] }) => (
  <p className="soft" role="status">
    {link === "lost" ? "Trying again…" : "Reading…"}
  </p>
);

const NO_STEPS: Partial<Record<SessionState, string>> = { done: "No step ran." };
