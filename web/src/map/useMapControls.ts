// Pointer, wheel and keys on the map. The camera lives in a ref: moving it redraws the canvas, not the page.

import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from "react";
import { type Camera, isDirection, nextTowards, type Places, type Size, toScreen, toWorld, zoomAt } from "./drawing/camera";
import { radiusOnScreen } from "./drawing/painter";
import type { Scene } from "./scene";

interface Hands {
  canvas: RefObject<HTMLCanvasElement | null>;
  camera: RefObject<Camera>;
  size: RefObject<Size>;
  places: Places;
  scene: Scene;
  pointed: number;
  selected: number;
  allowed: (mark: number) => boolean;
  point: (mark: number) => void;
  open: (mark: number) => void;
  fit: () => void;
  /** A mark is dragged to a place of the world, and let go there. */
  drag: (mark: number, x: number, y: number) => void;
  drop: (mark: number) => void;
  togglePin: (mark: number) => void;
  /** Called after every change of the camera by a person. */
  moved: () => void;
}

const CLICK_SLACK = 4;

export function markAt({ scene, places, camera, size, allowed }: Hands, x: number, y: number): number {
  let [best, least] = [-1, Infinity];
  for (let mark = 0; mark < places.x.length; mark++) {
    if (!allowed(mark)) continue;
    const [markX, markY] = toScreen(camera.current, size.current, places.x[mark]!, places.y[mark]!);
    const distance = Math.hypot(markX - x, markY - y);
    const reach = radiusOnScreen(scene.marks[mark]!.radius, camera.current) + 4;
    if (distance < reach && distance < least) [best, least] = [mark, distance];
  }
  return best;
}

export function useMapControls(hands: Hands) {
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const travelled = useRef(0);
  const held = useRef(-1);
  const latest = useRef(hands);
  latest.current = hands;

  const moveCamera = (camera: Camera) => {
    hands.camera.current = camera;
    hands.moved();
  };
  const here = (event: { clientX: number; clientY: number }) => {
    const box = hands.canvas.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const zoomCentre = (factor: number) => {
    const { width, height } = hands.size.current;
    moveCamera(zoomAt(hands.camera.current, hands.size.current, factor, width / 2, height / 2));
  };

  useEffect(() => {
    const canvas = hands.canvas.current;
    if (!canvas) return;
    // React listens to wheels passively; zooming must keep the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const now = latest.current;
      const box = canvas.getBoundingClientRect();
      const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016));
      const at = [event.clientX - box.left, event.clientY - box.top] as const;
      now.camera.current = zoomAt(now.camera.current, now.size.current, factor, ...at);
      now.moved();
    };
    canvas.addEventListener("wheel", onWheel, { passive: false });
    return () => canvas.removeEventListener("wheel", onWheel);
  }, [hands.canvas]);

  function onPointerDown(event: PointerEvent<HTMLCanvasElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = here(event);
    fingers.current.set(event.pointerId, at);
    travelled.current = 0;
    held.current = fingers.current.size === 1 && hands.scene.kind === "notes" ? markAt(hands, at.x, at.y) : -1;
  }

  function onPointerMove(event: PointerEvent<HTMLCanvasElement>): void {
    const to = here(event);
    const from = fingers.current.get(event.pointerId);
    if (!from) {
      hands.point(markAt(hands, to.x, to.y));
      return;
    }
    travelled.current += Math.hypot(to.x - from.x, to.y - from.y);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    const camera = hands.camera.current;
    if (other) {
      const factor = Math.hypot(to.x - other.x, to.y - other.y) / Math.max(1, Math.hypot(from.x - other.x, from.y - other.y));
      moveCamera(zoomAt(camera, hands.size.current, factor, other.x, other.y));
    } else if (held.current >= 0) {
      if (travelled.current > CLICK_SLACK) hands.drag(held.current, ...toWorld(camera, hands.size.current, to.x, to.y));
    } else if (travelled.current > CLICK_SLACK) {
      moveCamera({ ...camera, x: camera.x - (to.x - from.x) / camera.scale, y: camera.y - (to.y - from.y) / camera.scale });
    }
    fingers.current.set(event.pointerId, to);
  }

  function onPointerUp(event: PointerEvent<HTMLCanvasElement>): void {
    const down = fingers.current.delete(event.pointerId);
    const mine = held.current;
    held.current = -1;
    if (down && mine >= 0 && travelled.current > CLICK_SLACK) hands.drop(mine);
    if (!down || travelled.current > CLICK_SLACK || event.type === "pointercancel") return;
    const { x, y } = here(event);
    const mark = markAt(hands, x, y);
    if (mark >= 0) hands.open(mark);
  }

  function onKeyDown(event: KeyboardEvent<HTMLCanvasElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (isDirection(key) && event.shiftKey) {
      const camera = hands.camera.current;
      const step = 60 / camera.scale;
      const dx = key === "ArrowLeft" ? -step : key === "ArrowRight" ? step : 0;
      const dy = key === "ArrowUp" ? -step : key === "ArrowDown" ? step : 0;
      moveCamera({ ...camera, x: camera.x + dx, y: camera.y + dy });
    } else if (isDirection(key)) {
      walk(key);
    } else if ((key === "Enter" || key === " ") && hands.pointed >= 0) hands.open(hands.pointed);
    else if (key === "p" && hands.scene.kind === "notes" && (hands.pointed >= 0 || hands.selected >= 0)) {
      hands.togglePin(hands.pointed >= 0 ? hands.pointed : hands.selected);
    } else if (key === "+" || key === "=") zoomCentre(1.25);
    else if (key === "-") zoomCentre(0.8);
    else if (key === "0") hands.fit();
    else return;
    event.preventDefault();
  }

  function walk(key: Parameters<typeof nextTowards>[2]): void {
    const from = hands.pointed >= 0 ? hands.pointed : hands.selected;
    if (from >= 0) {
      const next = nextTowards(hands.places, from, key, hands.allowed);
      if (next >= 0) hands.point(next);
      return;
    }
    // The first press lands on the best connected mark.
    const first = hands.scene.marks.reduce(
      (best, mark, index) => (hands.allowed(index) && (best < 0 || mark.rank > hands.scene.marks[best]!.rank) ? index : best),
      -1,
    );
    hands.point(first);
  }

  return {
    zoomCentre,
    listeners: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onPointerLeave: () => hands.point(-1),
      onKeyDown,
    },
  };
}
