import { useMemo } from "react";
import { counted } from "../counted";
import { ErrorNote } from "../shell/ErrorNote";
import { PathLink } from "../shell/Link";
import { Nowhere } from "../shell/Nowhere";
import { useQueryField } from "../shell/useAddress";
import { CheckList } from "./CheckList";
import { RouteMap } from "./drawn/RouteMap";
import { findMarks } from "./findMarks";
import type { NamedSource } from "./routeSource";
import { readRoutes, type Routes, useAnswer } from "./routeWire";
import { RuleInspector } from "./RuleInspector";
import { SkillInspector } from "./SkillInspector";
import { TextTwin } from "./TextTwin";
import { useLiveRun } from "./useLiveRun";
import { Simulator } from "./walk/Simulator";
import { useWalk, type Walk } from "./walk/useWalk";

interface Props {
  id: string;
  named: NamedSource;
}

export function RoutePage({ id, named }: Props) {
  const [fetched, routes, again] = useAnswer(id, (signal) => readRoutes(named.source, signal));
  const walk = useWalk(id, named.source);
  const failed = fetched.state === "failed" && fetched.error.status !== 0 ? fetched.error : null;
  if (routes) return <RoutesView id={id} named={named} routes={routes} walk={walk} />;
  if (failed?.status === 404) return <Nowhere said={`There is no graph called “${named.name}” in the library.`} to="/routes" way="Choose another graph" />;
  return (
    <main id="main" className="centred" tabIndex={-1}>
      <h1>{named.name}</h1>
      {failed ? <ErrorNote error={failed} retry={again} /> : null}
      {failed ? (
        <p>
          <PathLink to="/routes">Choose another graph</PathLink>
        </p>
      ) : (
        <p className="soft" role="status">
          <progress aria-label="Reading the skills" /> Reading the skills. The first time, a large graph takes some seconds.
        </p>
      )}
    </main>
  );
}

const TABS = { walk: "Try it", check: "Check-up", text: "As text" } as const;
type Tab = keyof typeof TABS;

function RoutesView({ id, named, routes, walk }: Props & { routes: Routes; walk: Walk }) {
  const [skill, setSkill] = useQueryField("skill");
  const [ruleText, setRule] = useQueryField("rule");
  const [tabText, setTab] = useQueryField("tab");
  const run = useLiveRun(id);
  const tab: Tab = tabText in TABS ? (tabText as Tab) : "walk";
  const rule = /^\d+$/.test(ruleText) && routes.edges[Number(ruleText)] ? Number(ruleText) : null;
  const marks = useMemo(() => findMarks(routes, walk.shown, run.opened), [routes, walk.shown, run.opened]);
  const lit = useMemo(() => new Map(walk.shown?.considered.map(({ edge, verdict }) => [edge, verdict])), [walk.shown]);
  const open = (name: string) => {
    setRule("");
    setSkill(name, "push");
  };
  const openRule = (edge: number) => {
    setSkill("");
    setRule(String(edge), "push");
  };
  const { problems, ok } = routes.checkup;
  const found = routes.skills.find((one) => one.id === skill);
  return (
    <main id="main" className="routes" tabIndex={-1}>
      <header className="routes-head">
        <h1>{named.name}</h1>
        <p className="soft">
          {counted(routes.skills.length, "skill")} · <PathLink to="/routes">other graphs</PathLink>
          {named.kind === "library" ? (
            <>
              {" · "}
              <PathLink to={`/g/${encodeURIComponent(id)}/map`}>its notes</PathLink>
            </>
          ) : null}
        </p>
        {run.words ? (
          <p className="routes-run">
            {run.words} <PathLink to={`/studio/run/${encodeURIComponent(run.session)}`}>Back to it</PathLink>
          </p>
        ) : null}
      </header>
      <RouteMap routes={routes} marks={marks} lit={lit} step={walk.at} selected={skill} rule={rule} open={open} openRule={openRule} />
      <div className="routes-dock">
        <div className="routes-tabs" role="tablist" aria-label="Beside the map">
          {(Object.keys(TABS) as Tab[]).map((name) => (
            <button key={name} type="button" role="tab" id={`routes-tab-${name}`} aria-selected={tab === name} aria-controls="routes-panel" onClick={() => setTab(name === "walk" ? "" : name)}>
              {TABS[name]}
              {name === "check" && problems.length > 0 ? <span className={`routes-count ${ok ? "" : "bad"}`}>{problems.length}</span> : null}
            </button>
          ))}
        </div>
        <div id="routes-panel" className="routes-panel" role="tabpanel" aria-labelledby={`routes-tab-${tab}`}>
          {tab === "walk" ? <Simulator routes={routes} walk={walk} name={named.name} graph={id} openRule={openRule} /> : null}
          {tab === "check" ? <CheckList routes={routes} open={open} openRule={openRule} /> : null}
          {tab === "text" ? <TextTwin routes={routes} marks={marks} open={open} openRule={openRule} /> : null}
        </div>
      </div>
      {found ? <SkillInspector key={skill} id={id} named={named} routes={routes} skill={found} close={() => setSkill("")} open={open} openRule={openRule} pick={walk.reachable.includes(skill) ? () => walk.step({ pick: skill }) : null} /> : null}
      {rule !== null ? <RuleInspector routes={routes} edge={rule} verdict={walk.shown?.considered.find((one) => one.edge === rule) ?? null} close={() => setRule("")} open={open} /> : null}
    </main>
  );
}
