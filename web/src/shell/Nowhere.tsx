import type { ReactNode } from "react";
import { EmptyWeave } from "../library/Weave";
import { PathLink } from "./Link";
import { useBeingLost, usePageTitle } from "./usePageTitle";

interface Props {
  /** What is not there, in a sentence. */
  said?: ReactNode;
  /** The way on, nearest first; the library unless told. */
  to?: string;
  way?: string;
}

/** What stands at an address that leads nowhere: the same view wherever it is noticed, by the page or by the server. */
export function Nowhere({ said, to = "/", way = "Go to the library" }: Props) {
  useBeingLost();
  usePageTitle("Nothing here");
  return (
    <main id="main" className="centred" tabIndex={-1}>
      <EmptyWeave />
      <h1>There is nothing at this address</h1>
      {said ? <p>{said}</p> : null}
      <p>It may have been renamed or deleted, or the address was cut short on its way here.</p>
      <p>
        <PathLink to={to}>{way}</PathLink>
      </p>
    </main>
  );
}
