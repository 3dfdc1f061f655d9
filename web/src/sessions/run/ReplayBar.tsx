import { useEffect, useState } from "react";
import { copyText } from "../../ask/copyText";
import { eventWords } from "./eventWords";
import type { SessionEvent } from "../sessionWire";
import { timeOfDay } from "../words";

const SPEEDS = [1, 2, 4, 8, 16];
const [SHORTEST_MS, LONGEST_MS] = [10, 5_000]; // between two events, at any speed; nobody watches somebody sleep

interface Props {
  events: readonly SessionEvent[];
  /** The event that is shown; null for the newest there is. */
  at: number | null;
  show: (at: number | null) => void;
  isPlaying: boolean;
  setIsPlaying: (isPlaying: boolean) => void;
  isOver: boolean;
}

/** A slider over the log: what is drawn is the fold of the events up to it. */
export function ReplayBar({ events, at, show, isPlaying, setIsPlaying, isOver }: Props) {
  const [speed, setSpeed] = useState(4);
  const [told, setTold] = useState("");
  const last = events.length;
  const shown = at ?? last;
  const event = events[shown - 1];
  const next = events[shown];
  const go = (to: number) => show(to >= last ? null : Math.max(1, to));

  useEffect(() => {
    if (!isPlaying) return;
    if (!next) {
      setIsPlaying(false);
      return;
    }
    const between = event ? Date.parse(next.ts) - Date.parse(event.ts) : 0;
    const pause = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, between / speed));
    const timer = window.setTimeout(() => go(shown + 1), pause);
    return () => window.clearTimeout(timer);
  }, [isPlaying, shown, speed, next === undefined]);

  const play = () => {
    if (!isPlaying && at === null) show(1);
    setIsPlaying(!isPlaying);
  };
  const share = async () => {
    const address = new URL(window.location.href);
    address.searchParams.set("at", String(shown));
    setTold((await copyText(address.href)) ? "Address copied" : "Not copied: take it from the address bar");
  };
  if (last < 2) return null;
  return (
    <section className={`replay${at === null ? "" : " past"}${isOver ? " over" : ""}`} aria-label="Replay">
      <button type="button" className="play" aria-label={isPlaying ? "Pause" : "Play"} onClick={play}>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d={isPlaying ? "M4 3h3v10H4zM9 3h3v10H9z" : "M4 2.5l9 5.5-9 5.5z"} />
        </svg>
      </button>
      <input
        type="range"
        min={1}
        max={last}
        value={shown}
        aria-label="Event"
        aria-valuetext={`Event ${shown} of ${last}${event ? `, ${eventWords(event)}` : ""}`}
        onChange={(change) => {
          setIsPlaying(false);
          go(Number(change.target.value));
        }}
      />
      <label className="replay-speed" title="How many times as fast as it was; no pause is longer than five seconds">
        <span className="unseen">Speed</span>
        <select value={speed} onChange={(change) => setSpeed(Number(change.target.value))}>
          {SPEEDS.map((each) => (
            <option key={each} value={each}>
              {each}×
            </option>
          ))}
        </select>
      </label>
      <span className="replay-word">
        {at === null ? (isOver ? "The end" : "Live") : "Then"} <span className="number">{shown}</span> of {last}
        {event ? (
          <span className="soft replay-event">
            {eventWords(event)} · {timeOfDay(event.ts)}
          </span>
        ) : null}
      </span>
      <button type="button" onClick={() => void share()}>
        Share
      </button>
      {at === null ? null : (
        <button
          type="button"
          className="primary"
          onClick={() => {
            setIsPlaying(false);
            show(null);
          }}
        >
          {isOver ? "To the end" : "Back to now"}
        </button>
      )}
      <span className="soft" role="status">
        {told}
      </span>
    </section>
  );
}
