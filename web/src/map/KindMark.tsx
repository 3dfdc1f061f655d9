import { corners, type Look } from "./kinds";

/** A type's shape and colour as a small drawing beside its name. Decorative: the name always stands next to it. */
export function KindMark({ look, size = 12 }: { look: Look | undefined; size?: number }) {
  if (!look) return null;
  const points = corners(look.shape);
  return (
    <svg className="kind-mark" width={size} height={size} viewBox="-1.1 -1.1 2.2 2.2" aria-hidden="true">
      {points.length === 0 ? (
        <circle r="0.9" fill={`var(--dye-${look.dye})`} />
      ) : (
        <polygon points={points.map((point) => point.join(",")).join(" ")} fill={`var(--dye-${look.dye})`} />
      )}
    </svg>
  );
}
