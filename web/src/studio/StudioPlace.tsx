import type { PlaceProps } from "../App";
import { SessionPage } from "../sessions/run/SessionPage";
import { SessionsPage } from "../sessions/list/SessionsPage";
import "../styles/sessions.css";
import "../styles/builds.css";
import "../styles/studio-run.css";

export default function StudioPlace({ where: { rest } }: PlaceProps) {
  const [kind, id] = rest;
  return kind === "run" && id ? <SessionPage key={id} id={id} /> : <SessionsPage />;
}
