import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Camera, fitAll, type Size, toScreen } from "./drawing/camera";
import { type Emphasis, type Ink, lineNumbers, markNumbers, readInk } from "./drawing/drawnNumbers";
import { drawOver } from "./drawing/drawOver";
import { openPainter } from "./drawing/openPainter";
import type { Painter } from "./drawing/painter";
import { HoverCard } from "./HoverCard";
import type { Scene } from "./scene";
import { useFlight } from "./drawing/useFlight";
import type { Placing } from "./placing/useLayout";
import { useMapControls } from "./useMapControls";

interface Props {
  /** What is looked at: the camera stays while that is the same, whatever becomes of it. */
  view: string;
  /** Whether the surroundings of one note are shown alone. */
  isLocal: boolean;
  scene: Scene;
  placing: Placing;
  label: string;
  selectedId: string;
  opacityOf: (id: string) => number;
  namedIds: ReadonlySet<string>;
  showsLine: (type: string) => boolean;
  onOpen: (id: string) => void;
}

const FAINT = 0.1;
/** The graph is drawn beside an open legend that leaves most of the map free. */
const LEGEND_MOST = 0.45; // of its width
/** The map is drawn once with a margin around it, and that drawing is moved; at rest it is drawn anew. */
const MANY = 1_500; // marks whose names are left out meanwhile
const MARGIN = 0.25; // of the view, on each side
const REST_MS = 140;
const BESIDE_OTHERS = 0.6; // how strongly lines are drawn while those of one note are looked at

/** Moves a drawing to where the camera is by now; false where it does not reach. */
function slide(drawing: HTMLCanvasElement, from: Camera | null, to: Camera, { width, height }: Size): boolean {
  if (!from) return false;
  const grown = to.scale / from.scale;
  const [dx, dy] = [(from.x - to.x) * to.scale, (from.y - to.y) * to.scale];
  const reaches = (far: number, length: number) => Math.abs(far) <= length * ((0.5 + MARGIN) * grown - 0.5);
  if (grown > 1.6 || !reaches(dx, width) || !reaches(dy, height)) return false;
  drawing.style.transform = `translate(${dx}px, ${dy}px) scale(${grown})`;
  return true;
}

const isSame = (a: Camera, b: Camera) => a.x === b.x && a.y === b.y && a.scale === b.scale;

/** The drawn graph. It draws when something changed and rests otherwise. */
export function MapCanvas({ view, isLocal, scene, placing, label, selectedId, opacityOf, namedIds, showsLine, onOpen }: Props) {
  const { frame, pins } = placing;
  const canvas = useRef<HTMLCanvasElement>(null);
  const under = useRef<HTMLCanvasElement>(null);
  const painter = useRef<Painter | null>(null);
  const camera = useRef<Camera>({ x: 0, y: 0, scale: 1 });
  const size = useRef<Size>({ width: 0, height: 0 });
  const movedByHand = useRef(false);
  const pending = useRef(0);
  const resting = useRef(0);
  const hurried = useRef(false);
  const ink = useRef<Ink | null>(null);
  const filled = useRef<object | null>(null);
  const painted = useRef<Camera | null>(null);
  const lit = useRef(1);
  const held = useRef(-1);
  const [pointed, setPointed] = useState(-1);
  const [unable, setUnable] = useState(false);
  const selected = scene.indexOf.get(selectedId) ?? -1;

  // A cluster is drawn as strongly as the strongest of its notes.
  const [opacities, named] = useMemo(
    () => [
      scene.marks.map(({ id, members }) => (members ? members.reduce((most, note) => Math.max(most, opacityOf(note)), 0) : opacityOf(id))),
      scene.marks.map(({ id, members }) => (members ? members.some((note) => namedIds.has(note)) : namedIds.has(id))),
    ],
    [scene, opacityOf, namedIds],
  );
  // What is pointed at is drawn above all of it, so that nothing else is drawn anew for that.
  const look = useMemo(
    () => ({
      opacity: (mark: number) => opacities[mark] ?? 1,
      named: (mark: number) => named[mark] ?? false,
      pinned: (mark: number) => pins.has(scene.marks[mark]!.id),
      showsLine,
    }),
    [opacities, named, showsLine, pins, scene],
  );
  const numbers = useMemo(() => ({ look, frame }), [look, frame]);
  const emphasis = useMemo((): Emphasis => ({ ...look, selected, pointed }), [look, selected, pointed]);
  const strength = selected >= 0 ? BESIDE_OTHERS : 1;

  const draw = useCallback(() => {
    const pen = canvas.current?.getContext("2d");
    if (!pen || !painter.current || frame.x.length !== scene.marks.length) return;
    if (!movedByHand.current) {
      const legend = canvas.current!.closest(".map")?.querySelector<HTMLDetailsElement>(".legend[open]")?.offsetWidth ?? 0;
      const aside = legend < size.current.width * LEGEND_MOST ? legend : 0;
      camera.current = fitAll(frame, size.current, aside, (mark) => emphasis.opacity(mark) > FAINT);
    }
    ink.current ??= readInk();
    if (filled.current !== numbers) {
      painter.current.setMarks(markNumbers(scene, frame, emphasis, ink.current));
      painter.current.setLines(lineNumbers(scene, frame, emphasis, ink.current));
      filled.current = numbers;
      painted.current = null;
    }
    if (lit.current !== strength) painted.current = null;
    lit.current = strength;
    const ratio = window.devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const stands = painted.current !== null && isSame(painted.current, camera.current);
    if (!stands && !(hurried.current && slide(under.current!, painted.current, camera.current, size.current))) {
      const { width, height } = size.current;
      const around = { width: width * (1 + 2 * MARGIN), height: height * (1 + 2 * MARGIN) };
      painter.current.paint({ camera: camera.current, size: around, ratio, paper: ink.current.paperRgb, strength });
      painted.current = camera.current;
      under.current!.style.transform = "";
    }
    const seen = { scene, places: frame, camera: camera.current, size: size.current, emphasis, ink: ink.current, held: held.current };
    drawOver(pen, seen, hurried.current && scene.marks.length > MANY);
  }, [scene, frame, numbers, emphasis, strength]);
  const latestDraw = useRef(draw);
  latestDraw.current = draw;

  const redraw = useCallback(() => {
    cancelAnimationFrame(pending.current);
    pending.current = requestAnimationFrame(() => latestDraw.current());
  }, []);
  useEffect(redraw, [draw, redraw]);
  useEffect(() => {
    movedByHand.current = false;
    setPointed(-1);
  }, [view]);
  // What was read again while it is looked at moves nothing that was there, nor what is looked at.
  const stood = useRef({ view, scene, settled: false });
  useLayoutEffect(() => {
    const former = stood.current;
    stood.current = { view, scene, settled: frame.settled };
    if (former.view !== view || former.scene.marks.length === scene.marks.length) return;
    if (former.settled) movedByHand.current = true;
    setPointed(-1);
  }, [view, scene, frame.settled]);

  useLayoutEffect(() => {
    const [over, below] = [canvas.current!, under.current!];
    painter.current = openPainter(below);
    if (!painter.current) {
      setUnable(true);
      return;
    }
    const watcher = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = over;
      const ratio = window.devicePixelRatio || 1;
      size.current = { width, height };
      for (const [element, share] of [[over, 1], [below, 1 + 2 * MARGIN]] as const) {
        element.width = Math.round(width * share * ratio);
        element.height = Math.round(height * share * ratio);
      }
      painted.current = null;
      latestDraw.current();
    });
    watcher.observe(over);
    const recolour = () => {
      ink.current = filled.current = null;
      redraw();
    };
    const scheme = window.matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", recolour);
    window.addEventListener("themechange", recolour);
    return () => {
      watcher.disconnect();
      scheme.removeEventListener("change", recolour);
      window.removeEventListener("themechange", recolour);
    };
  }, [redraw]);

  const moved = () => {
    movedByHand.current = hurried.current = true;
    window.clearTimeout(resting.current);
    resting.current = window.setTimeout(() => {
      hurried.current = false;
      redraw();
    }, REST_MS);
    redraw();
  };
  const fit = () => {
    movedByHand.current = false;
    redraw();
  };
  const { fly, chosenHere } = useFlight({ scene, frame, camera, size, selected, isWhole: () => isLocal && !movedByHand.current, moved });
  const point = (mark: number) => {
    setPointed(mark);
    if (mark < 0) return;
    const [x, y] = toScreen(camera.current, size.current, frame.x[mark]!, frame.y[mark]!);
    if (x < 0 || y < 0 || x > size.current.width || y > size.current.height) fly(mark);
  };
  const open = (mark: number) => {
    chosenHere(mark);
    setPointed(-1); // the panel says more, and would lie over its card
    onOpen(scene.marks[mark]!.id);
  };
  const controls = useMapControls({
    canvas, camera, size, places: frame, scene, pointed, selected, point, open, fit, moved,
    allowed: (mark) => emphasis.opacity(mark) > FAINT,
    // Of many notes the one that is dragged is drawn above the others, until it is let go.
    drag: (mark, x, y) => {
      placing.move(mark, x, y);
      movedByHand.current = true;
      if (scene.marks.length > MANY) held.current = mark;
      else filled.current = null;
      redraw();
    },
    drop: (mark) => {
      held.current = -1;
      filled.current = null;
      placing.drop(mark);
      redraw();
    },
    togglePin: placing.togglePin,
  });

  return (
    <div className="map-canvas" data-settled={frame.settled} data-marks={scene.marks.length} data-lines={scene.sources.length}>
      <canvas ref={under} className="map-drawing" aria-hidden="true" />
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label={label}
        aria-describedby="map-keys"
        className={pointed >= 0 ? "pointing" : undefined}
        {...controls.listeners}
      />
      {unable ? (
        <p className="map-unable" role="alert">
          This browser cannot draw the map. The List holds the same notes as text.
        </p>
      ) : null}
      <p id="map-keys" className="unseen">
        Arrow keys walk from note to note, Enter opens one, P pins it. Shift and arrows move the map, plus and minus zoom, 0
        shows all of it. The List view holds the same notes as text.
      </p>
      <p className="unseen" aria-live="polite">
        {pointed >= 0 ? scene.marks[pointed]?.note : ""}
      </p>
      {pointed >= 0 && frame.x.length > pointed ? <HoverCard mark={scene.marks[pointed]!} at={toScreen(camera.current, size.current, frame.x[pointed]!, frame.y[pointed]!)} size={size.current} /> : null}
      <div className="map-buttons" role="group" aria-label="Zoom">
        <button type="button" aria-label="Zoom in" onClick={() => controls.zoomCentre(1.35)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => controls.zoomCentre(0.74)}>
          −
        </button>
        <button type="button" aria-label="Show the whole map" title="Show the whole map" onClick={fit}>
          ⤢
        </button>
        <button type="button" aria-label="Arrange anew" title="Arrange anew: all but pinned notes" onClick={placing.arrange}>
          ↻
        </button>
      </div>
      {frame.settled || unable ? null : (
        <p className={frame.x.length === 0 ? "map-status alone" : "map-status"} role="status">
          Finding places for {scene.marks.length.toLocaleString("en")} {scene.kind === "clusters" ? "clusters" : "notes"}…
        </p>
      )}
    </div>
  );
}
