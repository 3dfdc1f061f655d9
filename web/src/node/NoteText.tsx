import { Fragment, useMemo } from "react";
import { Link } from "../shell/Link";
import { type Part, readLines } from "./noteText";

interface Props {
  text: string;
  resolve: (target: string) => string | undefined;
}

/** A note as text: line by line, links that lead somewhere clickable, everything else exactly as written. */
export function NoteText({ text, resolve }: Props) {
  const lines = useMemo(() => readLines(text), [text]);
  return (
    <div className="note-text">
      {lines.map((line, index) => (
        <Fragment key={index}>
          <span className={line.kind}>
            {line.parts.map((part, at) => (
              <PartText key={at} part={part} resolve={resolve} />
            ))}
          </span>
          {"\n"}
        </Fragment>
      ))}
    </div>
  );
}

function PartText({ part, resolve }: { part: Part; resolve: Props["resolve"] }) {
  if (!("target" in part)) return part.text;
  const id = resolve(part.target);
  if (!id) {
    return (
      <span className="no-note" title={`No note is named ${part.target}`}>
        {part.text}
      </span>
    );
  }
  return <Link to={{ node: id, tab: "info" }}>{part.text}</Link>;
}
