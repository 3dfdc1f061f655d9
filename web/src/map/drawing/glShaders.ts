// The four small programs that draw the map. Shapes are distances from their rims, so that they are smooth at any size.

const HEAD = `#version 300 es
precision highp float;
`;

const SEEN = `
uniform vec3 camera;
uniform vec2 size;
uniform float grown;
vec2 onScreen(vec2 world) { return (world - camera.xy) * camera.z; }
vec4 clipped(vec2 screen) { return vec4(screen / (size * 0.5) * vec2(1.0, -1.0), 0.0, 1.0); }
`;

export const MARKS_VERTEX = `${HEAD}${SEEN}
uniform float ratio;
in vec4 place; // x, y, radius, shape
in vec4 colour;
out vec4 dye;
flat out float radius;
flat out float reach;
flat out int shape;
void main() {
  radius = place.z * grown;
  reach = radius * 1.2 + 2.5;
  dye = colour;
  shape = int(place.w + 0.5);
  gl_PointSize = reach * 2.0 * ratio;
  gl_Position = colour.a <= 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : clipped(onScreen(place.xy));
}
`;

/** Shapes by their number in SHAPES: circle, square, pentagon, triangle, diamond, hexagon, star, cross, wedge. */
export const MARKS_FRAGMENT = `${HEAD}
uniform vec3 paper;
in vec4 dye;
flat in float radius;
flat in float reach;
flat in int shape;
out vec4 seen;
vec2 at;
const float PI = 3.14159265;
float ring(vec2 p, float sides, float turn) {
  float part = 2.0 * PI / sides;
  float angle = mod(atan(p.y, p.x) - turn, part) - part * 0.5; // from the middle of a side
  return cos(angle) * length(p) - cos(part * 0.5) * radius * 1.12;
}
float star(vec2 p) {
  float part = 2.0 * PI / 5.0;
  float angle = mod(atan(p.y, p.x) + PI * 0.5 + part * 0.5, part) - part * 0.5;
  vec2 q = length(p) * vec2(cos(angle), abs(sin(angle)));
  vec2 tip = vec2(radius * 1.2, 0.0);
  vec2 side = radius * 0.54 * vec2(cos(part * 0.5), sin(part * 0.5)) - tip;
  return dot(q - tip, normalize(vec2(side.y, -side.x)));
}
float rim() {
  if (shape == 0) return length(at) - radius * 0.94;
  if (shape == 1) return max(abs(at.x), abs(at.y)) - radius * 0.82;
  if (shape == 2) return ring(at, 5.0, -PI * 0.5);
  if (shape == 3) return ring(at, 3.0, -PI * 0.5);
  if (shape == 4) return (abs(at.x) + abs(at.y) - radius * 1.15) * 0.7071;
  if (shape == 5) return ring(at, 6.0, 0.0);
  if (shape == 6) return star(at);
  if (shape == 7) {
    vec2 p = abs(at);
    float near = radius * 0.42, far = radius * 1.1;
    return min(max(p.x - near, p.y - far), max(p.x - far, p.y - near));
  }
  return ring(at, 3.0, PI * 0.5);
}
void main() {
  at = (gl_PointCoord - 0.5) * 2.0 * reach;
  float d = rim();
  float inside = clamp(0.5 - d, 0.0, 1.0);
  float edge = clamp(1.8 - d, 0.0, 1.0); // paper round it, so that lines end before it
  vec3 ink = mix(paper, dye.rgb, inside * dye.a);
  float cover = edge * min(1.0, dye.a * 4.0);
  if (cover <= 0.0) discard;
  seen = vec4(ink * cover, cover);
}
`;

export const LINES_VERTEX = `${HEAD}${SEEN}
in vec2 corner;
in vec4 ends; // from, to
uniform vec2 strength; // of all lines, and 1 where their heads are seen
in vec4 style; // width, dash, gap, radius of the mark it leads to (0: no head)
in vec4 colour;
out vec2 at; // along it, across it
out vec4 dye;
flat out vec4 look;
flat out float far;
void main() {
  vec2 from = onScreen(ends.xy);
  vec2 to = onScreen(ends.zw);
  vec2 way = to - from;
  far = max(length(way), 0.001);
  vec2 along = way / far;
  float rim = style.w * grown * strength.y;
  at = vec2(corner.x < 0.0 ? 0.0 : far, corner.y * (rim > 0.0 ? 5.0 : style.x * 0.5 + 1.0));
  dye = vec4(colour.rgb, min(0.4, colour.a * clamp(1.2 * camera.z, 1.0, 3.0)) * strength.x); // as lineAlpha has it
  look = vec4(style.xyz, rim);
  gl_Position = colour.a <= 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : clipped(from + along * at.x + vec2(-along.y, along.x) * at.y);
}
`;

export const LINES_FRAGMENT = `${HEAD}
uniform vec3 paper;
in vec2 at;
in vec4 dye;
flat in vec4 look;
flat in float far;
out vec4 seen;
void main() {
  float across = abs(at.y);
  float alpha = dye.a * clamp(look.x * 0.5 + 0.5 - across, 0.0, 1.0);
  if (look.z > 0.0 && mod(at.x, look.y + look.z) > look.y) alpha = 0.0;
  if (look.w > 0.0) {
    float left = far - look.w - 1.5 - at.x; // to the tip
    if (left < 0.0) alpha = 0.0;
    else if (far > look.w * 2.0 + 14.0 && left < 8.0) alpha = max(alpha, min(0.9, dye.a * 1.9) * clamp(left * 0.42 + 0.5 - across, 0.0, 1.0));
  }
  if (alpha <= 0.003) discard;
  seen = vec4(dye.rgb * alpha, alpha);
}
`;
