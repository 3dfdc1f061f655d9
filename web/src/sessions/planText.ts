// What is typed as JSON: read as a plan or a spec, and searched for the places that a refusal names.

export interface Unreadable {
  sentence: string;
  at: number | null;
}

/** Under which name a tab keeps the plan that is being written in it. */
export const PLAN_DRAFT = "loreweave.plan";
/** And, with the address it is made at, a design. */
export const DESIGN_DRAFT = "loreweave.design";

/** A JSON object; `thing` is what it is called in the sentence that says it is none. */
export function readObject(text: string, thing: string): { value: Record<string, unknown> } | { unreadable: Unreadable } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { unreadable: whereUnreadable(text) };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { unreadable: { sentence: `A ${thing} is a JSON object: it begins with { and ends with }.`, at: 0 } };
  }
  return { value: value as Record<string, unknown> };
}

/** A plan alone, or `{plan, allSkills}`. */
export function readPlanText(text: string): { request: object } | { unreadable: Unreadable } {
  const read = readObject(text, "plan");
  if ("unreadable" in read) return read;
  return { request: "plan" in read.value ? read.value : { plan: read.value } };
}

/** Browsers only sometimes say where they gave up, each in words of its own: so look for it here. */
function whereUnreadable(text: string): Unreadable {
  const at = new JsonScan(text).firstFault();
  if (at === null) return { sentence: "This is no JSON.", at };
  const before = text.slice(0, at).split("\n");
  return { sentence: `This is no JSON: look at line ${before.length}, column ${before[before.length - 1]!.length + 1}.`, at };
}

/** Start and end of what a dotted path names in a JSON text; of the nearest thing around it where it is missing. */
export function placeOf(text: string, path: string): [number, number] | null {
  let keys = path.split(".");
  const whole = new JsonScan(text).value();
  if (keys[0] === "plan" && !whole.entries?.has("plan")) keys = keys.slice(1);
  let found = whole;
  for (const key of keys) {
    const inner = found.entries?.get(key);
    if (!inner) break;
    found = inner;
  }
  return found === whole ? null : [found.start, found.end];
}

interface Piece {
  start: number;
  end: number;
  entries?: Map<string, Piece>;
}

const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const PLAIN = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

class Fault extends Error {}

/** Reads JSON for the places of its values rather than for the values. */
class JsonScan {
  private at = 0;

  constructor(private readonly text: string) {}

  firstFault(): number | null {
    try {
      this.value();
      this.skip();
    } catch (fault) {
      return fault instanceof Fault ? this.at : null; // nested too deep to be told
    }
    return this.at < this.text.length ? this.at : null;
  }

  value(): Piece {
    this.skip();
    const start = this.at;
    const first = this.text[start];
    if (first === "{") return { start, entries: this.inside("}"), end: this.at };
    if (first === "[") return { start, entries: this.inside("]"), end: this.at };
    this.take(first === '"' ? STRING : PLAIN);
    return { start, end: this.at };
  }

  private inside(close: "}" | "]"): Map<string, Piece> {
    const entries = new Map<string, Piece>();
    this.at++;
    this.skip();
    if (this.text[this.at] !== close) {
      do {
        const name = close === "}" ? this.name() : String(entries.size);
        entries.set(name, this.value());
        this.skip();
      } while (this.text[this.at] === "," && ++this.at);
    }
    this.letter(close);
    return entries;
  }

  private name(): string {
    this.skip();
    const name = JSON.parse(this.take(STRING)) as string;
    this.skip();
    this.letter(":");
    return name;
  }

  private letter(expected: string): void {
    if (this.text[this.at] !== expected) throw new Fault();
    this.at++;
  }

  private skip(): void {
    this.take(/[ \t\n\r]*/y);
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const taken = pattern.exec(this.text);
    if (!taken) throw new Fault();
    this.at += taken[0].length;
    return taken[0];
  }
}
