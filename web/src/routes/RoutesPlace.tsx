import type { PlaceProps } from "../address";
import { usePageTitle } from "../shell/usePageTitle";
import { ChooseGraph } from "./ChooseGraph";
import { RoutePage } from "./RoutePage";
import { sourceOf } from "./routeSource";
import "../styles/routes.css";

export default function RoutesPlace({ where: { rest } }: PlaceProps) {
  const [id = ""] = rest;
  const named = id ? sourceOf(id) : null;
  usePageTitle(named ? `${named.name} · Routes` : "Routes");
  if (named) return <RoutePage key={id} id={id} named={named} />;
  return <ChooseGraph gone={id !== ""} />;
}
