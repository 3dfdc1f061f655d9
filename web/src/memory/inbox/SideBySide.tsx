import { useMemo } from "react";
import { titleOf, type Memory } from "../memoryApi";
import { moment } from "../past/changeWords";
import { type Piece, wordDifferences } from "./wordDifferences";

type Compared = Pick<Memory, "node_id" | "name" | "content"> & Partial<Memory>;

interface Props {
  memories: Compared[];
  edit?: (nodeId: string) => void;
  open?: (nodeId: string) => void;
  keepOnly?: (memory: Compared) => void;
}

export const letterOf = (at: number) => String.fromCharCode(65 + at);

/** Texts beside one another; the words that are not shared with the first (of the first: with the second) are marked. */
export function SideBySide({ memories, edit, open, keepOnly }: Props) {
  const compared = useMemo(() => differing(memories.map(({ content }) => content)), [memories.map(({ content }) => content).join("\0")]);
  const times = new Set(memories.flatMap(({ created_at }) => created_at ?? []));
  const newest = times.size > 1 ? [...times].sort((one, two) => Date.parse(two) - Date.parse(one))[0] : undefined;
  return (
    <div className="memory-columns">
      {memories.map((memory, at) => (
        <section key={memory.node_id} aria-label={memory.name}>
          <h3>
            {memories.length > 1 ? <span className="memory-letter">{letterOf(at)}</span> : null}
            {open ? (
              <button type="button" className="link" aria-label={`Open ${memory.name}`} onClick={() => open(memory.node_id)}>
                {memory.content.startsWith(memory.name) ? "Open" : titleOf(memory.name)}
              </button>
            ) : (
              titleOf(memory.name)
            )}
          </h3>
          <p className="memory-text">{compared[at]!.map((piece, place) => (piece.differs ? <mark key={place}>{piece.text}</mark> : <span key={place}>{piece.text}</span>))}</p>
          {memory.tags ? <Facts memory={memory as Memory} isNewest={memory.created_at === newest} /> : null}
          {edit || keepOnly ? (
            <p className="row">
              {keepOnly ? (
                <button type="button" onClick={() => keepOnly(memory)}>
                  Keep only this
                </button>
              ) : null}
              {edit ? (
                <button type="button" className="quiet" aria-label={`Edit ${memory.name}`} onClick={() => edit(memory.node_id)}>
                  Edit
                </button>
              ) : null}
            </p>
          ) : null}
        </section>
      ))}
    </div>
  );
}

function differing(texts: string[]): Piece[][] {
  const [first = "", second] = texts;
  if (second === undefined) return texts.map((text) => [{ text, differs: false }]);
  return [wordDifferences(first, second)[0], ...texts.slice(1).map((text) => wordDifferences(first, text)[1])];
}

function Facts({ memory, isNewest }: { memory: Memory; isNewest: boolean }) {
  return (
    <p className="memory-facts soft">
      <Importance value={memory.importance} />
      <time dateTime={memory.created_at}>
        {moment(memory.created_at)}
        {isNewest ? ", the newest" : ""}
      </time>
      <Tags tags={memory.tags} />
    </p>
  );
}

export const Tags = ({ tags }: { tags: string[] }) =>
  tags.map((tag) => (
    <span key={tag} className="memory-tag">
      {tag}
    </span>
  ));

export function Importance({ value }: { value: number }) {
  return (
    <span className="memory-importance" title="Importance">
      <meter min={0} max={1} value={value} aria-label="Importance" /> <span className="number">{value.toFixed(2)}</span>
    </span>
  );
}
