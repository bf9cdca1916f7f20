/** Which texts of a page's markup are in the words that the engine keeps of it. */

/** A text of so many characters stands for itself; shorter ones need a neighbour that does. */
const LONG = 16;
/** So many texts between two long ones are tried in all ways. */
const MOST_TRIED = 400;

/** Returns the places of a longest rising run of numbers. */
function rising(numbers: number[]): number[] {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, value] of numbers.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? (ends[low - 1] as number) : -1;
    // Of two at one place, the first.
    if (low === ends.length || numbers[ends[low] as number] !== value) ends[low] = at;
  }
  const run: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] as number) run.push(at);
  return run.reverse();
}

/** Returns which of `texts`, in order, make up exactly `words`; `null` if none do. */
function exactly(texts: string[], words: string): boolean[] | null {
  if (texts.length > MOST_TRIED) return null;
  const dead = new Set<number>();
  const chosen: boolean[] = [];
  const width = words.length + 1;
  const tried = (at: number, from: number): boolean => {
    if (at === texts.length) return from === words.length;
    if (dead.has(at * width + from)) return false;
    const text = texts[at] as string;
    for (const isKept of [true, false]) {
      if (isKept && !(text !== "" && words.startsWith(text, from))) continue;
      chosen[at] = isKept;
      if (tried(at + 1, isKept ? from + text.length : from)) return true;
    }
    dead.add(at * width + from);
    return false;
  };
  return tried(0, 0) ? chosen : null;
}

/**
 * Chooses between two long texts. Words that the engine wrote otherwise, such as formulas, stand for the texts at their place; `rest` is
 * how many characters these are, and `lost` how many have no text at their place.
 */
function between(texts: string[], words: string): { found: boolean[]; rest: number; lost: number } {
  if (words === "") return { found: texts.map(() => false), rest: 0, lost: 0 };
  const exact = exactly(texts, words);
  if (exact) return { found: exact, rest: 0, lost: 0 };
  let from = 0;
  let rest = words.length;
  const found = texts.map((text) => {
    const at = text === "" ? -1 : words.indexOf(text, from);
    if (at < 0) return false;
    from = at + text.length;
    rest -= text.length;
    return true;
  });
  const hasOther = texts.some((text, at) => text !== "" && !found[at]);
  return { found: rest > 0 ? found.map(() => true) : found, rest, lost: hasOther ? 0 : rest };
}

/**
 * Returns which of `texts` are in `words`, both in order and without white space, the share of the words that they account for, and the
 * share at whose place there is no text. `null` if there are no words.
 */
export function kept(texts: string[], words: string): { kept: boolean[]; share: number; lost: number } | null {
  if (words === "") return null;
  const single: { at: number; place: number }[] = [];
  for (const [at, text] of texts.entries()) {
    if (text.length < LONG) continue;
    const place = words.indexOf(text);
    if (place >= 0 && words.indexOf(text, place + 1) < 0) single.push({ at, place });
  }
  const anchors = rising(single.map(({ place }) => place)).map((at) => single[at] as { at: number; place: number });
  const answer: boolean[] = texts.map(() => false);
  let [unknown, missing] = [0, 0];
  let [from, place] = [0, 0];
  for (const anchor of [...anchors, { at: texts.length, place: words.length }]) {
    // A text that was left out may be a part of the one before it.
    if (anchor.place < place) continue;
    const { found, rest, lost } = between(texts.slice(from, anchor.at), words.slice(place, anchor.place));
    for (const [at, isKept] of found.entries()) answer[from + at] = isKept;
    unknown += rest;
    missing += lost;
    const text = texts[anchor.at];
    if (text === undefined) break;
    answer[anchor.at] = true;
    [from, place] = [anchor.at + 1, anchor.place + text.length];
  }
  return { kept: answer, share: 1 - unknown / words.length, lost: missing / words.length };
}
