// How each type of note and of link looks: always a colour and a shape, a colour and a line style, never colour alone.

export const DYES = ["indigo", "teal", "walnut", "madder", "weld", "slate", "plum", "lichen", "sky", "rose", "olive", "violet"] as const;
export const SHAPES = [
  "circle",
  "square",
  "pentagon",
  "triangle",
  "diamond",
  "hexagon",
  "star",
  "cross",
  "wedge",
] as const;

export type Dye = (typeof DYES)[number];
export type Shape = (typeof SHAPES)[number];
export interface Look {
  dye: Dye;
  shape: Shape;
}

const KNOWN: Record<string, Look> = {
  moc: { dye: "indigo", shape: "hexagon" },
  framework: { dye: "walnut", shape: "pentagon" },
  technique: { dye: "teal", shape: "square" },
  claim: { dye: "madder", shape: "triangle" },
  exploration: { dye: "weld", shape: "diamond" },
  skill: { dye: "slate", shape: "circle" },
};

const SPARE: Look[] = [
  { dye: "plum", shape: "star" },
  { dye: "lichen", shape: "cross" },
  { dye: "sky", shape: "wedge" },
  { dye: "rose", shape: "circle" },
  { dye: "olive", shape: "square" },
  { dye: "violet", shape: "pentagon" },
  // When every dye is taken once, each goes round again with another shape.
  ...SHAPES.flatMap((_, turn) => DYES.map((dye, at) => ({ dye, shape: SHAPES[(at + turn) % SHAPES.length]! }))),
];

/** Types the page has never heard of take the spare looks in the order of their names; no dye comes twice before all are taken. */
export function looksFor(types: Iterable<string>): Map<string, Look> {
  const looks = new Map<string, Look>();
  const sorted = [...new Set(types)].sort();
  for (const type of sorted) if (KNOWN[type]) looks.set(type, KNOWN[type]);
  const taken = new Set(Object.values(KNOWN).map(({ dye, shape }) => dye + shape));
  const dyes = new Set([...looks.values()].map(({ dye }) => dye));
  for (const type of sorted) {
    if (looks.has(type)) continue;
    const free = SPARE.filter(({ dye, shape }) => !taken.has(dye + shape));
    const look = free.find(({ dye }) => !dyes.has(dye)) ?? free[0] ?? SPARE[0]!;
    taken.add(look.dye + look.shape);
    dyes.add(look.dye);
    looks.set(type, look);
  }
  return looks;
}

export interface LineLook {
  label: string;
  dash: number[];
  width: number;
  dye: Dye | "ink";
  /** Whether it leads from one note to the other, or holds both ways alike. */
  directed: boolean;
}

export const LINE_LOOKS: Record<string, LineLook> = {
  REFERENCES: { label: "references", dash: [], width: 1, dye: "ink", directed: true },
  CLUSTERS: { label: "gathers", dash: [7, 4], width: 1, dye: "indigo", directed: true },
  EXTENDS: { label: "extends", dash: [], width: 2.2, dye: "lichen", directed: true },
  CONTRADICTS: { label: "contradicts", dash: [1.5, 4], width: 2, dye: "madder", directed: true },
  CROSS_DOMAIN: { label: "same name elsewhere", dash: [9, 3, 2, 3], width: 1.4, dye: "plum", directed: false },
};

export const lineLook = (type: string): LineLook => LINE_LOOKS[type] ?? LINE_LOOKS.REFERENCES!;

/** The corners of a shape round the origin with radius 1; a circle has none. */
export function corners(shape: Shape): [number, number][] {
  const ring = (count: number, turn: number, inner = 1): [number, number][] =>
    Array.from({ length: count }, (_, at) => {
      const angle = (2 * Math.PI * at) / count + turn;
      const radius = at % 2 ? inner : 1;
      return [Math.cos(angle) * radius, Math.sin(angle) * radius];
    });
  const up = -Math.PI / 2;
  switch (shape) {
    case "circle":
      return [];
    case "square":
      return ring(4, Math.PI / 4);
    case "pentagon":
      return ring(5, up);
    case "triangle":
      return ring(3, up);
    case "wedge":
      return ring(3, -up);
    case "diamond":
      return ring(4, 0);
    case "hexagon":
      return ring(6, 0);
    case "star":
      return ring(10, up, 0.45);
    case "cross": {
      const [near, far] = [0.36, 1];
      return [
        [-near, -far], [near, -far], [near, -near], [far, -near], [far, near], [near, near],
        [near, far], [-near, far], [-near, near], [-far, near], [-far, -near], [-near, -near],
      ];
    }
  }
}
