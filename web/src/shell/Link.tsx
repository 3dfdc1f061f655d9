import type { ComponentProps, MouseEvent } from "react";
import { type Address, formatAddress } from "../address";
import { go, goTo, useAddress } from "./useAddress";

interface Props extends Omit<ComponentProps<"a">, "href"> {
  to: Partial<Address>;
}

/** A real link to another state of the page: it opens in a new tab as well as in place. */
export function Link({ to, onClick, ...rest }: Props) {
  const address = useAddress();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!staysHere(event)) return;
    event.preventDefault();
    go(to);
  };
  return <a href={formatAddress({ ...address, ...to })} onClick={follow} {...rest} />;
}

/** A real link to a page with a path of its own. */
export function PathLink({ to, ...rest }: Omit<ComponentProps<"a">, "href" | "onClick"> & { to: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (!staysHere(event)) return;
    event.preventDefault();
    goTo(to);
  };
  return <a href={to} onClick={follow} {...rest} />;
}

const staysHere = (event: MouseEvent) =>
  !event.defaultPrevented && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
