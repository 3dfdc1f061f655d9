import { type ComponentProps, type ComponentType, type ReactNode, useEffect, useMemo, useState } from "react";
import { readGiven } from "../../sessions/sessionApi";
import type { Story } from "../../sessions/sessionStory";
import type { Given } from "../../sessions/sessionWire";
import { useQueryField } from "../../shell/useAddress";
import { useFetched } from "../../shell/useFetched";
import type { DesignKind, JsonObject } from "./blockDocument";
import type LitBlocks from "./LitBlocks";
import { lightsOf } from "./lights";

interface Props {
  id: string;
  kind: DesignKind;
  story: Story;
  /** What it was started with, where that is known already. */
  given: Given | null;
  title: ReactNode;
  /** The same in words: shown unless the blocks are asked for, and where they cannot be had. */
  children: ReactNode;
}

/** A run as a list, or as the blocks that it was put together from. */
export function RunBlocks({ id, kind, story, given, title, children }: Props) {
  const [as, setAs] = useQueryField("as");
  const wanted = as === "blocks";
  return (
    <>
      <div className="steps-head">
        {title}
        <div className="row studio-modes" role="group" aria-label="Shown as">
          <button type="button" aria-pressed={!wanted} onClick={() => setAs("")}>
            List
          </button>
          <button type="button" aria-pressed={wanted} onClick={() => setAs("blocks")}>
            Blocks
          </button>
        </div>
      </div>
      {wanted ? <Opened id={id} kind={kind} story={story} given={given} list={children} /> : children}
    </>
  );
}

type Drawn = ComponentType<ComponentProps<typeof LitBlocks>>;

function Opened({ id, kind, story, given, list }: Omit<Props, "title" | "children"> & { list: ReactNode }) {
  const [found] = useFetched(given ? null : id, (signal) => readGiven(id, signal));
  const [Lit, setLit] = useState<Drawn | "missing" | null>(null);
  useEffect(() => {
    import("./LitBlocks").then(
      (opened) => setLit(() => opened.default),
      () => setLit("missing"),
    );
  }, []);
  const whole = given ?? found.value ?? null;
  const document = useMemo(() => (whole ? asDocument(kind, whole) : null), [kind, whole]);
  const lights = useMemo(() => (whole && document ? lightsOf(kind, whole, story) : null), [kind, whole, document, story, story.lastSeq]);
  if (Lit === "missing" || found.state === "failed" || (whole && !document)) {
    return (
      <>
        <p className="soft" role="status">
          The blocks cannot be shown here. This is the same as a list.
        </p>
        {list}
      </>
    );
  }
  if (!Lit || !document || !lights) {
    return (
      <p className="soft" role="status">
        Opening the blocks…
      </p>
    );
  }
  return <Lit kind={kind} document={document} lights={lights} />;
}

/** A session that was not started yet has no document. */
function asDocument(kind: DesignKind, { plan, spec }: Given): JsonObject | null {
  if (kind === "build") return spec ? (spec as unknown as JsonObject) : null;
  return plan ? ({ plan } as unknown as JsonObject) : null;
}
