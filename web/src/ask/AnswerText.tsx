import { Fragment, type MouseEvent, type ReactNode, useMemo } from "react";
import { comparable } from "../overlay/addresses";
import { type Piece, readMarkdown } from "../overlay/answer/inertMarkdown";
import type { ReadSource } from "./threadApi";

interface Props {
  text: string;
  sources: ReadSource[];
  /** Where a source is read as a page. */
  pathOf: (source: ReadSource) => string;
  unverified: string[];
  open: (source: number) => void;
  point: (source: number | null) => void;
}

/** Sources in the order in which the text cites them: the first it names is 1. */
export function citedIn(text: string, sources: ReadSource[]): number[] {
  const byUrl = new Map(sources.map((source, at) => [comparable(source.url), at]));
  const cited: number[] = [];
  readMarkdown(text, (url) => {
    const at = byUrl.get(comparable(url));
    if (at !== undefined && !cited.includes(at)) cited.push(at);
    return null;
  });
  return cited;
}

/** The text of an answer. It is a model's: nothing in it becomes HTML, and links lead to what was read alone. */
export function AnswerText({ text, sources, pathOf, unverified, open, point }: Props) {
  const byUrl = useMemo(() => new Map(sources.map((source, at) => [comparable(source.url), at])), [sources]);
  const cited = useMemo(() => citedIn(text, sources), [text, sources]);
  const pieces = useMemo(
    () =>
      readMarkdown(text, (url) => {
        const at = byUrl.get(comparable(url));
        return at === undefined ? null : `#${at}`;
      }),
    [text, byUrl],
  );
  const draw = (piece: Piece, key: number): ReactNode => {
    if (typeof piece === "string") return <Fragment key={key}>{marked(piece, unverified)}</Fragment>;
    const children = piece.children.map(draw);
    if (piece.href !== undefined) {
      const at = Number(piece.href.slice(1));
      const follow = (event: MouseEvent) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        open(at);
      };
      return (
        <a key={key} className="citation" href={pathOf(sources[at]!)} onClick={follow} onMouseEnter={() => point(at)} onMouseLeave={() => point(null)} onFocus={() => point(at)} onBlur={() => point(null)}>
          {children}
          <sup>{cited.indexOf(at) + 1}</sup>
        </a>
      );
    }
    const Tag = piece.tag as "p";
    const scrolls = piece.tag === "pre" || piece.name === "scroll";
    return (
      <Tag key={key} className={piece.name || undefined} {...(scrolls && { tabIndex: 0 })} {...(piece.start !== undefined && { start: piece.start })}>
        {piece.tag === "hr" || piece.tag === "br" ? undefined : children}
      </Tag>
    );
  };
  return <div className="answer-text">{pieces.map(draw)}</div>;
}

/** What the sources do not say is marked where it stands. */
function marked(text: string, doubts: string[]): ReactNode {
  const doubt = doubts.find((part) => part.trim() && text.includes(part));
  if (!doubt) return text;
  const at = text.indexOf(doubt);
  return (
    <>
      {text.slice(0, at)}
      <mark className="doubt" title="Not found in the sources">
        {doubt}
      </mark>
      {marked(text.slice(at + doubt.length), doubts)}
    </>
  );
}
