/** Builds the elements of a page, to be put below or above the others. */

import type { Tree } from "tsugi";
import { type Adopted, adopt } from "./adopt.ts";
import { type Bar, style } from "./bar.ts";
import { dress, written } from "./dress.ts";
import { grow } from "./grow.ts";
import type { Origin, Stored } from "./messages.ts";

/** What the engine found on a page. */
export interface Found {
  kind: string;
  tree: Tree[];
  lang: string | null;
}

/** What a page is built of. */
interface Building {
  found: Found;
  page: Stored;
  origin: Origin | null;
  /** The line above the page; `null` for none. */
  bar: Bar | null;
  number: number;
  /** What the page is called. */
  name: string;
  /** The content of the first page, and the last element of the sequence. */
  content: Element[];
  last: Element;
  /** Whether the page goes into the content of the first one, which has its edges. */
  isInside: boolean;
}

/** What goes into the page, and where it begins. */
export interface Built {
  nodes: Element[];
  top: Element;
  /** Images that styles may hide. */
  late: HTMLElement[];
}

/** Returns the elements of a page: of its own markup, or else of the engine's tree. */
export async function build(building: Building): Promise<Built> {
  const { found, page, origin, content, number } = building;
  const adopted = await adopt(page, origin, found.tree, content, number);
  const built = adopted ? beside(adopted, building) : await grown(building);
  for (const node of built.nodes) {
    node.setAttribute("data-tsugi-page", String(number));
    if (!adopted) node.setAttribute("data-tsugi-grown", "");
    if (found.lang && found.lang !== document.documentElement.lang && !node.hasAttribute("lang")) node.setAttribute("lang", found.lang);
  }
  return built;
}

/** Puts entries of a list beside those above; an article, into an element of its own. */
function beside({ elements, late }: Adopted, { content, bar, name, isInside }: Building): Built {
  const [first] = content;
  const tag = first?.localName ?? "";
  const isEntry = content.length > 1 || /^(tr|tbody|li|dt|dd)$/.test(tag);
  if (!isEntry) {
    const page = region(name);
    page.append(...(bar ? [bar.host] : []), ...(isInside ? elements.flatMap((element) => [...element.childNodes]) : elements));
    return { nodes: [page], top: page, late };
  }
  const line = bar ? [lineFor(bar, tag)] : [];
  const nodes = [...line, ...elements];
  return { nodes, top: nodes[0] as Element, late };
}

/** Returns elements of the engine's tree: blocks in one element, rows in one group of rows, items beside items. */
async function grown({ found: { kind, tree }, content, last, bar, number, name, isInside }: Building): Promise<Built> {
  const holder = document.createElement("div");
  await grow(holder, tree, number);
  const inner = holder.firstElementChild;
  const tag = last.localName;
  const late: HTMLElement[] = [];
  if (kind === "rows" && inner && (tag === "tr" || tag === "tbody")) {
    const rows = [...inner.querySelectorAll("tr")];
    dress(rows, content.flatMap((element) => (element.localName === "tr" ? [element] : [...element.querySelectorAll("tr")])));
    const all = [...(bar ? [lineFor(bar, "tr")] : []), ...rows];
    if (tag === "tr") return { nodes: all, top: all[0] ?? last, late };
    const group = document.createElement("tbody");
    group.className = last.className;
    group.append(...all);
    return { nodes: [group], top: group, late };
  }
  if (kind === "items" && inner && tag === "li") {
    const items = [...inner.children];
    dress(items, content);
    const all = [...(bar ? [lineFor(bar, "li")] : []), ...items];
    return { nodes: all, top: all[0] ?? last, late };
  }
  const page = region(name);
  const blocks = [...holder.children];
  const isLike = blocks.some((block) => content.some((model) => written(model) === block.localName));
  page.append(...(bar ? [bar.host] : []), ...holder.childNodes);
  if (isLike) dress(blocks, content);
  else if (content.length === 1) {
    // The content of one element, without it: one of its kind around it, so that the site's styles fit.
    const [only] = content;
    const body = document.createElement("div");
    if (only && !isInside && /^(div|section|article|main)$/.test(only.localName)) body.className = only.className;
    body.append(...[...page.childNodes].slice(bar ? 1 : 0));
    page.append(body);
    dress(blocks, [...(only?.children ?? [])]);
  }
  // Sizes of images are those of the site's styles; where there are none, no image is wider than the page.
  for (const image of page.querySelectorAll("img")) if (!image.className) style(image, { "max-width": "100%" });
  return { nodes: [page], top: page, late };
}

/** Returns an element for a page, which in columns of a list takes a whole line. */
function region(name: string): HTMLElement {
  const page = document.createElement("tsugi-page");
  style(page, { display: "block", "grid-column": "1 / -1", flex: "0 0 100%" });
  page.setAttribute("role", "region");
  page.setAttribute("aria-label", name);
  return page;
}

/** Returns what holds a line between entries of a list: a row in a table, an item in a list. */
export function lineFor(bar: Bar, tag: string): HTMLElement {
  if (tag === "tr" || tag === "tbody") {
    const cell = document.createElement("td");
    cell.colSpan = 1000;
    cell.append(bar.host);
    const row = document.createElement("tr");
    row.append(cell);
    if (tag === "tr") return row;
    const group = document.createElement("tbody");
    group.append(row);
    return group;
  }
  if (/^(li|dt|dd)$/.test(tag)) {
    const line = document.createElement(tag);
    style(line, { "list-style": "none", "grid-column": "1 / -1", flex: "0 0 100%" });
    line.append(bar.host);
    return line;
  }
  return bar.host;
}
