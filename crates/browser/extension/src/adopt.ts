/**
 * Makes the content of a fetched page of its own markup, so that the site's styles fit it as they fit the first page.
 *
 * The engine decides what belongs to the page: its tree has the words, without what the pages above show already. Here each text of the
 * markup is looked for in that tree, and what is not in it is left out. Elements are created one by one. No script, style, event handler or
 * frame comes along: forms and buttons are inert, and a frame loads when the reader asks for it.
 */

import type { Tree } from "tsugi";
import { word } from "./bar.ts";
import { fromBase64 } from "./bytes.ts";
import { FOR_MATH, pause } from "./grow.ts";
import { atPath } from "./place.ts";
import { type Origin, type Stored } from "./messages.ts";
import { kept } from "./words.ts";

const SVG = "http://www.w3.org/2000/svg";
const MATH = "http://www.w3.org/1998/Math/MathML";
/** What is never created, with all that is in it. */
const REFUSED = new Set([
  "script", "style", "link", "meta", "base", "title", "head", "template", "noscript", "object", "embed", "applet", "frame", "frameset", "param",
  "portal", "fencedframe", "dialog",
]);
/** Drawings: nothing that runs, moves, links or holds other markup. */
const REFUSED_IN_SVG = new Set(["script", "style", "foreignobject", "animate", "animatemotion", "animatetransform", "set", "a", "image", "feimage", "handler", "listener"]);
/** What a reader acts on. Its words are no words of the page. */
const ACTIVE = new Set(["button", "input", "select", "textarea", "option", "optgroup", "datalist", "iframe", "video", "audio", "svg", "canvas"]);
const INERT = new Set(["button", "input", "select", "textarea"]);
/** Attributes besides `aria-…` and `data-…`. Addresses have a list of their own. */
const ALLOWED = new Set([
  "abbr", "align", "alt", "bgcolor", "border", "cellpadding", "cellspacing", "checked", "class", "color", "cols", "colspan", "controls", "datetime",
  "dir", "disabled", "face", "headers", "height", "hidden", "itemprop", "kind", "label", "lang", "loop", "max", "media", "min", "multiple", "muted", "open",
  "placeholder", "playsinline", "reversed", "role", "rows", "rowspan", "scope", "selected", "size", "sizes", "span", "srclang", "start", "summary", "title",
  "type", "valign", "value", "width", "wrap",
]);
const ADDRESSES = new Set(["href", "src", "cite", "poster"]);
/** Attributes that name other elements of the page. */
const NAMES = new Set(["for", "headers", "aria-controls", "aria-describedby", "aria-labelledby", "aria-owns", "aria-details"]);

/** What is seen without a word in it. */
const SHOWN = "img, svg, video, audio, iframe, hr";

/** The longest time to work without a pause, in milliseconds. */
const AT_ONCE = 12;
/** The smallest share of the engine's words that the markup must hold. Below it, the page is shown in the engine's own elements. */
const ENOUGH = 0.8;
/** The largest share of the engine's words that the markup may lack, such as signs for notes. */
const LACK = 0.02;

/** The fewest characters of a form that holds a text. */
const SHORT = 400;

/** Returns the text of a page, in the charset that its server, its first bytes or the page above name. */
function decoded(page: Stored): string {
  const bytes = fromBase64(page.bytes);
  const head = String.fromCharCode(...bytes.subarray(0, 1024));
  const mark = head.startsWith("\u00ef\u00bb\u00bf") ? "utf-8" : undefined;
  const stated = /charset\s*=\s*["']?([\w:-]+)/i;
  const name = mark ?? stated.exec(page.contentType)?.[1] ?? stated.exec(head)?.[1] ?? document.characterSet;
  return new TextDecoder(name).decode(bytes);
}

/** Returns the words of a tree without white space, and the addresses of its images. `frames`: what links stand for, which the markup has as players. */
function wordsOf(tree: Tree[], frames: Set<string>): { words: string; images: Set<string>; formulas: number } {
  const parts: string[] = [];
  const images = new Set<string>();
  let formulas = 0;
  const todo = [...tree].reverse();
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next === "string") {
      parts.push(next);
      continue;
    }
    const [tag, attributes, inside] = next;
    if (tag === "math") formulas += 1;
    if (tag === "img" && attributes["src"]) images.add(attributes["src"]);
    if (tag === "a" && frames.has(attributes["href"] ?? "")) continue;
    for (let at = inside.length - 1; at >= 0; at -= 1) todo.push(inside[at] as Tree);
  }
  return { words: parts.join("").replace(/\s+/gu, ""), images, formulas };
}

/** Returns an address of the web; `null` for scripts, data and nonsense. */
function web(value: string, base: string): string | null {
  if (!URL.canParse(value.trim(), base)) return null;
  const { href, protocol } = new URL(value.trim(), base);
  return /^(https?|mailto|tel):$/.test(protocol) ? href : null;
}

/** Returns a list of images with whole addresses. */
function sources(list: string, base: string): string {
  const made = list.split(/,\s+|,$/).map((entry) => {
    const [address = "", ...rest] = entry.trim().split(/\s+/);
    const whole = web(address, base);
    return whole === null ? null : [whole, ...rest].join(" ");
  });
  return made.filter((entry) => entry !== null).join(", ");
}

/** Whether an image has no picture in it: a dot that counts readers. */
function isDot(image: Element): boolean {
  const side = (name: string): number => Number.parseInt(image.getAttribute(name) ?? "99", 10);
  return side("width") <= 2 && side("height") <= 2;
}

/** Whether a form is a thing to act on. Some sites have whole threads in one. */
function isShort(form: Element): boolean {
  return (form.textContent ?? "").trim().length < SHORT && form.querySelector("input:not([type=hidden]), button, select, textarea") !== null;
}

/** One page on its way into the page above. */
class Adoption {
  readonly #base: string;
  readonly #number: number;
  readonly #ids = new Map<string, string>();
  readonly #without: Set<Element>;
  readonly #images: Set<string>;
  readonly #hasWords = new Map<Element, boolean>();
  readonly #kept: Set<Node>;
  /** Images whose address a script would have set. Styles may hide them until it has. */
  readonly late: HTMLElement[] = [];
  /** How many texts of the engine's were made. */
  made = 0;

  constructor(roots: Element[], without: Set<Element>, keep: Set<Node>, images: Set<string>, base: string, number: number) {
    this.#without = without;
    this.#kept = keep;
    this.#images = images;
    this.#base = base;
    this.#number = number;
    for (const root of roots) {
      if (root.id) this.#ids.set(root.id, document.getElementById(root.id) ? root.id : this.#own(root.id));
      for (const named of root.querySelectorAll("[id], a[name]")) {
        const id = named.id || (named.getAttribute("name") ?? "");
        if (!this.#ids.has(id)) this.#ids.set(id, this.#own(id));
      }
    }
  }

  #own(id: string): string {
    return `tsugi-${this.#number}-${id}`;
  }

  /** Whether any text of an element stays; `null` if it has no text of its own. */
  #stays(element: Element): boolean | null {
    const known = this.#hasWords.get(element);
    if (known !== undefined) return known;
    let answer: boolean | null = null;
    const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node instanceof Element && (ACTIVE.has(node.localName) || REFUSED.has(node.localName)) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType !== Node.TEXT_NODE || (node.nodeValue ?? "").trim() === "") continue;
      answer = this.#kept.has(node);
      if (answer) break;
    }
    if (answer !== null) this.#hasWords.set(element, answer);
    return answer;
  }

  /** Makes the elements of a root, and of all in it that stays. */
  async grow(root: Element): Promise<Element | null> {
    let since = performance.now();
    const made = this.#element(root);
    if (made === null) return null;
    const todo: [Element, Element, boolean][] = [[root, made, false]];
    for (let next = todo.pop(); next; next = todo.pop()) {
      const [from, into, isWhole] = next;
      if (from.localName === "iframe") continue;
      for (const child of from.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) {
          const isKept = this.#kept.has(child);
          if (isKept) this.made += 1;
          if (isKept || isWhole || (child.nodeValue ?? "").trim() === "") into.append(child.nodeValue ?? "");
          continue;
        }
        if (!(child instanceof Element) || this.#without.has(child)) continue;
        if (child.localName === "noscript") {
          this.#unlazy(child, into);
          continue;
        }
        const stays = this.#stays(child);
        const isForm = child.localName === "form" && (stays !== true || isShort(child));
        const isWholeChild = isWhole || isForm || ACTIVE.has(child.localName);
        if (!isWholeChild && stays === false) continue;
        const copy = this.#element(child);
        if (copy === null) continue;
        if (isForm && copy instanceof HTMLElement) copy.inert = true;
        into.append(copy);
        todo.push([child, copy, isWholeChild]);
      }
      if (performance.now() - since > AT_ONCE) {
        await pause();
        since = performance.now();
      }
    }
    return made;
  }

  /** An image for readers without scripts, where no other stands for it. */
  #unlazy(noscript: Element, into: Element): void {
    const before = noscript.previousElementSibling;
    if (before && (before.localName === "img" || before.querySelector("img"))) return;
    for (const image of noscript.querySelectorAll("img")) {
      const made = this.#element(image);
      if (made && this.#images.has(made.getAttribute("src") ?? "")) into.append(made);
    }
  }

  #element(from: Element): Element | null {
    const tag = from.localName.toLowerCase();
    if (REFUSED.has(tag)) return null;
    if (from.namespaceURI === SVG) return REFUSED_IN_SVG.has(tag) ? null : this.#drawing(from);
    if (tag === "iframe") return this.#frame(from);
    if (tag === "input" && /^(hidden|password|file)$/i.test(from.getAttribute("type") ?? "")) return null;
    if (tag === "img" && isDot(from)) return null;
    if (from.namespaceURI === MATH) return this.#formula(from);
    // Parsers take names that nothing else may create.
    const made = document.createElement(/^[a-z][\w.-]*$/.test(tag) ? tag : "span");
    for (const { name, value } of from.attributes) this.#attribute(made, name.toLowerCase(), value);
    if (made instanceof HTMLImageElement) this.#image(from, made);
    if (made instanceof HTMLMediaElement) {
      made.preload = "none";
      made.controls = true;
    }
    if (made instanceof HTMLElement && INERT.has(tag)) made.inert = true;
    // Scripts of the page could press it, and send the form to this page's address.
    if (made instanceof HTMLButtonElement || (made instanceof HTMLInputElement && /^(submit|image|reset)$/.test(made.type))) made.type = "button";
    return made;
  }

  #attribute(made: Element, name: string, value: string): void {
    if (name === "id" || (name === "name" && made.localName === "a")) {
      if (value) made.id = this.#ids.get(value) ?? this.#own(value);
    } else if (name === "style" && (made instanceof HTMLElement || made instanceof SVGElement)) {
      // Set as a text, it would be asked of the page's policy.
      made.style.cssText = value.replace(/url\(\s*(["']?)([^"')]+)\1\s*\)/gi, (_, quote: string, address: string) => `url(${quote}${web(address, this.#base) ?? ""}${quote})`);
    } else if (NAMES.has(name)) {
      made.setAttribute(name, value.split(/\s+/).map((id) => this.#ids.get(id) ?? id).join(" "));
    } else if (name === "href" && value.trim().startsWith("#")) {
      const id = decodeURIComponentOr(value.trim().slice(1));
      made.setAttribute("href", `#${this.#ids.get(id) ?? id}`);
    } else if (ADDRESSES.has(name)) {
      const whole = web(value, this.#base);
      if (whole !== null) made.setAttribute(name, whole);
      else if (name === "src" && made.localName === "img" && /^\s*data:image\//i.test(value)) made.setAttribute(name, value);
    } else if (name === "srcset") {
      made.setAttribute(name, sources(value, this.#base));
    } else if (ALLOWED.has(name) || (/^(aria|data)-[\w-]+$/.test(name) && !name.startsWith("data-tsugi"))) {
      made.setAttribute(name, value);
    }
  }

  /** The engine knows where images are that scripts load late: one of the addresses beside the image is in its tree. */
  #image(from: Element, made: HTMLImageElement): void {
    made.loading = "lazy";
    made.decoding = "async";
    if (this.#images.has(made.src)) return;
    // One of a list: the browser chooses.
    const listed = sources(from.getAttribute("srcset") ?? "", this.#base).split(/[\s,]+/);
    if (listed.some((address) => this.#images.has(address))) return;
    const spare = from.nextElementSibling?.localName === "noscript" ? [...from.nextElementSibling.querySelectorAll("img")] : [];
    const values = [from, ...spare].flatMap((image) => [...image.attributes]).flatMap(({ value }) => [value, ...value.split(/[\s,]+/)]);
    const real = values.map((value) => web(value, this.#base)).find((address) => address !== null && this.#images.has(address));
    if (real === undefined || real === null) return;
    made.removeAttribute("srcset");
    made.removeAttribute("sizes");
    made.src = real;
    this.late.push(made);
  }

  #formula(from: Element): Element {
    const made = document.createElementNS(MATH, from.localName);
    for (const { name, value } of from.attributes) if (FOR_MATH.test(name) || name === "class") made.setAttribute(name, value);
    return made;
  }

  #drawing(from: Element): Element {
    const made = document.createElementNS(SVG, from.localName);
    for (const { name, value } of from.attributes) {
      const plain = name.toLowerCase();
      if (plain.startsWith("on") || plain === "style") continue;
      if (plain === "id") made.id = this.#ids.get(value) ?? this.#own(value);
      else if (plain === "href" || plain === "xlink:href") {
        if (value.startsWith("#")) made.setAttribute("href", `#${this.#ids.get(value.slice(1)) ?? value.slice(1)}`);
      } else if (/^[\w-]+$/.test(name)) {
        made.setAttribute(name, value.replace(/url\(\s*["']?#([^"')]+)["']?\s*\)/g, (_, id: string) => `url(#${this.#ids.get(id) ?? id})`));
      }
    }
    return made;
  }

  /** A frame of the size that the site gives it. It asks no server until the reader presses its button. */
  #frame(from: Element): Element | null {
    const named = ["src", "data-src", "data-lazy-src", "data-litespeed-src"].map((name) => from.getAttribute(name)).find((value) => value && /^\s*(https?:|\/|\.)/i.test(value) && web(value, this.#base) !== null);
    const source = web(named ?? "about:blank", this.#base);
    if (source === null || !/^https?:/.test(source)) return null;
    const frame = document.createElement("iframe");
    for (const name of ["class", "width", "height", "title", "style"]) {
      const value = from.getAttribute(name);
      if (value !== null) this.#attribute(frame, name, value);
    }
    frame.allow = "fullscreen; encrypted-media; picture-in-picture";
    const { origin, hostname } = new URL(source);
    // A frame of this site with its origin could reach out of any box.
    const own = origin === location.origin ? "" : " allow-same-origin";
    frame.setAttribute("sandbox", `allow-scripts allow-forms allow-popups allow-presentation${own}`);
    frame.dataset["tsugiFrame"] = source;
    const offer = (): void => offerFrame(frame, source, hostname);
    frame.addEventListener("load", offer);
    return frame;
  }
}

/** Puts the button into a frame that is still empty. */
function offerFrame(frame: HTMLIFrameElement, source: string, host: string): void {
  const inside = frame.contentDocument;
  if (frame.src || !inside?.body || inside.querySelector("button")) return;
  const button = inside.createElement("button");
  button.type = "button";
  button.textContent = word("load_frame", host);
  button.style.cssText = "position:fixed;inset:0;margin:auto;width:max-content;max-width:90%;height:max-content;padding:.6em 1.1em;font:600 14px/1.4 system-ui,sans-serif;color:#fff;background:#1b4965;border:0;border-radius:999px;cursor:pointer";
  inside.body.style.cssText = "margin:0;background:#e8edf1";
  button.addEventListener("click", () => (frame.src = source));
  inside.body.replaceChildren(button);
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether two elements come from one place in a template. */
export function isKin(one: Element, other: Element): boolean {
  if (one.localName !== other.localName) return false;
  if (one.classList.length === 0 || other.classList.length === 0) return one.classList.length === other.classList.length;
  return [...one.classList].some((name) => other.classList.contains(name));
}

/** Returns the entries of a list in one element: what it mostly holds, if these are alike. */
export function entries(holder: Element): Element[] {
  const children = [...holder.children];
  const like = children.filter((child) => !/^(p|h[1-6]|br|hr|pre|blockquote|figure|img|script|style)$/.test(child.localName));
  const [first] = like;
  const same = first ? like.filter((child) => isKin(child, first)) : [];
  return same.length >= 3 && same.length * 5 >= children.length * 4 ? same : [];
}

/** Returns what stands at the place of `content` on the fetched page. */
function matching(roots: Element[], content: Element[]): Element[] | null {
  const like = (element: Element): boolean => content.some((model) => isKin(model, element));
  if (roots.every(like)) return roots;
  // The engine chose the list on one page, and its entries on the other.
  const inside = roots.flatMap((root) => (like(root) ? [root] : [...root.children]));
  if (inside.filter(like).length * 5 >= inside.length * 3) return inside;
  const [only] = content;
  const above = roots[0]?.parentElement;
  if (content.length === 1 && only && above && isKin(only, above) && roots.every((root) => root.parentElement === above)) return [above];
  // Blocks go below blocks, of whatever kind: a chapter below a title page.
  const isCell = [...roots, ...content].some((element) => /^(t[rdh]|tbody|thead|tfoot|li|d[td]|option)$/.test(element.localName));
  const { display } = getComputedStyle(only?.parentElement ?? document.body);
  return isCell || (content.length > 1 && /flex|grid|table/.test(display)) ? null : roots;
}

/** What stands for a page. */
export interface Adopted {
  elements: Element[];
  late: HTMLElement[];
}

/**
 * Returns elements for a fetched page: like `content`, which is on the page above, with the words of `tree`. `null` if they differ too
 * much, or the page cannot be read; then the tree itself is to be shown.
 */
export async function adopt(page: Stored, origin: Origin | null, tree: Tree[], content: Element[], number: number): Promise<Adopted | null> {
  if (origin === null || origin.nodes.length === 0) return null;
  let parsed: Document;
  try {
    parsed = new DOMParser().parseFromString(decoded(page), "text/html");
  } catch {
    return null;
  }
  const found = origin.nodes.map((path) => atPath(path, parsed));
  const roots = found.filter((element) => element !== null);
  if (roots.length < found.length) return null;
  const like = matching(roots, content);
  if (like === null) return null;
  const base = web(parsed.querySelector("base[href]")?.getAttribute("href") ?? page.url, page.url) ?? page.url;
  const without = new Set(origin.without.map((path) => atPath(path, parsed)).filter((element) => element !== null));
  const players = like.flatMap((root) => [...root.querySelectorAll("iframe, video, audio, source, embed, object")]);
  const frames = new Set(players.flatMap(({ attributes }) => [...attributes]).map(({ value }) => web(value, base)).filter((address) => address !== null));
  const { words, images, formulas } = wordsOf(tree, frames);
  const texts: Text[] = [];
  for (const root of like) {
    const walker = parsed.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node instanceof Element && (ACTIVE.has(node.localName) || REFUSED.has(node.localName) || without.has(node)) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.nodeType === Node.TEXT_NODE) texts.push(node as Text);
  }
  const stays = kept(texts.map((text) => text.data.replace(/\s+/gu, "")), words);
  if (stays === null || stays.share < ENOUGH || stays.lost > LACK) return null;
  // Scripts would set these formulas.
  if (formulas > 0 && !like.some((root) => root.querySelector("math"))) return null;
  const keep = new Set(texts.filter((text, at) => stays.kept[at] && text.data.trim() !== ""));
  const adoption = new Adoption(like, without, keep, images, base, number);
  const elements: Element[] = [];
  for (const root of like) {
    if (without.has(root)) continue;
    const made = await adoption.grow(root);
    if (made && (made.textContent?.trim() || made.matches(SHOWN) || made.querySelector(SHOWN))) elements.push(made);
  }
  // A leftover is better than a loss.
  return elements.length === 0 || adoption.made < keep.size ? null : { elements, late: adoption.late };
}

/** Shows images that styles hide until a script has loaded them. */
export function reveal(late: HTMLElement[]): void {
  for (const image of late) {
    const { opacity, visibility, display } = getComputedStyle(image);
    if (Number(opacity) < 0.1) image.style.setProperty("opacity", "1");
    if (visibility === "hidden") image.style.setProperty("visibility", "visible");
    if (display === "none") image.style.setProperty("display", "revert");
  }
}
