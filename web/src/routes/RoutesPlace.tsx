import type { PlaceProps } from "../App";
import { usePageTitle } from "../shell/usePageTitle";

export default function RoutesPlace(_: PlaceProps) {
  usePageTitle("Routes");
  return (
    <main id="main" className="centred" tabIndex={-1}>
      <h1>Routes</h1>
    </main>
  );
}
