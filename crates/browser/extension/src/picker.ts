/** Makes a rule of what a reader points at: the link to the next page, and the text. It runs on a page when the popup asks for it. */

import { style, word } from "./bar.ts";
import { ask } from "./messages.ts";
import { live } from "./live.ts";
import { keep, local, type Rule } from "./settings.ts";
import { content, matches, nextLink } from "./xpath.ts";

const FONT = "15px/1.45 system-ui, sans-serif";

type Step = "link" | "content" | "done";

/** The panel at the edge of the window, and the frames around what is chosen. */
class Picker {
  readonly #host = document.createElement("tsugi-picker");
  readonly #panel = document.createElement("div");
  readonly #text = document.createElement("p");
  readonly #buttons = document.createElement("div");
  readonly #frames = document.createElement("div");
  readonly #stops = new AbortController();
  #step: Step = "link";
  #link: HTMLAnchorElement | null = null;
  #content: Element | null = null;
  /** Whether the panel is at the top of the window: what it covers cannot be clicked. Links to next pages are at the end. */
  #isAbove = true;

  constructor() {
    style(this.#host, { all: "initial", position: "fixed", inset: "0", "z-index": "2147483647", "pointer-events": "none" });
    style(this.#panel, {
      position: "absolute", "inset-inline": "0", margin: "0 auto", "box-sizing": "border-box", width: "min(36rem, 100% - 2rem)", padding: "1rem 1.25rem", font: FONT, color: "#16303f",
      background: "#fff", border: "1px solid #9db4c2", "border-radius": "10px", "box-shadow": "0 6px 30px rgba(0,0,0,.35)", "pointer-events": "auto", direction: "inherit",
    });
    this.#panel.setAttribute("role", "dialog");
    this.#panel.setAttribute("aria-label", word("do_pick"));
    style(this.#text, { margin: "0 0 .75rem", "overflow-wrap": "anywhere" });
    this.#text.setAttribute("role", "status");
    style(this.#buttons, { display: "flex", "flex-wrap": "wrap", gap: ".5rem" });
    this.#panel.append(this.#text, this.#buttons);
    this.#host.attachShadow({ mode: "open" }).append(this.#frames, this.#panel);
    document.documentElement.append(this.#host);
    const { signal } = this.#stops;
    const options = { capture: true, signal };
    addEventListener("mousemove", (event) => this.#point(event), options);
    addEventListener("click", (event) => this.#click(event), options);
    // Links may act when the button goes down.
    for (const name of ["mousedown", "mouseup", "pointerdown", "pointerup"] as const) addEventListener(name, (event) => !this.#isOurs(event) && this.#hold(event), options);
    addEventListener("keydown", (event) => event.key === "Escape" && this.close(), options);
    addEventListener("scroll", () => this.#mark(), options);
    this.#dock(true);
    this.#show();
  }

  #isOurs(event: Event): boolean {
    return event.composedPath().includes(this.#host);
  }

  #hold(event: Event): void {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #under(event: MouseEvent): Element | null {
    const target = event.composedPath()[0];
    return target instanceof Element && !target.closest("[data-tsugi-page], tsugi-separator") ? target : null;
  }

  #point(event: MouseEvent): void {
    if (this.#step === "done" || this.#isOurs(event)) return;
    const under = this.#under(event);
    const shown = this.#step === "link" ? under?.closest("a[href]") : under;
    this.#mark(shown ?? null);
  }

  #click(event: MouseEvent): void {
    if (this.#isOurs(event)) return;
    this.#hold(event);
    const under = this.#under(event);
    if (this.#step === "done" || under === null) return;
    if (this.#step === "link") {
      const link = under.closest<HTMLAnchorElement>("a[href]");
      if (link === null) return this.#say(word("pick_no_link"));
      this.#link = link;
      this.#step = "content";
      this.#dock(false);
    } else {
      this.#content = under;
    }
    this.#show();
  }

  #say(text: string): void {
    this.#text.textContent = text;
  }

  #button(text: string, isMain: boolean, press: () => void): void {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    style(button, {
      font: "inherit", "font-weight": isMain ? "600" : "400", padding: ".45em 1em", border: "1px solid #1b4965", "border-radius": "7px", cursor: "pointer", background: isMain ? "#1b4965" : "#fff", color: isMain ? "#fff" : "#1b4965",
    });
    // A page must not press it.
    button.addEventListener("click", (event) => event.isTrusted && press());
    this.#buttons.append(button);
  }

  #dock(isAbove: boolean): void {
    this.#isAbove = isAbove;
    style(this.#panel, { top: isAbove ? "1rem" : "auto", bottom: isAbove ? "auto" : "1rem" });
  }

  #show(): void {
    this.#buttons.replaceChildren();
    if (this.#step === "link") this.#say(word("pick_link"));
    if (this.#step === "content") {
      this.#say(this.#content ? word("pick_wider") : word("pick_content"));
      if (this.#content) {
        this.#button(word("pick_next"), true, () => void this.#try());
        this.#button(word("pick_more"), false, () => this.#widen());
      }
    }
    this.#button(word("cancel"), false, () => this.close());
    this.#button("⇅", false, () => this.#dock(!this.#isAbove));
    this.#buttons.lastElementChild?.setAttribute("aria-label", word("pick_move"));
    this.#mark();
  }

  #widen(): void {
    const above = this.#content?.parentElement;
    if (above && above !== document.documentElement) this.#content = above;
    this.#show();
  }

  /** Draws frames around what is chosen, and around what is pointed at. */
  #mark(pointed: Element | null = null): void {
    const chosen: [Element, string][] = [];
    if (this.#link) chosen.push([this.#link, "#c8501e"]);
    if (this.#content) for (const element of matches(content(this.#content))) chosen.push([element, "#2a7fb0"]);
    if (pointed) chosen.push([pointed, "#5b7a2a"]);
    this.#frames.replaceChildren(...chosen.slice(0, 200).map(([element, colour]) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const frame = document.createElement("div");
      style(frame, { position: "fixed", left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`, "box-sizing": "border-box", border: `2px solid ${colour}`, background: `color-mix(in srgb, ${colour} 14%, transparent)`, "border-radius": "3px" });
      return frame;
    }));
  }

  /** Asks the engine what the rule finds. */
  async #try(): Promise<void> {
    if (!this.#link || !this.#content) return;
    const host = location.hostname;
    const data = { url: `^https?://${host.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}/`, nextLink: nextLink(this.#link), pageElement: content(this.#content), exampleUrl: location.href };
    const rule: Rule = { name: host, data };
    const found = await ask("tryRule", { page: live(), rule });
    this.#step = "done";
    this.#buttons.replaceChildren();
    const isGood = found.next !== null && found.content !== "";
    this.#say(isGood ? `${word("pick_found", found.next ?? "")} “${found.content.slice(0, 90)}…”` : word("pick_failed"));
    if (isGood) this.#button(word("o_save"), true, () => void this.#save(rule));
    this.#button(word("pick_again"), false, open);
    this.#button(word("cancel"), false, () => this.close());
  }

  async #save(rule: Rule): Promise<void> {
    const { own } = await local();
    await keep({ own: [...own.filter((other) => other.name !== rule.name), rule] });
    this.#buttons.replaceChildren();
    this.#say(word("pick_saved"));
    this.#button(word("close"), true, () => this.close());
  }

  close(): void {
    this.#stops.abort();
    this.#host.remove();
  }
}

const here = globalThis as typeof globalThis & { tsugiPicker?: Picker };

/** Opens a panel in the place of one that is open. */
function open(): void {
  here.tsugiPicker?.close();
  here.tsugiPicker = new Picker();
}

open();
