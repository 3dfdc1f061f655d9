import { useState } from "react";
import { KindMark } from "../../map/KindMark";
import { NoteText } from "../../node/NoteText";
import type { GraphModel } from "../../shell/graphModel";
import { Link } from "../../shell/Link";
import type { LoadedNode, ShownSection } from "../../wire";
import { copyText } from "../copyText";
import { type Pack, packAsText } from "./pack";
import { TokenBar } from "./TokenBar";

interface Props {
  model: GraphModel;
  pack: Pack;
  waiting: boolean;
}

const number = (value: number) => value.toLocaleString("en");

/** What a pack holds, what it cost, and why each note is in or out. */
export function PackAccount({ model, pack, waiting }: Props) {
  const { telemetry } = pack;
  return (
    <div className="account" aria-busy={waiting}>
      <dl className="figures" aria-label="Account of the pack">
        <Figure name="Tokens" value={number(telemetry.tokensUsed)} of={`of ${number(telemetry.tokenBudget)}`} />
        <Figure name="Loaded" value={number(telemetry.nodesLoaded)} of={`of ${number(telemetry.nodesVisited)} visited`} />
        <Figure name="Coverage" value={`${telemetry.coveragePercent} %`} of="of all notes" />
        <Figure name="Depth" value={number(telemetry.maxDepthReached)} of={`${telemetry.maxDepthReached === 1 ? "link" : "links"} from the entry`} />
      </dl>
      <TokenBar model={model} pack={pack} />
      <p className="entry">
        <span>
          Entry{" "}
          <Link to={{ node: pack.entry, tab: "info" }}>{model.byId.get(pack.entry)?.name ?? pack.entry}</Link>
        </span>
        <CopyButton pack={pack} />
      </p>
      {pack.loaded.length === 0 ? (
        <p className="soft">
          {pack.matched ? "No note fits. Raise the budget, or ask in other words." : "Nothing matched. No word of the question is known here: ask in other words."}
        </p>
      ) : (
        <ol className="loaded" aria-label="Loaded notes">
          {pack.loaded.map((node) => (
            <Loaded key={node.id} node={node} model={model} />
          ))}
        </ol>
      )}
      <NotLoaded model={model} pack={pack} />
    </div>
  );
}

const SHOWN = { full: "all of it", part: "a part", none: "left out" };

/** Which sections of a note are in the pack, and what those left out would cost. */
function Shown({ sections }: { sections: ShownSection[] }) {
  const counted = sections.filter((section) => section.tokens > 0);
  const left = counted.filter((section) => section.shown !== "full").length;
  return (
    <details className="shown-sections">
      <summary>
        {number(counted.length - left)} of {number(counted.length)} {counted.length === 1 ? "section" : "sections"} whole
      </summary>
      <ul aria-label="Sections">
        {counted.map((section, at) => (
          <li key={at} style={{ paddingInlineStart: `${Math.max(0, section.level - 1) * 0.8}rem` }}>
            {section.heading ?? "Opening"}{" "}
            <small className="soft">
              {SHOWN[section.shown]}, {number(section.tokens)} {section.tokens === 1 ? "token" : "tokens"}
            </small>
          </li>
        ))}
      </ul>
    </details>
  );
}

const MOST_NAMED = 300;

/** Everything visited and left out: the best with the reason, all others by name. */
function NotLoaded({ model, pack }: { model: GraphModel; pack: Pack }) {
  const { passedOver, alsoVisited } = pack;
  if (passedOver.length === 0) return null;
  const unnamed = alsoVisited.length - MOST_NAMED;
  return (
    <details className="passed">
      <summary>
        Visited, not loaded <span className="count">{number(passedOver.length + alsoVisited.length)}</span>
      </summary>
      <ul aria-label="Best of those not loaded">
        {passedOver.map((node) => (
          <li key={node.id}>
            <span className="score">{node.score}</span>
            <div>
              <Link to={{ node: node.id, tab: "info" }}>{node.name}</Link>
              <p className="reason">{node.reason}</p>
            </div>
          </li>
        ))}
      </ul>
      {alsoVisited.length > 0 ? (
        <p className="also-visited">
          Also visited:{" "}
          {alsoVisited.slice(0, MOST_NAMED).map((id, at) => (
            <span key={id}>
              {at > 0 ? ", " : ""}
              <Link to={{ node: id, tab: "info" }}>{model.byId.get(id)?.name ?? id}</Link>
            </span>
          ))}
          {unnamed > 0 ? ` and ${number(unnamed)} more` : ""}
        </p>
      ) : null}
    </details>
  );
}

function Figure({ name, value, of }: { name: string; value: string; of: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{value}</b> <small>{of}</small>
      </dd>
    </div>
  );
}

function Loaded({ node, model }: { node: LoadedNode; model: GraphModel }) {
  return (
    <li data-tokens={node.tokens}>
      <span className="score" title="relevance, of 100">
        {node.score}
      </span>
      <div>
        <p className="title">
          <KindMark look={model.looks.get(model.byId.get(node.id)?.type ?? "")} />
          <Link to={{ node: node.id, tab: "info" }}>{node.name}</Link>
        </p>
        <p className="reason">{node.reason}</p>
        <details>
          <summary>
            {node.level === 4 ? "whole note" : "sections"}, {number(node.tokens)} {node.tokens === 1 ? "token" : "tokens"}
          </summary>
          <NoteText text={node.content} resolve={model.resolve} />
        </details>
        {node.sections ? <Shown sections={node.sections} /> : null}
      </div>
    </li>
  );
}

function CopyButton({ pack }: { pack: Pack }) {
  const [told, setTold] = useState("");
  const copy = async () => setTold((await copyText(packAsText(pack))) ? "Copied" : "The browser did not allow it");
  return (
    <span className="copy">
      <span role="status">{told}</span>
      <button type="button" disabled={pack.loaded.length === 0} onClick={copy} onBlur={() => setTold("")}>
        Copy the pack
      </button>
    </span>
  );
}
