// Which words two texts do not share, by their longest common run of words. Pure.

export interface Piece {
  text: string;
  differs: boolean;
}

const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
const MOST_CELLS = 4_000_000; // of the table: two texts of two thousand words

const cut = (text: string): string[] => text.match(WORDS) ?? [];
const isSpace = (word: string) => word.trim() === "";

/** Both texts whole, in pieces that are shared and pieces that are not. */
export function wordDifferences(one: string, two: string): [Piece[], Piece[]] {
  const [left, right] = [cut(one), cut(two)];
  if (left.length * right.length > MOST_CELLS) return [[{ text: one, differs: one !== two }], [{ text: two, differs: one !== two }]];
  const [inLeft, inRight] = sharedWords(left, right);
  return [pieces(left, inLeft), pieces(right, inRight)];
}

function sharedWords(left: string[], right: string[]): [boolean[], boolean[]] {
  const width = right.length + 1;
  const longest = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        left[i] === right[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
    }
  }
  const inLeft = left.map(() => false);
  const inRight = right.map(() => false);
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) {
      inLeft[i++] = true;
      inRight[j++] = true;
    } else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) i++;
    else j++;
  }
  return [inLeft, inRight];
}

/** Neighbours of one kind together; a space between two differing words differs with them. */
function pieces(words: string[], shared: boolean[]): Piece[] {
  const found: Piece[] = [];
  words.forEach((word, at) => {
    const between = isSpace(word) && at > 0 && at < words.length - 1;
    const differs = between ? !shared[at - 1] && !shared[at + 1] : !shared[at] && !isSpace(word);
    const before = found.at(-1);
    if (before && before.differs === differs) before.text += word;
    else found.push({ text: word, differs });
  });
  return found;
}
