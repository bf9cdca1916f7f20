/** What the extension itself shows on a page. It is styled element by element, so that a page's policy on styles has no say. */

/** Returns a text in the reader's language. */
export function word(name: string, ...values: (string | number)[]): string {
  return chrome.i18n.getMessage(name, values.map(String)) || name;
}

export function style(element: HTMLElement, rules: Record<string, string>): void {
  for (const [name, value] of Object.entries(rules)) element.style.setProperty(name, value);
}

/** Returns the reason why pages end, in the reader's language. */
export function ending(reason: string, detail: string): string {
  if (reason === "not-a-continuation") {
    if (/same|already|nothing new|repeat/.test(detail)) return word("end_repeats");
    if (/surrounds|no content|blank/.test(detail)) return word("end_past");
    return word("end_other");
  }
  const known = ["no-next", "low-score", "loop", "max-pages", "fetch-failed", "robots", "off-site", "wrong", "own-scroll", "stopped"];
  return word(`end_${(known.includes(reason) ? reason : "no-next").replaceAll("-", "_")}`);
}

/** A line of words and buttons in a shadow tree, where styles of the page do not reach. */
export class Bar {
  readonly host: HTMLElement;
  readonly #words: HTMLElement;
  readonly #buttons: HTMLElement;

  constructor(tag = "tsugi-separator") {
    this.host = document.createElement(tag);
    style(this.host, { all: "initial", display: "block", clear: "both", color: "inherit", "grid-column": "1 / -1" });
    const line = document.createElement("div");
    style(line, {
      display: "flex", "flex-wrap": "wrap", gap: ".25em .75em", "align-items": "baseline", margin: "1.5em 0", padding: ".4em .75em",
      font: "14px/1.5 system-ui, sans-serif", color: "inherit", background: "rgba(70, 130, 180, 0.16)", "border-left": "4px solid #2a6f97", "border-radius": "3px",
      "overflow-wrap": "anywhere",
    });
    this.#words = document.createElement("span");
    this.#buttons = document.createElement("span");
    style(this.#buttons, { "margin-left": "auto" });
    line.append(this.#words, this.#buttons);
    this.host.attachShadow({ mode: "open" }).append(line);
  }

  say(text: string, link?: { url: string; text: string }): this {
    this.#words.textContent = text;
    if (link) {
      const anchor = document.createElement("a");
      anchor.href = link.url;
      anchor.textContent = link.text;
      style(anchor, { color: "inherit", "margin-left": ".5em" });
      this.#words.append(anchor);
    }
    return this;
  }

  button(text: string, label: string, press: () => void): this {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.title = label;
    button.setAttribute("aria-label", label);
    style(button, { font: "inherit", color: "inherit", background: "none", border: "1px solid #8ab", "border-radius": "3px", "margin-left": ".25em", cursor: "pointer" });
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
    style(this.host, { all: "initial", position: "fixed", right: "1em", bottom: "1em", "z-index": "2147483647" });
    this.#line.setAttribute("role", "status");
    this.#line.setAttribute("aria-live", "polite");
    style(this.#line, { font: "14px/1.5 system-ui, sans-serif", color: "#fff", background: "#1b4965", padding: ".3em .8em", "border-radius": "3px", opacity: "0" });
    this.host.attachShadow({ mode: "open" }).append(this.#line);
    document.documentElement.append(this.host);
  }

  /** `shown`: whether to show it, too. */
  say(text: string, shown = false): void {
    this.#line.textContent = text;
    style(this.#line, { opacity: shown ? "1" : "0", "pointer-events": "none" });
  }
}
