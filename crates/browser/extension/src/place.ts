/** Finds what the engine saw in the page as it stands now. */

import type { Mark } from "tsugi";

/** White space folded, as the engine does it. */
function folded(text: string): string {
  return text.replace(/\p{White_Space}+/gu, " ").replace(/\p{Cc}/gu, "").trim();
}

/** Returns the element at a location path: `/html[1]/body[1]/main[1]`. */
export function atPath(path: string, root: Document): Element | null {
  let at: Element | Document = root;
  for (const step of path.split("/").slice(1)) {
    const [, tag, number] = /^([^[]+)\[(\d+)\]$/.exec(step) ?? [];
    if (tag === undefined) return null;
    const named: Element[] = [...at.children].filter((child) => child.localName === tag);
    const child: Element | undefined = named[Number(number) - 1];
    if (child === undefined) return null;
    at = child;
  }
  return at instanceof Document ? null : at;
}

/** Returns whether an element is the marked one: its name and the beginning of its text. */
function isMarked(element: Element, mark: Mark): boolean {
  return element.localName === mark.tag && folded(element.textContent ?? "").startsWith(mark.text.trim().slice(0, 80));
}

/** Returns the marked element: where it was, or wherever it has moved. */
export function find(mark: Mark, root: Document = document): Element | null {
  const there = atPath(mark.path, root);
  if (there && isMarked(there, mark)) return there;
  const named = mark.id === null ? null : root.getElementById(mark.id);
  if (named && isMarked(named, mark)) return named;
  // The innermost of those that begin alike and are about as long.
  let best: Element | null = null;
  for (const element of root.getElementsByTagName(mark.tag)) {
    if (mark.text === "" || !isMarked(element, mark)) continue;
    const length = folded(element.textContent ?? "").length;
    if (Math.abs(length - mark.characters) <= 0.2 * mark.characters + 20) best = element;
  }
  return best;
}

/** Returns all marked elements that are still there. All are found before anything changes. */
export function findAll(marks: Mark[], root: Document = document): Element[] {
  return marks.map((mark) => find(mark, root)).filter((element) => element !== null);
}
