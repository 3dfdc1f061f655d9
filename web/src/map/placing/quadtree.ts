// A Barnes-Hut quadtree in flat arrays: repulsion between all pairs in n·log n, without one object per cell.

const MAX_DEPTH = 20;
const EMPTY = 0;

export class Quadtree {
  // Four slots a cell: 0 empty, positive a cell, negative the body -(index + 1).
  private slots = new Int32Array(0);
  private mass = new Float64Array(0);
  private sumX = new Float64Array(0);
  private sumY = new Float64Array(0);
  private weights: Float64Array = new Float64Array(0);
  private cells = 0;
  private left = 0;
  private top = 0;
  private width = 1;
  private readonly stackCell = new Int32Array(4 * MAX_DEPTH + 8);
  private readonly stackWidth = new Float64Array(4 * MAX_DEPTH + 8);

  build(x: Float64Array, y: Float64Array, weights: Float64Array): void {
    this.weights = weights;
    this.reserve(x.length);
    this.measure(x, y);
    this.cells = 1;
    this.clear(0);
    for (let body = 0; body < x.length; body++) this.insert(body, x, y);
  }

  /** Adds to (forceX, forceY) of one body the push of all others; `strength` is negative to repel. */
  push(body: number, x: Float64Array, y: Float64Array, strength: number, out: Float64Array): void {
    const [bodyX, bodyY] = [x[body]!, y[body]!];
    const { stackCell, stackWidth, slots, mass } = this;
    let depth = 1;
    let forceX = 0;
    let forceY = 0;
    stackCell[0] = 0;
    stackWidth[0] = this.width;
    while (depth > 0) {
      depth--;
      const cell = stackCell[depth]!;
      const width = stackWidth[depth]!;
      const cellMass = mass[cell]!;
      const dx = this.sumX[cell]! / cellMass - bodyX;
      const dy = this.sumY[cell]! / cellMass - bodyY;
      const distance2 = dx * dx + dy * dy;
      if (width * width < 0.81 * distance2) {
        const pull = (strength * cellMass) / distance2;
        forceX += dx * pull;
        forceY += dy * pull;
        continue;
      }
      for (let slot = 4 * cell; slot < 4 * cell + 4; slot++) {
        const held = slots[slot]!;
        if (held > 0) {
          stackCell[depth] = held;
          stackWidth[depth] = width / 2;
          depth++;
        } else if (held < 0 && held !== -body - 1) {
          const nearX = x[-held - 1]! - bodyX;
          const nearY = y[-held - 1]! - bodyY;
          const pull = (strength * this.weights[-held - 1]!) / Math.max(1, nearX * nearX + nearY * nearY);
          forceX += nearX * pull;
          forceY += nearY * pull;
        }
      }
    }
    out[0] = forceX;
    out[1] = forceY;
  }

  private reserve(bodies: number): void {
    const capacity = Math.max(64, bodies * 8);
    if (this.mass.length >= capacity) return;
    this.slots = new Int32Array(4 * capacity);
    this.mass = new Float64Array(capacity);
    this.sumX = new Float64Array(capacity);
    this.sumY = new Float64Array(capacity);
  }

  private measure(x: Float64Array, y: Float64Array): void {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let body = 0; body < x.length; body++) {
      left = Math.min(left, x[body]!);
      right = Math.max(right, x[body]!);
      top = Math.min(top, y[body]!);
      bottom = Math.max(bottom, y[body]!);
    }
    this.left = left;
    this.top = top;
    this.width = Math.max(1, right - left, bottom - top);
  }

  private clear(cell: number): void {
    this.slots.fill(EMPTY, 4 * cell, 4 * cell + 4);
    this.mass[cell] = 0;
    this.sumX[cell] = 0;
    this.sumY[cell] = 0;
  }

  private insert(body: number, x: Float64Array, y: Float64Array): void {
    let cell = 0;
    let half = this.width / 2;
    let midX = this.left + half;
    let midY = this.top + half;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      this.weigh(cell, body, x, y);
      const slot = 4 * cell + (x[body]! >= midX ? 1 : 0) + (y[body]! >= midY ? 2 : 0);
      const held = this.slots[slot]!;
      if (held === EMPTY) {
        this.slots[slot] = -body - 1;
        return;
      }
      half /= 2;
      midX += x[body]! >= midX ? half : -half;
      midY += y[body]! >= midY ? half : -half;
      if (held > 0) {
        cell = held;
        continue;
      }
      // Out of room or too deep: two bodies on one spot. The cell already counts the mass, which is enough.
      if (this.cells >= this.mass.length || depth === MAX_DEPTH - 1) return;
      const inner = this.cells++;
      this.clear(inner);
      this.slots[slot] = inner;
      const old = -held - 1;
      this.weigh(inner, old, x, y);
      this.slots[4 * inner + (x[old]! >= midX ? 1 : 0) + (y[old]! >= midY ? 2 : 0)] = held;
      cell = inner;
    }
  }

  private weigh(cell: number, body: number, x: Float64Array, y: Float64Array): void {
    const weight = this.weights[body]!;
    this.mass[cell]! += weight;
    this.sumX[cell]! += x[body]! * weight;
    this.sumY[cell]! += y[body]! * weight;
  }
}
