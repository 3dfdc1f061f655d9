// What is wired to a board: the spec's components, and the pins that a program uses besides.

import type { PinState, SpecAsKept } from "../../sessions/sessionWire";

export interface BoardPart {
  pin: string;
  name: string;
  kind: "lamp" | "button" | "slider" | "other";
}

const LAMPS = /led|lamp|light|neopixel|strip|bulb/i;
const BUTTONS = /button|switch|key|touch|pir|motion/i;
const SLIDERS = /slider|potentiometer|poti?\b|knob|dial|sensor|ldr|adc|joystick|thermistor/i;

function kindOf(type: string, state: PinState | undefined): BoardPart["kind"] {
  if (state?.mode === "in") return "button";
  if (state?.mode === "adc") return "slider";
  if (state?.mode === "neopixel" || state?.mode === "pwm") return "lamp";
  if (LAMPS.test(type)) return "lamp";
  if (BUTTONS.test(type)) return "button";
  if (SLIDERS.test(type)) return "slider";
  return state?.mode === "out" ? "lamp" : "other";
}

const asPin = (value: unknown) => (typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : null);

/** Those of the spec first, in its order; a pin is drawn once. */
export function partsOf(hardware: SpecAsKept["hardware"], pins: Record<string, PinState>): BoardPart[] {
  const parts: BoardPart[] = [];
  const isDrawn = (pin: string) => parts.some((part) => part.pin === pin);
  for (const component of hardware?.components ?? []) {
    const pin = asPin(component.pin ?? component.gpio);
    const type = String(component.type ?? component.kind ?? "");
    if (pin === null || isDrawn(pin)) continue;
    parts.push({ pin, name: String(component.name ?? component.label ?? (type || `Pin ${pin}`)), kind: kindOf(type, pins[pin]) });
  }
  for (const [pin, state] of Object.entries(pins)) if (!isDrawn(pin)) parts.push({ pin, name: `Pin ${pin}`, kind: kindOf("", state) });
  return parts;
}

/** How bright a lamp is, from 0 to 1. */
export function brightness(state: PinState | undefined): number {
  if (!state) return 0;
  const most = state.mode === "pwm" ? 65_535 : state.mode === "dac" ? 255 : state.mode === "adc" ? 4_095 : 1;
  return Math.max(0, Math.min(1, state.value / most));
}
