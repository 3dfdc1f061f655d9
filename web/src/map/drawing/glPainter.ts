// Marks and lines on WebGL: buffers are filled when the scene or its look changes, moving the camera changes three numbers.

import { LINES_FRAGMENT, LINES_VERTEX, MARKS_FRAGMENT, MARKS_VERTEX } from "./glShaders";
import { grownBy, HEADS_FROM, LINE_FLOATS, MARK_FLOATS, type Painter, type View } from "./painter";

// A line is two triangles of four corners, each of which carries all that is known of it: drawing by instances is slow
// on many cards.
const CORNERS = [[-1, -1], [1, -1], [-1, 1], [1, 1]] as const;
const TRIANGLES = [0, 1, 2, 2, 1, 3];
const CORNER_FLOATS = 2 + LINE_FLOATS;

interface Layer {
  program: WebGLProgram;
  array: WebGLVertexArrayObject;
  buffer: WebGLBuffer;
  count: number;
  uniforms: Record<string, WebGLUniformLocation | null>;
}

export class GlPainter implements Painter {
  private readonly marks: Layer;
  private readonly lines: Layer;
  private readonly order: WebGLBuffer;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.lines = this.layer(LINES_VERTEX, LINES_FRAGMENT, { corner: 2, ends: 4, style: 4, colour: 4 });
    this.marks = this.layer(MARKS_VERTEX, MARKS_FRAGMENT, { place: 4, colour: 4 });
    this.order = gl.createBuffer()!;
    gl.bindVertexArray(this.lines.array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.order);
    gl.bindVertexArray(null);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  setMarks(data: Float32Array): void {
    this.marks.count = data.length / MARK_FLOATS;
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.marks.buffer);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, data, this.gl.DYNAMIC_DRAW);
  }

  setLines(data: Float32Array): void {
    const { gl } = this;
    const count = data.length / LINE_FLOATS;
    const corners = new Float32Array(count * CORNERS.length * CORNER_FLOATS);
    const order = new Uint32Array(count * TRIANGLES.length);
    let [corner, next] = [0, 0];
    for (let line = 0; line < count; line++) {
      for (const [along, across] of CORNERS) {
        corners[corner] = along;
        corners[corner + 1] = across;
        for (let part = 0; part < LINE_FLOATS; part++) corners[corner + 2 + part] = data[line * LINE_FLOATS + part]!;
        corner += CORNER_FLOATS;
      }
      for (const at of TRIANGLES) order[next++] = line * CORNERS.length + at;
    }
    this.lines.count = count;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.lines.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, corners, gl.DYNAMIC_DRAW);
    gl.bindVertexArray(this.lines.array);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order, gl.DYNAMIC_DRAW);
    gl.bindVertexArray(null);
  }

  paint({ camera, size, ratio, paper, strength }: View): void {
    const { gl } = this;
    gl.viewport(0, 0, Math.round(size.width * ratio), Math.round(size.height * ratio));
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    for (const layer of [this.lines, this.marks]) {
      if (layer.count === 0) continue;
      gl.useProgram(layer.program);
      gl.bindVertexArray(layer.array);
      gl.uniform3f(layer.uniforms.camera!, camera.x, camera.y, camera.scale);
      gl.uniform2f(layer.uniforms.size!, size.width, size.height);
      gl.uniform1f(layer.uniforms.grown!, grownBy(camera));
      gl.uniform1f(layer.uniforms.ratio!, ratio);
      gl.uniform3f(layer.uniforms.paper!, ...paper);
      gl.uniform2f(layer.uniforms.strength!, strength, camera.scale >= HEADS_FROM ? 1 : 0);
      if (layer === this.marks) gl.drawArrays(gl.POINTS, 0, layer.count);
      else gl.drawElements(gl.TRIANGLES, layer.count * TRIANGLES.length, gl.UNSIGNED_INT, 0);
    }
    gl.bindVertexArray(null);
  }

  private layer(vertex: string, fragment: string, attributes: Record<string, number>): Layer {
    const { gl } = this;
    const program = gl.createProgram()!;
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "shaders");
    const array = gl.createVertexArray()!;
    const buffer = gl.createBuffer()!;
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    const stride = Object.values(attributes).reduce((sum, size) => sum + size, 0) * 4;
    let offset = 0;
    for (const [name, size] of Object.entries(attributes)) {
      const place = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, stride, offset);
      offset += size * 4;
    }
    gl.bindVertexArray(null);
    const names = ["camera", "size", "grown", "ratio", "paper", "strength"];
    return { program, array, buffer, count: 0, uniforms: Object.fromEntries(names.map((name) => [name, gl.getUniformLocation(program, name)])) };
  }
}
