import type { PlaceProps } from "../address";
import { Nowhere } from "../shell/Nowhere";
import { SessionsPage } from "../sessions/list/SessionsPage";
import { SessionPage } from "../sessions/run/SessionPage";
import { PlanPage } from "./plan/PlanPage";
import "../styles/sessions.css";
import "../styles/builds.css";
import "../styles/studio-run.css";
import "../styles/studio-plan.css";

export default function StudioPlace({ where: { rest } }: PlaceProps) {
  const [kind, id, ...more] = rest;
  if (kind === "run" && id && !more.length) return <SessionPage key={id} id={id} />;
  if (kind === "plan" && id && !more.length) return <PlanPage key={id} id={id} />;
  if (rest.length > 1 || (kind && kind !== "run" && kind !== "plan")) return <Nowhere said="Studio has plans, builds and their runs." to="/studio" way="Go to Studio" />;
  return <SessionsPage />;
}
