import { memo, useState } from "react";
import type { SessionEvent } from "../sessionWire";
import { useShown } from "../useShown";
import { counted } from "../../counted";
import { timeOfDay } from "../words";

const MANY = 200;

/** The log itself, drawn only while it is open. */
export function RawEvents({ events, length }: { events: SessionEvent[]; length: number }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="raw" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        The log <span className="count">{counted(length, "event")}</span>
      </summary>
      {isOpen ? <EventList events={events} /> : null}
    </details>
  );
}

function EventList({ events }: { events: SessionEvent[] }) {
  const [shown, more] = useShown(events.length, MANY, "events");
  return (
    <>
      <ol aria-label="Events">
        {events.slice(0, shown).map((event) => (
          <EventLine key={event.seq} event={event} />
        ))}
      </ol>
      {more}
    </>
  );
}

const EventLine = memo(function EventLine({ event }: { event: SessionEvent }) {
  const { seq, ts, type, ...rest } = event;
  const facts = JSON.stringify(rest);
  return (
    <li>
      <span className="number soft">{seq}</span>
      <time className="soft" dateTime={ts}>
        {timeOfDay(ts)}
      </time>
      <b>{type}</b>
      <code>{facts === "{}" ? "" : facts}</code>
    </li>
  );
});
