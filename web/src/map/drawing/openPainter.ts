// Who draws the marks and lines of the map: the graphics card, or where there is none, the processor by itself.

import { CanvasPainter } from "./canvasPainter";
import { GlPainter } from "./glPainter";
import type { Painter } from "./painter";

const STOOD_IN_FOR = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** A card that the processor stands in for takes ten times what the processor's own way of drawing takes. */
function hasCard(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (!gl) return false;
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const card = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return !STOOD_IN_FOR.test(card);
}

export function openPainter(canvas: HTMLCanvasElement): Painter | null {
  const gl = hasCard() ? canvas.getContext("webgl2", { antialias: false, depth: false, stencil: false }) : null;
  if (gl) return new GlPainter(gl);
  const pen = canvas.getContext("2d");
  return pen && new CanvasPainter(pen);
}
