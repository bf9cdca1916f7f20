/** What the extension itself shows on a page. It is styled element by element, so that a page's policy on styles has no say. */

import type { Looks } from "./settings.ts";

/** Returns a text in the reader's language. */
export function word(name: string, ...values: (string | number)[]): string {
  return chrome.i18n.getMessage(name, values.map(String)) || name;
}

export function style(element: HTMLElement | SVGElement, rules: Record<string, string>): void {
  for (const [name, value] of Object.entries(rules)) element.style.setProperty(name, value);
}

export function percent(score: number): string {
  return `${Math.round(score * 100)} %`;
}

/** Returns how many pages there are, in words. */
export function pages(count: number): string {
  return count === 1 ? word("state_page") : word("state_pages", count);
}

/** Returns the reason why pages end, in the reader's language. */
export function ending(reason: string, detail: string): string {
  if (reason === "not-a-continuation") {
    if (/same|already|nothing new|repeat/.test(detail)) return word("end_repeats");
    if (/surrounds|no content|blank/.test(detail)) return word("end_past");
    return word("end_other");
  }
  const known = ["no-next", "low-score", "loop", "max-pages", "fetch-failed", "robots", "off-site", "wrong", "own-scroll", "stopped", "not-before"];
  return word(`end_${(known.includes(reason) ? reason : "no-next").replaceAll("-", "_")}`);
}

/** The colour of lines where the reader chose none: it is legible on light and dark pages. */
const COLOUR = "#2a7fb0";

/** How many blocks tell the width of a text, and the least width of a line, in pixels. */
const MOST_BLOCKS = 20;
const LEAST_WIDTH = 240;

/** A line of words and buttons in a shadow tree, where styles of the page do not reach. */
export class Bar {
  readonly host = document.createElement("tsugi-separator");
  readonly #words = document.createElement("span");
  readonly #buttons = document.createElement("span");

  constructor(looks: Looks) {
    // `all` leaves the direction alone, so that the line runs as the page does.
    style(this.host, { all: "initial", display: "block", clear: "both", color: "inherit", "grid-column": "1 / -1", flex: "0 0 100%" });
    const colour = looks.colour || COLOUR;
    const isBar = looks.separator === "bar";
    const line = document.createElement("div");
    style(line, {
      display: "flex", "flex-wrap": isBar ? "wrap" : "nowrap", gap: ".25em .75em", "align-items": "center", margin: isBar ? "2em 0" : "1.25em 0", padding: isBar ? ".45em .9em" : "0",
      font: "14px/1.5 system-ui, sans-serif", color: "inherit", "text-align": "start", "overflow-wrap": "anywhere",
      background: isBar ? `color-mix(in srgb, ${colour} 14%, transparent)` : "none", "border-inline-start": isBar ? `4px solid ${colour}` : "0", "border-radius": isBar ? "4px" : "0",
    });
    const rule = document.createElement("span");
    style(rule, { flex: "1 1 2em", "border-top": isBar ? "0" : `2px solid ${colour}` });
    style(this.#words, { "font-size": isBar ? "1em" : ".85em", "min-width": "0" });
    style(this.#buttons, { display: "flex", gap: ".25em" });
    if (!isBar) {
      // On a thin line they come when they are wanted: by the mouse, or by the keyboard.
      const show = (width: string) => (): void => style(this.#buttons, { width, overflow: "hidden", "margin-inline-start": width === "0" ? "-.75em" : "0" });
      show("0")();
      for (const name of ["mouseenter", "focusin"]) line.addEventListener(name, show("auto"));
      for (const name of ["mouseleave", "focusout"]) line.addEventListener(name, show("0"));
    }
    line.append(this.#words, rule, this.#buttons);
    this.host.attachShadow({ mode: "open" }).append(line);
  }

  /** Says a text. With `url`, the text leads there; `title` follows it. */
  say(text: string, url?: string, title = ""): this {
    const said = document.createElement(url === undefined ? "span" : "a");
    if (url !== undefined) (said as HTMLAnchorElement).href = url;
    said.textContent = text;
    style(said, { color: "inherit", "font-weight": url === undefined ? "400" : "600", "text-decoration": "none" });
    said.addEventListener("mouseenter", () => style(said, { "text-decoration": url === undefined ? "none" : "underline" }));
    said.addEventListener("mouseleave", () => style(said, { "text-decoration": "none" }));
    this.#words.replaceChildren(said);
    if (title) {
      const rest = document.createElement("bdi");
      rest.textContent = title;
      this.#words.append(" · ", rest);
    }
    return this;
  }

  /** Makes the line as wide as the text in `sample`, where that is narrower than the page. */
  fit(sample: Element): void {
    style(this.host, { "margin-inline-start": "0", "max-width": "none" });
    const all = this.host.getBoundingClientRect();
    const blocks = [...sample.querySelectorAll("p, li, pre, blockquote, h1, h2, h3")].slice(0, MOST_BLOCKS).map((block) => block.getBoundingClientRect()).filter(({ width }) => width > 0);
    if (blocks.length === 0 || all.width === 0) return;
    const [left, right] = [Math.max(all.left, Math.min(...blocks.map((block) => block.left))), Math.min(all.right, Math.max(...blocks.map((block) => block.right)))];
    if (right - left < LEAST_WIDTH || right - left > all.width - 8) return;
    const start = getComputedStyle(this.host).direction === "rtl" ? all.right - right : left - all.left;
    style(this.host, { "margin-inline-start": `${start}px`, "max-width": `${right - left}px` });
  }

  /** Says what only a reader who asks wants to know. */
  hint(lines: string[]): this {
    this.host.title = lines.filter(Boolean).join("\n");
    return this;
  }

  button(text: string, label: string, press: () => void): this {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.title = label;
    button.setAttribute("aria-label", label);
    style(button, {
      font: "inherit", "line-height": "1.4", color: "inherit", background: "transparent", border: "1px solid currentColor", "border-radius": "4px", opacity: ".75",
      "min-width": "2em", padding: ".05em .5em", cursor: "pointer", flex: "none", "white-space": "nowrap",
    });
    for (const [name, opacity] of [["mouseenter", "1"], ["focus", "1"], ["mouseleave", ".75"], ["blur", ".75"]] as const) button.addEventListener(name, () => style(button, { opacity }));
    button.addEventListener("click", press);
    this.#buttons.append(button);
    return this;
  }

  clear(): this {
    this.#buttons.replaceChildren();
    return this;
  }
}

/** Says things to screen readers, politely, and shows progress. */
export class Voice {
  readonly host = document.createElement("tsugi-status");
  readonly #line = document.createElement("div");

  constructor() {
    style(this.host, { all: "initial", position: "fixed", "inset-inline-end": "1em", bottom: "1em", "z-index": "2147483647" });
    this.#line.setAttribute("role", "status");
    this.#line.setAttribute("aria-live", "polite");
    style(this.#line, { font: "14px/1.5 system-ui, sans-serif", color: "#fff", background: "#1b4965", padding: ".4em .9em", "border-radius": "6px", opacity: "0", "pointer-events": "none" });
    this.host.attachShadow({ mode: "open" }).append(this.#line);
    document.documentElement.append(this.host);
  }

  /** `shown`: whether to show it, too; for a while, if it is the last that there is to say. */
  say(text: string, shown: "no" | "yes" | "last" = "no"): void {
    this.#line.textContent = text;
    style(this.#line, { opacity: shown === "no" ? "0" : "1" });
    if (shown === "last") setTimeout(() => this.#line.textContent === text && style(this.#line, { opacity: "0" }), 4000);
  }
}
