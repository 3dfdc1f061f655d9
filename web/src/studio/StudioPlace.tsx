import type { PlaceProps } from "../address";
import { SessionsPage } from "../sessions/list/SessionsPage";
import { SessionPage } from "../sessions/run/SessionPage";
import { PlanPage } from "./plan/PlanPage";
import "../styles/sessions.css";
import "../styles/builds.css";
import "../styles/studio-run.css";
import "../styles/studio-plan.css";

export default function StudioPlace({ where: { rest } }: PlaceProps) {
  const [kind, id] = rest;
  if (kind === "run" && id) return <SessionPage key={id} id={id} />;
  if (kind === "plan" && id) return <PlanPage key={id} id={id} />;
  return <SessionsPage />;
}
