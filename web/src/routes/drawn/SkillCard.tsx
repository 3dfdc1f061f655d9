import { type CSSProperties, memo } from "react";
import type { RouteSkill } from "../routeWire";

/** What is known of the skills beside what they are. */
export interface Marks {
  cursor: string | null;
  active: Set<string>;
  reachable: Set<string>;
  /** In which step of this turn a skill was entered, from one. */
  visited: Map<string, number>;
  entries: Set<string>;
  problems: Map<string, string[]>;
  edgeProblems: Set<number>;
  won: Set<number>;
  /** How often a live run has opened it. */
  opened: Map<string, number>;
}

interface Props {
  skill: RouteSkill;
  place: CSSProperties;
  marks: Marks;
  isStop: boolean;
  isSelected: boolean;
  open: (skill: string) => void;
  point: (skill: string) => void;
}

export const SkillCard = memo(function SkillCard({ skill, place, marks, isStop, isSelected, open, point }: Props) {
  const { id, description, end } = skill;
  const isHere = marks.cursor === id;
  const troubles = marks.problems.get(id)?.length ?? 0;
  const opened = marks.opened.get(id) ?? 0;
  const words = wordsOf(id, skill, marks);
  const looks = [
    "skill-card",
    end && "end",
    isHere && "here",
    marks.active.has(id) && "active",
    marks.reachable.has(id) && "reachable",
    marks.visited.has(id) && "visited",
    opened > 0 && "opened",
    isSelected && "selected",
  ];
  return (
    <button
      type="button"
      data-skill={id}
      className={looks.filter(Boolean).join(" ")}
      style={place}
      tabIndex={isStop ? 0 : -1}
      aria-pressed={isSelected}
      onClick={() => open(id)}
      onFocus={() => point(id)}
    >
      <b>
        {end ? <i className="stop" aria-hidden="true" /> : null}
        {id}
      </b>
      <span>{description}</span>
      {words ? <small className="unseen">: {words}</small> : null}
      {troubles > 0 ? (
        <em className="trouble" aria-hidden="true" title={marks.problems.get(id)!.join("\n")}>
          {troubles}
        </em>
      ) : null}
      {opened > 0 ? <em className="opened-times" aria-hidden="true">{opened > 1 ? `opened ${opened}×` : "opened"}</em> : null}
    </button>
  );
});

/** The marks of the drawing, said. */
export function wordsOf(id: string, { end }: RouteSkill, marks: Marks): string {
  const troubles = marks.problems.get(id)?.length ?? 0;
  return [
    marks.cursor === id ? "the walk is here" : "",
    marks.entries.has(id) ? "entry" : "",
    end ? "end" : "",
    marks.active.has(id) && marks.cursor !== id ? "active" : "",
    marks.reachable.has(id) ? "can be picked" : "",
    troubles ? `${troubles} ${troubles === 1 ? "problem" : "problems"}` : "",
    marks.opened.has(id) ? "opened by the run" : "",
  ]
    .filter(Boolean)
    .join(", ");
}
