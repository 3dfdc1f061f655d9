import type { ComponentProps, MouseEvent } from "react";
import { type Address, formatAddress } from "../address";
import { go, useAddress } from "./useAddress";

interface Props extends Omit<ComponentProps<"a">, "href"> {
  to: Partial<Address>;
}

/** A real link to another state of the page: it opens in a new tab as well as in place. */
export function Link({ to, onClick, ...rest }: Props) {
  const address = useAddress();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return <a href={formatAddress({ ...address, ...to }) || window.location.pathname} onClick={follow} {...rest} />;
}
