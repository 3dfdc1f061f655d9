import { ErrorNote } from "../../shell/ErrorNote";
import { PathLink } from "../../shell/Link";
import { Nowhere } from "../../shell/Nowhere";
import { useQueryField } from "../../shell/useAddress";
import { useFetched } from "../../shell/useFetched";
import { usePageTitle } from "../../shell/usePageTitle";
import { PLAN_DRAFT, readPlanText } from "../../sessions/planText";
import type { DesignKind, JsonObject } from "../blocks/blockDocument";
import { DesignDesk } from "./DesignDesk";
import { type Design, designOfSession, findDesign } from "./designs";
import { emptyDesign, startersOf } from "./starters";

/** A starter by its number; what was written in this tab as JSON; or an empty one. */
function begunWith(kind: DesignKind, starter: string): JsonObject {
  const written = starter === "draft" && kind === "plan" ? readPlanText(sessionStorage.getItem(PLAN_DRAFT) ?? "") : null;
  if (written && "request" in written) return written.request as JsonObject;
  return startersOf(kind)[Number(starter) - 1]?.document ?? emptyDesign(kind);
}

/** `/studio/plan/ID` is a design that was saved; `/studio/plan/new?kind=…` begins one, from nothing or from a session. */
export function PlanPage({ id }: { id: string }) {
  const [kind] = useQueryField("kind");
  const [from] = useQueryField("from");
  const [at] = useQueryField("at");
  const [starter] = useQueryField("starter");
  const wanted: DesignKind = kind === "build" ? "build" : "plan";
  const isNew = id === "new";
  const [found, again] = useFetched(isNew && !from ? null : `${id} ${from} ${at}`, () => (isNew ? designOfSession(from, /^\d+$/.test(at) ? Number(at) : null) : findDesign(id)));
  const begun: Design | null = isNew && !from ? { kind: wanted, document: begunWith(wanted, starter) } : (found.value ?? null);
  usePageTitle(begun ? null : "Design · Studio"); // the desk knows what it is called by now
  if (found.state === "failed" && found.error.status === 404)
    return <Nowhere said={isNew ? "The session this was to be made of is not here." : "There is no plan of that name in Studio."} to="/studio" way="Go to Studio" />;
  return (
    <main id="main" className="studio-plan" tabIndex={-1}>
      <PathLink to="/studio" className="back">
        Studio
      </PathLink>
      {found.state === "failed" ? <ErrorNote error={found.error} retry={again} /> : null}
      {!begun && found.state === "waiting" ? (
        <p className="soft" role="status">
          Reading…
        </p>
      ) : null}
      {begun ? <DesignDesk key={`${id} ${begun.kind} ${from} ${at}`} id={isNew ? null : id} begun={begun} /> : null}
    </main>
  );
}
