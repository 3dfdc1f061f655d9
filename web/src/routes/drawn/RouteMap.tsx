import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import type { Routes } from "../routeWire";
import { type Box, type Drawing, layOut } from "./layout";
import { type Marks, SkillCard } from "./SkillCard";
import { useCamera } from "./useCamera";
import { nextAlong } from "./walkKeys";

interface Props {
  routes: Routes;
  marks: Marks;
  /** Edges that were looked at in this step, and what became of them. */
  lit: Map<number, string>;
  /** Changes with the step, so that the token sets out again. */
  step: number;
  selected: string;
  rule: number | null;
  open: (skill: string) => void;
  openRule: (edge: number) => void;
}

const MOST_LOOSE = 30;

const vars = (values: Record<string, number | string>) => values as CSSProperties;

/** The skills as cards, from left to right; one stop of the tab key, and arrows walk along the edges. */
export function RouteMap({ routes, marks, lit, step, selected, rule, open, openRule }: Props) {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [pointed, setPointed] = useState("");
  const frame = useRef<HTMLDivElement>(null);
  const isLarge = routes.nodes.length > 120;
  const focus = isLarge ? selected || marks.cursor || "" : "";
  useEffect(() => {
    let isLatest = true;
    void layOut(routes, focus).then((found) => isLatest && setDrawing(found));
    return () => {
      isLatest = false;
    };
  }, [routes, focus]);
  const boxes = useMemo(() => new Map(drawing?.boxes.map((box) => [box.id, box])), [drawing]);
  const kept = boxes.get(selected || marks.cursor || "") ?? (drawing ? firstWayIn(drawing, marks.entries) : undefined);
  const { camera, fit, zoom, pan, show, listeners } = useCamera(frame, drawing, kept);
  useEffect(() => {
    if (kept) show(kept);
  }, [kept, step, show]);
  // Of many links only those that touch what is looked at are drawn: all of them together say nothing.
  const looked = [pointed, selected, marks.cursor];
  const ways = drawing?.ways.filter(({ edge, isLoose }) => {
    const { from, to } = routes.edges[edge]!;
    return !isLoose || drawing.loose <= MOST_LOOSE || lit.get(edge) === "won" || looked.includes(from) || looked.includes(to);
  });

  const stop = [pointed, selected, marks.cursor ?? "", drawing?.boxes.find(({ kind }) => kind === "skill")?.id ?? ""].find((id) => boxes.has(id));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !drawing) return;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (arrow && event.shiftKey) pan(-60 * arrow[0]!, -60 * arrow[1]!);
    else if (arrow && stop) {
      const next = nextAlong(drawing, routes.edges, stop, event.key);
      if (!next) return;
      setPointed(next);
      show(boxes.get(next)!);
      frame.current?.querySelector<HTMLElement>(`[data-skill="${CSS.escape(next)}"]`)?.focus({ preventScroll: true });
    } else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") fit();
    else return;
    event.preventDefault();
  };

  return (
    <div className="routes-map" ref={frame} onKeyDown={onKeyDown} role="group" aria-label="Map of skills. Arrow keys walk along the edges." {...listeners}>
      {drawing ? (
        <div className="routes-layer" style={vars({ "--x": camera.x, "--y": camera.y, "--scale": camera.scale })}>
          <svg className="routes-ways" width={drawing.width} height={drawing.height} aria-hidden="true">
            <defs>
              {["plain", "won"].map((look) => (
                <marker key={look} id={`tip-${look}`} className={look} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto-start-reverse">
                  <path d="M0 0.5L7.5 4L0 7.5z" />
                </marker>
              ))}
            </defs>
            {ways!.map((way) => {
              const kind = routes.edges[way.edge]!.kind;
              const look = lit.get(way.edge) ?? "";
              return <path key={way.edge} d={way.path} className={`way ${kind} ${look.replace(" ", "-")} ${rule === way.edge || (selected && routes.edges[way.edge]!.from === selected) ? "chosen" : ""}`} markerEnd={`url(#tip-${look === "won" ? "won" : "plain"})`} />;
            })}
            {ways!
              .filter((way) => lit.get(way.edge) === "won")
              .map((way) => (
                <circle key={`${step} ${way.edge}`} className="token" r="7" style={vars({ "--way": `path("${way.path}")` })} />
              ))}
          </svg>
          {drawing.ways.map((way) =>
            way.at ? (
              <button
                key={way.edge}
                type="button"
                tabIndex={-1}
                className={`way-label ${(lit.get(way.edge) ?? "").replace(" ", "-")} ${marks.edgeProblems.has(way.edge) ? "problem" : ""} ${rule === way.edge ? "chosen" : ""}`}
                style={vars({ "--x": way.at.x, "--y": way.at.y })}
                onClick={() => openRule(way.edge)}
              >
                {way.label.map((line, number) => (
                  <span key={number}>{line} </span>
                ))}
              </button>
            ) : null,
          )}
          {drawing.boxes.map((box) => (
            <Placed key={box.id} box={box} routes={routes} marks={marks} isStop={box.id === stop} isSelected={box.id === selected} open={open} openRule={openRule} point={setPointed} />
          ))}
        </div>
      ) : (
        <p className="centred soft" role="status">
          Drawing…
        </p>
      )}
      {drawing && drawing.left > 0 ? (
        <p className="routes-left">
          {drawing.boxes.length.toLocaleString("en")} of {routes.nodes.length.toLocaleString("en")} skills: those nearest to {focus || "the entries"}. Open another to see what is around it.
        </p>
      ) : null}
      <ul className="routes-legend">
        <li>
          <i className="legend-rule" /> rule
        </li>
        <li>
          <i className="legend-link" /> link, only the model follows it
        </li>
        <li>
          <i className="legend-end" /> end
        </li>
      </ul>
      <div className="routes-zoom" role="group" aria-label="Zoom">
        <button type="button" aria-label="Zoom in" onClick={() => zoom(1.25)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoom(0.8)}>
          −
        </button>
        <button type="button" aria-label="Fit all" title="Fit all" onClick={fit}>
          ⤢
        </button>
      </div>
    </div>
  );
}

/** Where reading begins: the door that stands farthest to the left, else such an entry. */
function firstWayIn({ boxes }: Drawing, entries: ReadonlySet<string>): Box | undefined {
  const doors = boxes.filter(({ kind }) => kind === "door");
  const waysIn = doors.length > 0 ? doors : boxes.filter(({ id }) => entries.has(id));
  return waysIn.sort((one, other) => one.x - other.x || one.y - other.y)[0];
}

interface PlacedProps {
  box: Box;
  routes: Routes;
  marks: Marks;
  isStop: boolean;
  isSelected: boolean;
  open: (skill: string) => void;
  openRule: (edge: number) => void;
  point: (skill: string) => void;
}

function Placed({ box, routes, marks, isStop, isSelected, open, openRule, point }: PlacedProps) {
  const place = vars({ "--x": box.x, "--y": box.y, "--width": box.width, "--height": box.height });
  if (box.kind === "door") {
    const edge = Number(box.id.slice("door ".length));
    return (
      <button type="button" tabIndex={-1} className={`door ${marks.won.has(edge) ? "won" : ""}`} style={place} onClick={() => openRule(edge)}>
        <svg viewBox="0 0 14 18" width="14" height="18" aria-hidden="true">
          <path d="M2 17V2.5h7.5V17M9.5 4L12.5 2.6v13L9.5 17M0.5 17h13" />
        </svg>
        <span>{routes.edges[edge]!.label ?? routes.rules[edge]?.says ?? ""}</span>
      </button>
    );
  }
  if (box.kind === "question") {
    const label = routes.nodes.find(({ id }) => id === box.id)?.label ?? box.id;
    return (
      <p className="question" style={place}>
        {label}
      </p>
    );
  }
  if (box.kind === "unknown") {
    return (
      <p className="skill-card unknown" style={place}>
        <b>{box.id}?</b>
        <span>There is no such skill.</span>
      </p>
    );
  }
  const skill = routes.skills.find(({ id }) => id === box.id)!;
  return <SkillCard skill={skill} place={place} marks={marks} isStop={isStop} isSelected={isSelected} open={open} point={point} />;
}
