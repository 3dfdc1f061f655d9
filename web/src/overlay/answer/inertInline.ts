/** Text, or an element of a short list of kinds. Nothing else can come out of a model's text. */
export type Piece = string | Element;

export interface Element {
  tag: string;
  children: Piece[];
  href?: string;
  name?: string;
  align?: string;
  start?: number;
}

/** Where a link may lead: the address to use, or null when the link is to be shown as its label. */
export type Allowed = (url: string) => string | null;

const DEEPEST = 4;
const LONGEST_LINK = 2048;
const TRIES = 16;
const MARKS: [string, string][] = [
  ["**", "strong"],
  ["__", "strong"],
  ["~~", "del"],
  ["*", "em"],
  ["_", "em"],
];
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;

/** Code, links, emphasis and line breaks. Each character is looked at a bounded number of times. */
export function readInline(text: string, allowed: Allowed, depth = 0, inLink = false): Piece[] {
  return new InlineReader(text, allowed, depth, inLink).read();
}

class InlineReader {
  private readonly pieces: Piece[] = [];
  private plain = "";
  private at = 0;
  private readonly codes = new Map<number, [number, number]>();
  private readonly closings = new Map<number, number>();
  private readonly masked: string; // code and escaped characters blanked out, at the same places

  constructor(
    private readonly text: string,
    private readonly allowed: Allowed,
    private readonly depth: number,
    private readonly inLink: boolean,
  ) {
    this.masked = this.mask();
    this.matchBrackets();
  }

  read(): Piece[] {
    while (this.at < this.text.length) {
      if (!(this.code() || this.escaped() || this.link() || this.autolink() || this.emphasis() || this.lineBreak())) {
        this.plain += this.text[this.at++];
      }
    }
    this.flush();
    return this.pieces;
  }

  /** Finds the code spans: a run of backticks closes with the next run of its length. */
  private mask(): string {
    const runs = [...this.text.matchAll(/`+/g)].map((run) => ({ start: run.index, length: run[0].length }));
    const places = new Map<number, number[]>();
    runs.forEach((run, number) => (places.get(run.length) ?? places.set(run.length, []).get(run.length)!).push(number));
    const passed = new Map<number, number>();
    const kept: string[] = [];
    let from = 0;
    for (let number = 0; number < runs.length; number++) {
      const { start, length } = runs[number]!;
      if (start < from) continue;
      if (this.isEscaped(start, from)) continue;
      const same = places.get(length)!;
      let next = passed.get(length) ?? 0;
      while (next < same.length && same[next]! <= number) next++;
      passed.set(length, next);
      if (next === same.length) continue;
      const close = runs[same[next]!]!;
      const end = close.start + length;
      this.codes.set(start, [close.start, end]);
      kept.push(blankEscapes(this.text.slice(from, start)), "\0".repeat(end - start));
      from = end;
      number = same[next]!;
    }
    kept.push(blankEscapes(this.text.slice(from)));
    return kept.join("");
  }

  private isEscaped(at: number, from: number): boolean {
    let slashes = 0;
    while (at - 1 - slashes >= from && slashes < 8 && this.text[at - 1 - slashes] === "\\") slashes++;
    return slashes % 2 === 1;
  }

  private matchBrackets(): void {
    const open: number[] = [];
    for (let at = 0; at < this.masked.length; at++) {
      if (this.masked[at] === "[") open.push(at);
      else if (this.masked[at] === "]" && open.length) this.closings.set(open.pop()!, at);
    }
  }

  private code(): boolean {
    const found = this.codes.get(this.at);
    if (!found) return false;
    const [close, end] = found;
    const length = end - close;
    let inside = this.text.slice(this.at + length, close).replaceAll("\n", " ");
    if (inside.startsWith(" ") && inside.endsWith(" ") && inside.trim()) inside = inside.slice(1, -1);
    this.push({ tag: "code", children: [inside] }, end);
    return true;
  }

  private escaped(): boolean {
    if (this.text[this.at] !== "\\" || !ESCAPABLE.test(this.text[this.at + 1] ?? "")) return false;
    this.plain += this.text[this.at + 1];
    this.at += 2;
    return true;
  }

  private link(): boolean {
    const isImage = this.text[this.at] === "!";
    const open = isImage ? this.at + 1 : this.at;
    if (this.inLink || this.masked[open] !== "[") return false;
    const close = this.closings.get(open);
    if (close === undefined || this.text[close + 1] !== "(") return false;
    const target = readTarget(this.text, close + 2);
    if (!target) return false;
    const href = isImage ? null : this.allowed(target.url);
    const label = readInline(this.text.slice(open + 1, close), this.allowed, this.depth + 1, true);
    this.flush();
    if (href === null) this.pieces.push(...label);
    else this.pieces.push({ tag: "a", href, children: label });
    this.at = target.end;
    return true;
  }

  private autolink(): boolean {
    if (this.inLink || this.text[this.at] !== "<") return false;
    const pattern = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,2000})>/iy;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    const href = found ? this.allowed(found[1]!) : null;
    if (!found || href === null) return false;
    this.push({ tag: "a", href, children: [found[1]!] }, this.at + found[0].length);
    return true;
  }

  private emphasis(): boolean {
    if (this.depth >= DEEPEST) return false;
    const mark = MARKS.find(([sign]) => this.masked.startsWith(sign, this.at));
    if (!mark) return false;
    const [sign, tag] = mark;
    const from = this.at + sign.length;
    const before = this.text[this.at - 1] ?? " ";
    if (/\s/.test(this.text[from] ?? " ") || (sign[0] === "_" && WORD.test(before))) return this.skip(sign);
    const close = this.closing(sign, from);
    if (close < 0) return this.skip(sign);
    const inside = readInline(this.text.slice(from, close), this.allowed, this.depth + 1, this.inLink);
    this.push({ tag, children: inside }, close + sign.length);
    return true;
  }

  /** A mark that opens nothing is text, as a whole. */
  private skip(sign: string): boolean {
    this.plain += sign;
    this.at += sign.length;
    return true;
  }

  /** Between two signs of a kind no other one begins, so a bounded number of looks at the next ones stays linear. */
  private closing(sign: string, from: number): number {
    let at = from + 1;
    for (let tries = 0; tries < TRIES; tries++) {
      const found = this.masked.indexOf(sign, at);
      if (found < 0) return -1;
      const isWord = sign[0] === "_" && WORD.test(this.text[found + sign.length] ?? " ");
      const isDouble = sign.length === 1 && (this.masked[found + 1] === sign || this.masked[found - 1] === sign);
      if (!/\s/.test(this.text[found - 1]!) && !isWord && !isDouble) return found;
      at = found + (isDouble ? 2 : 1);
    }
    return -1;
  }

  private lineBreak(): boolean {
    if (this.text[this.at] !== "\n") return false;
    const isHard = this.plain.endsWith("  ") || this.plain.endsWith("\\");
    if (!isHard) return false;
    this.plain = this.plain.endsWith("\\") ? this.plain.slice(0, -1) : this.plain;
    this.push({ tag: "br", children: [] }, this.at + 1);
    return true;
  }

  private push(piece: Piece, next: number): void {
    this.flush();
    this.pieces.push(piece);
    this.at = next;
  }

  private flush(): void {
    if (this.plain) this.pieces.push(this.plain);
    this.plain = "";
  }
}

function blankEscapes(text: string): string {
  return text.includes("\\") ? text.replace(/\\[!-/:-@[-`{-~]/g, "\0\0") : text;
}

/** `(url)`, `(<url>)`, either with a title; behind the opening bracket. */
function readTarget(text: string, from: number): { url: string; end: number } | null {
  const limit = Math.min(text.length, from + LONGEST_LINK);
  let at = skipBlanks(text, from, limit);
  let url: string;
  if (text[at] === "<") {
    const start = at + 1;
    at = start;
    while (at < limit && !"<>\n".includes(text[at]!)) at++;
    if (text[at] !== ">") return null;
    url = text.slice(start, at++);
  } else {
    const start = at;
    let open = 0;
    for (; at < limit && !/\s/.test(text[at]!); at++) {
      if (text[at] === "(" && ++open > 8) return null;
      if (text[at] === ")" && --open < 0) break;
    }
    url = text.slice(start, at);
  }
  at = skipTitle(text, skipBlanks(text, at, limit), limit);
  return at < limit && text[at] === ")" ? { url: url.replace(/\\([!-/:-@[-`{-~])/g, "$1"), end: at + 1 } : null;
}

function skipBlanks(text: string, at: number, limit: number): number {
  while (at < limit && /\s/.test(text[at]!)) at++;
  return at;
}

function skipTitle(text: string, at: number, limit: number): number {
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return at;
  let end = at + 1;
  while (end < limit && text[end] !== quote) end += text[end] === "\\" ? 2 : 1;
  return skipBlanks(text, end + 1, limit);
}
