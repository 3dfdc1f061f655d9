import { useEffect, useState, useSyncExternalStore } from "react";
import { SessionFeed } from "./SessionFeed";

const nothing = () => () => undefined;
const zero = () => 0;

/** The session as it stands, drawn again with every batch of events. Null until it is first asked for. */
export function useSessionFeed(id: string): SessionFeed | null {
  const [feed, setFeed] = useState<SessionFeed | null>(null);
  useEffect(() => {
    const opened = new SessionFeed(id);
    opened.open();
    setFeed(opened);
    return () => opened.close();
  }, [id]);
  useSyncExternalStore(feed?.subscribe ?? nothing, feed?.current ?? zero);
  return feed;
}
