import { type CSSProperties, type KeyboardEvent, useRef } from "react";
import type { BoardStory } from "../buildStory";
import { type BoardPart, brightness } from "./wiring";

const LOOK_MS = 30;
const LONGEST_WAIT_MS = 2_000; // for a program that does not look at its pin

interface Props {
  parts: BoardPart[];
  board: BoardStory;
  isLive: boolean;
  press: (pin: string, value: number) => Promise<void>;
}

/** The board with what is wired to it; buttons can be pressed and sliders moved while a simulation runs. */
export function BoardParts({ parts, board, isLive, press }: Props) {
  if (parts.length === 0) return <p className="soft">The spec names no parts. What the program uses appears here when it runs.</p>;
  return (
    <ul className="board-parts" aria-label="Parts of the board">
      {parts.map((part) => (
        <li key={part.pin} className={part.kind}>
          <PartFace part={part} board={board} isLive={isLive} press={press} />
          <span className="part-name">{part.name}</span>
          <span className="soft part-pin">pin {part.pin}</span>
        </li>
      ))}
    </ul>
  );
}

function PartFace({ part, board, isLive, press }: { part: BoardPart } & Omit<Props, "parts">) {
  const state = board.pins[part.pin];
  if (part.kind === "button") return <PressButton part={part} rest={board.rest[part.pin] ?? 1} value={state?.value} isLive={isLive} press={press} />;
  if (part.kind === "slider") {
    return (
      <input
        type="range"
        min={0}
        max={4095}
        aria-label={`${part.name}, pin ${part.pin}`}
        value={state?.value ?? board.rest[part.pin] ?? 0}
        disabled={!isLive}
        onChange={(event) => void press(part.pin, Number(event.target.value))}
      />
    );
  }
  if (part.kind === "lamp") return <Lamp part={part} board={board} />;
  return <output>{state?.value ?? "–"}</output>;
}

function Lamp({ part, board }: { part: BoardPart; board: BoardStory }) {
  const state = board.pins[part.pin];
  const light = brightness(state);
  if (state?.colours) {
    return (
      <span className="strip" role="img" aria-label={`${part.name}: ${state.colours.join(" ")}`}>
        {state.colours.map((colour, index) => (
          <i key={index} style={{ "--light": colour } as CSSProperties} />
        ))}
      </span>
    );
  }
  const word = light === 0 ? "off" : light === 1 ? "on" : `on, ${Math.round(light * 100)} %`;
  return (
    <span className={light > 0 ? "lamp-face lit" : "lamp-face"} style={{ "--glow": light } as CSSProperties} role="img" aria-label={`${part.name} is ${word}`}>
      <span aria-hidden="true">{word}</span>
    </span>
  );
}

/** Held down for as long as a finger or a key is, and until the program has seen it; the next press waits for that. */
function PressButton({ part, rest, value, isLive, press }: { part: BoardPart; rest: number; value?: number; isLive: boolean; press: Props["press"] }) {
  const isHeld = useRef(false);
  const queue = useRef(Promise.resolve());
  const seen = useRef(value);
  seen.current = value;
  const change = (level: number) => {
    queue.current = queue.current.then(async () => {
      await press(part.pin, level);
      for (let waited = 0; waited < LONGEST_WAIT_MS && seen.current !== level; waited += LOOK_MS) await new Promise((done) => window.setTimeout(done, LOOK_MS));
    });
  };
  const down = () => {
    if (!isLive || isHeld.current) return;
    isHeld.current = true;
    change(1 - rest);
  };
  const up = () => {
    if (!isHeld.current) return;
    isHeld.current = false;
    change(rest);
  };
  const isKey = (event: KeyboardEvent) => event.key === " " || event.key === "Enter";
  const isDown = value !== undefined && value !== rest;
  return (
    <button
      type="button"
      className="press"
      aria-label={`Press ${part.name}, pin ${part.pin}`}
      aria-pressed={isDown}
      aria-disabled={!isLive}
      onPointerDown={down}
      onPointerUp={up}
      onPointerLeave={up}
      onKeyDown={(event) => isKey(event) && !event.repeat && down()}
      onKeyUp={(event) => isKey(event) && up()}
      onBlur={up}
    >
      {isDown ? "down" : "press"}
    </button>
  );
}
