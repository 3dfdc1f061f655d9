import type { PlaceProps } from "../App";
import { SessionPage } from "../sessions/SessionPage";
import { SessionsPage } from "../sessions/SessionsPage";
import "../styles/sessions.css";
import "../styles/builds.css";

export default function StudioPlace({ where: { rest } }: PlaceProps) {
  const [kind, id] = rest;
  return kind === "run" && id ? <SessionPage key={id} id={id} /> : <SessionsPage />;
}
