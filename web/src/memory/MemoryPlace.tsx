import type { PlaceProps } from "../App";
import { usePageTitle } from "../shell/usePageTitle";

export default function MemoryPlace(_: PlaceProps) {
  usePageTitle("Memory");
  return (
    <main id="main" className="centred" tabIndex={-1}>
      <h1>Memory</h1>
    </main>
  );
}
