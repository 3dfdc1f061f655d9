import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../api";
import { detectBoard, flashBoard, setPin, simulateBoard } from "../../sessions/sessionApi";
import type { SpecAsKept } from "../../sessions/sessionWire";
import { ErrorNote } from "../../shell/ErrorNote";
import { useFetched } from "../../shell/useFetched";
import type { BoardStory } from "../buildStory";
import { BoardParts } from "./BoardParts";
import { partsOf } from "./wiring";

interface Props {
  id: string;
  hardware: SpecAsKept["hardware"];
  board: BoardStory | null;
  /** Whether it is over, and looked at as it is now: before that nothing can be run. */
  canRun: boolean;
}

const EMPTY: BoardStory = { pins: {}, rest: {}, lines: [], isSimulating: false };

/** The board of a build: simulated, or a real one that is flashed; what it says stands below it. */
export function BoardView({ id, hardware, board, canRun }: Props) {
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState<"simulate" | "flash" | null>(null);
  const [told, setTold] = useState("");
  const shown = board ?? EMPTY;
  const seen = shown.lines.length + Object.keys(shown.pins).length;
  useEffect(() => setError(null), [seen]);

  const trying = async (what: "simulate" | "flash", act: () => Promise<string>) => {
    if (busy) return;
    setBusy(what);
    setError(null);
    setTold("");
    try {
      setTold(await act());
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError("That did not work.", "page_fault", 0));
    }
    setBusy(null);
  };
  const press = async (pin: string, value: number) => {
    try {
      await setPin(id, pin, value);
    } catch (failure) {
      if (failure instanceof ApiError) setError(failure);
    }
  };
  return (
    <section className="board" aria-labelledby="board-title">
      <div className="made-head">
        <h2 id="board-title">Board</h2>
        <span className="soft">{hardware?.target ?? "esp32"}, {standsAs(shown)}</span>
      </div>
      <BoardParts parts={partsOf(hardware, shown.pins)} board={shown} isLive={canRun && shown.isSimulating} press={press} />
      {canRun ? (
        <div className="row">
          <button type="button" className={shown.isSimulating ? "" : "primary"} aria-disabled={busy !== null} onClick={() => void trying("simulate", async () => (await simulateBoard(id), "It runs: press its buttons."))}>
            {busy === "simulate" ? "Starting…" : shown.isSimulating ? "Start it again" : "Simulate it"}
          </button>
          <Flash isBusy={busy === "flash"} flash={() => void trying("flash", async () => (await flashBoard(id)).message)} />
        </div>
      ) : null}
      <p className="soft" role="status">
        {canRun ? told : ""}
      </p>
      {error ? <ErrorNote error={error} /> : null}
      <SerialLines lines={shown.lines} />
    </section>
  );
}

/** Who spoke last: a real board, or a simulated one. */
function standsAs({ isSimulating, lines, pins }: BoardStory): string {
  if (isSimulating) return "simulated, running";
  if (lines.at(-1)?.isSimulated === false) return "connected, heard below";
  return lines.length + Object.keys(pins).length > 0 ? "simulated, at rest" : "nothing runs on it yet";
}

/** Writing to a real board, where one is connected; no port is opened to find it. */
function Flash({ isBusy, flash }: { isBusy: boolean; flash: () => void }) {
  const [found, again] = useFetched("board", detectBoard);
  if (found.value?.detected) {
    return (
      <>
        <button type="button" aria-disabled={isBusy} onClick={flash}>
          {isBusy ? "Writing to the board…" : "Flash the board"}
        </button>
        <span className="soft">
          {found.value.board_type} at {found.value.port}
        </span>
      </>
    );
  }
  return (
    <>
      <button type="button" onClick={again}>
        Look for a board
      </button>
      <span className="soft" role="status">
        {found.state === "waiting" ? "Looking…" : "No board is connected: plug one in to flash it."}
      </span>
    </>
  );
}

function SerialLines({ lines }: { lines: BoardStory["lines"] }) {
  const box = useRef<HTMLPreElement>(null);
  const last = lines.at(-1)?.seq;
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [last]);
  if (lines.length === 0) return null;
  return (
    <pre ref={box} className="serial" tabIndex={0} role="log" aria-label="What the board says">
      {lines.map(({ seq, line, isSimulated }) => (
        <span key={seq} className={isSimulated ? "" : "real"}>{`${line}\n`}</span>
      ))}
    </pre>
  );
}
