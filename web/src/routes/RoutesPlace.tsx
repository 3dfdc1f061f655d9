import type { PlaceProps } from "../address";
import { Nowhere } from "../shell/Nowhere";
import { usePageTitle } from "../shell/usePageTitle";
import { ChooseGraph } from "./ChooseGraph";
import { RoutePage } from "./RoutePage";
import { sourceOf } from "./routeSource";
import "../styles/routes.css";

export default function RoutesPlace({ where: { rest } }: PlaceProps) {
  const [id = "", ...more] = rest;
  if (more.length) return <Nowhere said="Routes are opened by the name of their graph." to="/routes" way="Choose a graph" />;
  const named = id ? sourceOf(id) : null;
  usePageTitle(named ? `${named.name} · Routes` : "Routes");
  if (named) return <RoutePage key={id} id={id} named={named} />;
  return <ChooseGraph gone={id !== ""} />;
}
