// Panning and zooming of the drawn map: by pointer, wheel, two fingers and keys.

import { type PointerEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

export interface Camera {
  x: number;
  y: number;
  scale: number;
}

interface Extent {
  width: number;
  height: number;
}

const [LEAST, MOST] = [0.2, 2];
const BUTTONS = 60; // at the right, where nothing should begin to be read
const READABLE = 0.92; // what does not fit at this size begins at its left and is gone through
const WHOLE = 0.7; // what fits at this size opens whole: where it ends is worth more than large letters
const SLACK = 4;
const EDGE = 12;

export function fitting(drawn: Extent, room: Extent, least = LEAST): Camera {
  const scale = Math.min(1, Math.max(least, Math.min(room.width / Math.max(1, drawn.width), room.height / Math.max(1, drawn.height))));
  const x = (room.width - drawn.width * scale) / 2;
  const y = (room.height - drawn.height * scale) / 2;
  // What is larger than the room begins at its left edge, where the doors are.
  return { scale, x: Math.max(0, x), y };
}

/** What is higher than the room opens with what must be seen in its middle, and what is around that. */
export function beginning(drawn: Extent, room: Extent, kept: Placed | undefined): Camera {
  const whole = fitting(drawn, room);
  if (whole.scale >= WHOLE) return whole;
  const camera = fitting(drawn, room, READABLE);
  const height = drawn.height * camera.scale;
  if (!kept || height <= room.height) return camera;
  return { ...camera, y: Math.min(EDGE, Math.max(room.height - height - EDGE, room.height / 2 - kept.y * camera.scale)) };
}

export function zoomed({ x, y, scale }: Camera, factor: number, atX: number, atY: number): Camera {
  const next = Math.min(MOST, Math.max(LEAST, scale * factor));
  return { scale: next, x: atX - ((atX - x) * next) / scale, y: atY - ((atY - y) * next) / scale };
}

interface Placed extends Extent {
  x: number;
  y: number;
}

/** `kept` is what must be seen when the view is set anew. */
export function useCamera(frame: RefObject<HTMLElement | null>, drawn: Extent | null, kept: Placed | undefined) {
  const [camera, setCamera] = useState<Camera>({ x: 0, y: 0, scale: 1 });
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const travelled = useRef(0);
  const touched = useRef(false); // by a person: then a change of the room leaves the view as it is

  const room = useCallback(() => {
    const box = frame.current?.getBoundingClientRect();
    return { left: box?.left ?? 0, top: box?.top ?? 0, width: Math.max(1, (box?.width ?? 1) - BUTTONS), height: box?.height ?? 1 };
  }, [frame]);
  /** Moves no more than it must for a box to be seen whole. */
  const show = useCallback(
    (box: Placed) => {
      const { width, height } = room();
      setCamera((last) => {
        const shift = (middle: number, length: number, start: number, all: number) => {
          const low = (middle - length / 2) * last.scale + start - 12;
          const high = (middle + length / 2) * last.scale + start + 12;
          return low < 0 ? start - low : high > all ? start - (high - all) : start;
        };
        const [x, y] = [shift(box.x, box.width, last.x, width), shift(box.y, box.height, last.y, height)];
        return x === last.x && y === last.y ? last : { ...last, x, y };
      });
    },
    [room],
  );

  const latest = useRef(kept);
  latest.current = kept;
  const open = useCallback(() => {
    touched.current = false;
    if (drawn) setCamera(beginning(drawn, room(), latest.current));
    if (latest.current) show(latest.current);
  }, [drawn, room, show]);
  useLayoutEffect(open, [open]);
  const fit = () => {
    touched.current = true;
    if (drawn) setCamera(fitting(drawn, room()));
  };

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const watching = new ResizeObserver(() => touched.current || open());
    watching.observe(element);
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      touched.current = true;
      const { left, top } = room();
      const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016));
      setCamera((last) => zoomed(last, factor, event.clientX - left, event.clientY - top));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      watching.disconnect();
      element.removeEventListener("wheel", onWheel);
    };
  }, [frame, open, room]);

  const zoom = (factor: number) => {
    touched.current = true;
    const { width, height } = room();
    setCamera((last) => zoomed(last, factor, width / 2, height / 2));
  };
  const pan = (dx: number, dy: number) => {
    touched.current = true;
    setCamera((last) => ({ ...last, x: last.x + dx, y: last.y + dy }));
  };

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    travelled.current = 0;
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const from = fingers.current.get(event.pointerId);
    if (!from) return;
    const to = { x: event.clientX, y: event.clientY };
    travelled.current += Math.hypot(to.x - from.x, to.y - from.y);
    if (travelled.current <= SLACK) return;
    // From here on it is a drag: the card below must not take it for a click.
    event.currentTarget.setPointerCapture(event.pointerId);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const { left, top } = room();
      const factor = Math.hypot(to.x - other.x, to.y - other.y) / Math.max(1, Math.hypot(from.x - other.x, from.y - other.y));
      touched.current = true;
      setCamera((last) => zoomed(last, factor, other.x - left, other.y - top));
    } else pan(to.x - from.x, to.y - from.y);
    fingers.current.set(event.pointerId, to);
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => void fingers.current.delete(event.pointerId);

  return { camera, fit, zoom, pan, show, listeners: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp } };
}
