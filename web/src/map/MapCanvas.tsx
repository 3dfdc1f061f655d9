import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Camera, fitAll, type Size, toScreen } from "./camera";
import { drawScene, type Emphasis, readInk } from "./draw";
import type { LayoutFrame } from "./layout.worker";
import type { Scene } from "./scene";
import { useMapControls } from "./useMapControls";

interface Props {
  scene: Scene;
  frame: LayoutFrame;
  label: string;
  selectedId: string;
  opacityOf: (id: string) => number;
  namedIds: ReadonlySet<string>;
  showsLine: (type: string) => boolean;
  onOpen: (id: string) => void;
}

const FAINT = 0.1;
/** The legend stands open on the left of maps at least this wide; the graph is drawn beside it. */
const LEGEND_BESIDE = 760;
const LEGEND_WIDTH = 190;

/** The drawn graph. It draws when something changed and rests otherwise. */
export function MapCanvas({ scene, frame, label, selectedId, opacityOf, namedIds, showsLine, onOpen }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const camera = useRef<Camera>({ x: 0, y: 0, scale: 1 });
  const size = useRef<Size>({ width: 0, height: 0 });
  const movedByHand = useRef(false);
  const pending = useRef(0);
  const [pointed, setPointed] = useState(-1);
  const selected = scene.indexOf.get(selectedId) ?? -1;

  // A cluster is drawn as strongly as the strongest of its notes.
  const [opacities, named] = useMemo(
    () => [
      scene.marks.map(({ id, members }) => (members ? members.reduce((most, note) => Math.max(most, opacityOf(note)), 0) : opacityOf(id))),
      scene.marks.map(({ id, members }) => (members ? members.some((note) => namedIds.has(note)) : namedIds.has(id))),
    ],
    [scene, opacityOf, namedIds],
  );
  const emphasis = useMemo(
    (): Emphasis => ({
      opacity: (mark) => opacities[mark] ?? 1,
      named: (mark) => named[mark] ?? false,
      showsLine,
      selected,
      pointed,
    }),
    [opacities, named, showsLine, selected, pointed],
  );

  const draw = useCallback(() => {
    const pen = canvas.current?.getContext("2d");
    if (!pen || frame.x.length === 0) return;
    if (!movedByHand.current) {
      const aside = scene.kind === "notes" && size.current.width > LEGEND_BESIDE ? LEGEND_WIDTH : 0;
      camera.current = fitAll(frame, size.current, aside);
    }
    const ratio = window.devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawScene(pen, scene, frame, camera.current, size.current, emphasis, readInk());
  }, [scene, frame, emphasis]);
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
  }, [scene]);

  useLayoutEffect(() => {
    const element = canvas.current!;
    const watcher = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      const ratio = window.devicePixelRatio || 1;
      size.current = { width, height };
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
      latestDraw.current();
    });
    watcher.observe(element);
    const scheme = window.matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", redraw);
    window.addEventListener("themechange", redraw);
    return () => {
      watcher.disconnect();
      scheme.removeEventListener("change", redraw);
      window.removeEventListener("themechange", redraw);
    };
  }, [redraw]);

  const fit = () => {
    movedByHand.current = false;
    redraw();
  };
  const point = (mark: number) => {
    setPointed(mark);
    if (mark >= 0) bringIntoView(mark);
  };
  function bringIntoView(mark: number): void {
    const [x, y] = toScreen(camera.current, size.current, frame.x[mark]!, frame.y[mark]!);
    if (x > 0 && y > 0 && x < size.current.width && y < size.current.height) return;
    movedByHand.current = true;
    camera.current = { ...camera.current, x: frame.x[mark]!, y: frame.y[mark]! };
  }
  const controls = useMapControls({
    canvas,
    camera,
    size,
    places: frame,
    scene,
    pointed,
    selected,
    allowed: (mark) => emphasis.opacity(mark) > FAINT,
    point,
    open: (mark) => onOpen(scene.marks[mark]!.id),
    fit,
    moved: () => {
      movedByHand.current = true;
      redraw();
    },
  });

  return (
    <div className="map-canvas" data-settled={frame.settled} data-marks={scene.marks.length} data-lines={scene.sources.length}>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label={label}
        aria-describedby="map-keys"
        className={pointed >= 0 ? "pointing" : undefined}
        {...controls.listeners}
      />
      <p id="map-keys" className="unseen">
        Arrow keys walk from note to note, Enter opens one. Shift and arrows move the map, plus and minus zoom, 0 shows all
        of it. The List view holds the same notes as text.
      </p>
      <p className="unseen" aria-live="polite">
        {pointed >= 0 ? scene.marks[pointed]?.note : ""}
      </p>
      <div className="map-buttons" role="group" aria-label="Zoom">
        <button type="button" aria-label="Zoom in" onClick={() => controls.zoomCentre(1.35)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => controls.zoomCentre(0.74)}>
          −
        </button>
        <button type="button" aria-label="Show the whole map" onClick={fit}>
          ⤢
        </button>
      </div>
      {frame.settled ? null : (
        <p className="map-status" role="status">
          Laying out…
        </p>
      )}
    </div>
  );
}
