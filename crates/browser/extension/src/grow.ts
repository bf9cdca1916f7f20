/**
 * Makes elements of the engine's trees.
 *
 * The engine allows only harmless elements. They are created one by one, so no markup is parsed, and a page's policy on scripts or
 * Trusted Types has nothing to refuse. The lists here are a second wall.
 */

import type { Tree } from "tsugi";

const MATH = "http://www.w3.org/1998/Math/MathML";
const REFUSED = new Set(["script", "style", "iframe", "object", "embed", "form", "input", "button", "link", "meta", "base", "svg", "template", "noscript"]);
const ALLOWED = new Set([
  "alt", "alttext", "cite", "colspan", "datetime", "dir", "height", "href", "id", "lang", "open", "reversed", "rowspan", "scope", "src",
  "start", "title", "type", "value", "width",
]);
export const FOR_MATH = /^(accent|accentunder|close|columnalign|columnspan|depth|display|displaystyle|fence|form|height|largeop|linethickness|lspace|mathvariant|maxsize|minsize|movablelimits|notation|open|rowspan|rspace|scriptlevel|separators?|stretchy|symmetric|voffset|width|alttext)$/;

/** The longest time to work without a pause, in milliseconds. */
const AT_ONCE = 12;

/** Lets the page work. Timers would wait a second in a tab that is not seen. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Returns the `id` of an anchor of a page: those of the engine count the page before as 1 and this one as 2. */
export function anchor(name: string, page: number): string {
  const [, whose, rest] = /^(?:p|page-)([12])(.*)$/.exec(name) ?? [];
  return whose === undefined ? `tsugi-${page}-${name}` : `tsugi-${page - 2 + Number(whose)}${rest}`;
}

function isWeb(address: string): boolean {
  return /^(https?:|mailto:)/i.test(address);
}

function element(tag: string, attributes: Record<string, string>, isMath: boolean, page: number): Element | null {
  if (REFUSED.has(tag)) return null;
  const made = isMath ? document.createElementNS(MATH, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (isMath ? !FOR_MATH.test(name) : !ALLOWED.has(name)) continue;
    if (name === "id") made.id = anchor(value, page);
    else if (name === "href" && value.startsWith("#")) made.setAttribute("href", `#${anchor(value.slice(1), page)}`);
    else if (["href", "src", "cite"].includes(name) && !isWeb(value)) continue;
    else made.setAttribute(name, value);
  }
  if (made instanceof HTMLImageElement) {
    made.loading = "lazy";
    made.decoding = "async";
  }
  return made;
}

/** Makes the elements of trees below `parent`. `page` is the number of the page, from 1. Pauses, so that the page stays usable. */
export async function grow(parent: Node, trees: Tree[], page: number): Promise<void> {
  let since = performance.now();
  const todo: [Node, Tree[], boolean][] = [[parent, trees, false]];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const [into, children, isMath] = next;
    for (const child of children) {
      if (typeof child === "string") {
        into.appendChild(document.createTextNode(child));
        continue;
      }
      const [tag, attributes, inside] = child;
      const made = element(tag, attributes, isMath || tag === "math", page);
      if (made === null) continue;
      into.appendChild(made);
      if (inside.length > 0) todo.push([made, inside, isMath || tag === "math"]);
      if (performance.now() - since > AT_ONCE) {
        await pause();
        since = performance.now();
      }
    }
  }
}
