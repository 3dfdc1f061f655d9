import { counted } from "../../counted";
import type { GraphModel } from "../../shell/graphModel";
import type { Pack } from "./pack";

/** The budget as a bar: one piece a note, whole notes solid, sections hatched, what is left empty. */
export function TokenBar({ model, pack }: { model: GraphModel; pack: Pack }) {
  const { tokensUsed, tokenBudget } = pack.telemetry;
  const left = tokenBudget - tokensUsed;
  const parts = pack.loaded.map((node) => `${node.name} ${node.tokens}`).join(", ");
  return (
    <figure className="token-bar">
      <div role="img" aria-label={`Tokens per note: ${parts || "none"}; ${left} of ${tokenBudget} left`}>
        {pack.loaded.map((node) => {
          const dye = model.looks.get(model.byId.get(node.id)?.type ?? "")?.dye ?? "slate";
          return (
            <span
              key={node.id}
              className={node.level === 4 ? "whole" : "sections"}
              style={{ flexGrow: node.tokens, color: `var(--dye-${dye})` }}
              title={`${node.name}: ${counted(node.tokens, "token")}, ${node.level === 4 ? "whole note" : "sections"}`}
            />
          );
        })}
        <span className="left" style={{ flexGrow: Math.max(0, left) }} title={`${counted(left, "token")} left`} />
      </div>
      <figcaption>
        <span className="whole" aria-hidden="true" /> whole note <span className="sections" aria-hidden="true" /> sections{" "}
        <span className="left" aria-hidden="true" /> left
      </figcaption>
    </figure>
  );
}
