/** On a page: watches how far the reader is, and appends the next pages. */

import type { Appended, Look } from "tsugi";
import { Bar, ending, style, Voice, word } from "./bar.ts";
import { toBase64 } from "./bytes.ts";
import { dress, written } from "./dress.ts";
import { Fetcher } from "./fetching.ts";
import { grow } from "./grow.ts";
import { type Answer, ask, type Envelope, type Follow, type State, type Stored, type ToContent } from "./messages.ts";
import { find, findAll } from "./place.ts";
import { type Label, local, keep, type Settings, settings } from "./settings.ts";

/** How near the end of the last page the next one is fetched, in heights of the window. */
const NEAR = 1.5;
/** A page that adds so many characters by itself goes on by itself. */
const OWN_SCROLL = 200;

/** The page as it stands, without what is ours. */
function live(): Stored {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  for (const ours of copy.querySelectorAll("tsugi-status, tsugi-separator, tsugi-page, [data-tsugi-page]")) ours.remove();
  const html = `${document.doctype ? "<!DOCTYPE html>" : ""}${copy.outerHTML}`;
  return { url: location.href, contentType: "text/html; charset=utf-8", bytes: toBase64(new TextEncoder().encode(html)) };
}

function limits(chosen: Settings): Follow | null {
  if (!chosen.pages && !chosen.chapters) return null;
  const follow: Follow = { maxPages: chosen.maxPages };
  if (chosen.minScore > 0) follow.minScore = chosen.minScore / 100;
  if (chosen.pages !== chosen.chapters) follow.relation = chosen.pages ? "page" : "chapter";
  return follow;
}

/** Tells scripts of others what AutoPagerize tells them. */
function tell(target: EventTarget, name: string, detail: string): void {
  target.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
}

function percent(score: number): string {
  return `${Math.round(score * 100)} %`;
}

/** A page that was appended. */
interface Part {
  url: string;
  title: string;
  /** What stands above it. */
  top: HTMLElement;
  nodes: Element[];
}

/** The pages below one page. */
class Session {
  /** Pages over plain http have no `randomUUID`. */
  readonly #id = crypto.getRandomValues(new Uint32Array(4)).join("-");
  readonly #chosen: Settings;
  readonly #follow: Follow;
  readonly #start: Stored;
  readonly #look: Look;
  readonly #fetcher: Fetcher;
  readonly #voice = new Voice();
  readonly #ours = new WeakSet<Node>();
  readonly #stops = new AbortController();
  readonly #address = { url: location.href, title: document.title };
  #answers: Answer[] = [];
  #parts: Part[] = [];
  /** The elements of the first page's content that are there. */
  readonly #content: Element[];
  /** Below which the next page goes. */
  #last: Element;
  #end: Bar | null = null;
  #wanted: string | null = null;
  #ended: string | null = null;
  #busy = false;
  #all = false;

  private constructor(chosen: Settings, follow: Follow, start: Stored, look: Look, content: Element[], last: Element) {
    this.#chosen = chosen;
    this.#follow = follow;
    this.#start = start;
    this.#look = look;
    this.#content = content;
    this.#last = last;
    this.#fetcher = new Fetcher(chosen.delay, chosen.robots);
  }

  /** Returns a session, if this page goes on; `look` is what was found on it. */
  static async begin(chosen: Settings): Promise<{ session: Session | null; look: Look }> {
    const start = live();
    const look = await ask("look", { page: start });
    await ask("badge", { text: look.best?.accepted ? String(Math.round(look.best.score * 100)) : "", title: look.best?.accepted ? word("badge", look.best.url, percent(look.best.score)) : word("badge_none") });
    const follow = limits(chosen);
    const content = findAll(look.content.nodes);
    const last = content.at(-1);
    if (!follow || !last || !look.best?.accepted) return { session: null, look };
    const session = new Session(chosen, follow, start, look, content, last);
    await session.#give([start]);
    if (session.#wanted === null) {
      session.close();
      return { session: null, look };
    }
    session.#watch();
    return { session, look };
  }

  state(): State {
    const { best } = this.#look;
    return { pages: this.#parts.length + 1, score: best?.score ?? null, next: this.#wanted, running: this.#busy, ended: this.#ended, more: false };
  }

  pages(): ToContent["pages"]["answer"] {
    return { start: this.#start.url, follow: this.#follow, answers: this.#answers };
  }

  /** Gives the engine answers; after a restart, all that there were. */
  async #give(answers: Answer[]): Promise<Appended | null> {
    const asking = { id: this.#id, start: this.#start.url, follow: this.#follow };
    let progress = await ask("give", { ...asking, from: this.#answers.length, answers });
    this.#answers.push(...answers);
    if (progress.lost) progress = await ask("give", { ...asking, from: 0, answers: this.#answers });
    if (progress.lost) throw new Error("the engine keeps nothing");
    this.#wanted = progress.wanted;
    if (progress.stopped) this.#finish(progress.stopped.reason, progress.stopped.detail);
    return progress.length > this.#parts.length + 1 ? progress.appended : null;
  }

  #watch(): void {
    const { signal } = this.#stops;
    const look = (): void => {
      this.#follows();
      if (this.#isNear()) void this.next();
    };
    addEventListener("scroll", look, { passive: true, signal });
    addEventListener("resize", look, { passive: true, signal });
    addEventListener("keydown", (event) => this.#key(event), { signal });
    addEventListener("pagehide", () => this.#remember(), { signal });
    this.#watchOthers();
    tell(document, "GM_AutoPagerizeLoaded", "");
    look();
  }

  /** Stops if the page goes on by itself. */
  #watchOthers(): void {
    const content = this.#last;
    const parent = content.parentElement;
    if (!parent) return;
    // Beside the content, or in it; what comes and goes elsewhere is no next page.
    const counts = ({ target }: MutationRecord): boolean => target === parent || content.contains(target);
    const observer = new MutationObserver((changes) => {
      const added = changes.filter(counts).flatMap((change) => [...change.addedNodes]).filter((node) => !this.#ours.has(node));
      const length = added.reduce((sum, node) => sum + (node.textContent ?? "").trim().length, 0);
      if (length >= OWN_SCROLL && scrollY > 0) this.#finish("own-scroll", "");
    });
    observer.observe(parent, { childList: true, subtree: true });
    this.#stops.signal.addEventListener("abort", () => observer.disconnect());
  }

  #isNear(): boolean {
    return this.#last.getBoundingClientRect().bottom < (1 + NEAR) * innerHeight;
  }

  #key(event: KeyboardEvent): void {
    if (!event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey) return;
    const keys: Record<string, () => void> = {
      KeyN: () => this.#go(1), KeyP: () => this.#go(-1), KeyA: () => void this.all(), KeyS: () => this.stop(),
    };
    const press = keys[event.code];
    if (!press) return;
    event.preventDefault();
    press();
  }

  /** Fetches the next page and appends it, if it continues this one. */
  async next(): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === null || this.#busy || this.#ended !== null) return;
    this.#busy = true;
    try {
      if ((await local()).labels.some((label) => label.trap === wanted)) return this.#finish("wrong", "");
      const answer = await this.#fetcher.get(wanted);
      if (this.#stops.signal.aborted || this.#ended !== null) return;
      const appended = await this.#give([answer]);
      if (appended) await this.#append(appended);
    } catch (error) {
      this.#finish("fetch-failed", String(error));
    } finally {
      this.#busy = false;
    }
    if (!this.#all && this.#isNear()) void this.next();
  }

  /** Appends all pages. */
  async all(): Promise<void> {
    if (this.#all) return;
    this.#all = true;
    while (this.#all && this.#wanted !== null && this.#ended === null) {
      this.#voice.say(word("all_running", this.#parts.length + 1), true);
      if (this.#busy) await new Promise((resolve) => setTimeout(resolve, 100));
      else await this.next();
    }
    this.#all = false;
    this.#voice.say(word("all_done", this.#parts.length + 1), true);
  }

  stop(): void {
    this.#all = false;
    this.#finish("stopped", "");
  }

  async #append(appended: Appended): Promise<void> {
    const number = this.#parts.length + 2;
    const bar = new Bar().say(`${word("page", number)} · ${percent(appended.score)}`, { url: appended.url, text: appended.url });
    bar.button("↓", word("key_next"), () => this.#go(1)).button("↑", word("key_previous"), () => this.#go(-1));
    bar.button(word("all"), word("key_all"), () => void this.all()).button("■", word("key_stop"), () => this.stop());
    const reasons = appended.verdict?.reasons.slice(0, 3).map((reason) => reason.what) ?? [];
    bar.host.title = reasons.join("\n");
    const nodes = await this.#build(appended, bar, number);
    const added = nodes.at(-1);
    if (!added || this.#ended === "own-scroll") return;
    for (const node of nodes) this.#ours.add(node);
    this.#insert(nodes);
    this.#last = added;
    this.#parts.push({ url: appended.url, title: appended.title ?? document.title, top: bar.host, nodes });
    for (const node of nodes) tell(node, "AutoPagerize_DOMNodeInserted", appended.url);
    tell(document, "GM_AutoPagerizeNextPageLoaded", appended.url);
    this.#voice.say(word("appended", number));
  }

  /** Puts elements below the last one. Where columns would take them apart, they go into the content instead. */
  #insert(nodes: Element[]): void {
    const last = this.#last;
    const { display } = getComputedStyle(last.parentElement ?? last);
    const isBeside = /flex|grid/.test(display) && this.#parts.length === 0 && this.#content.length === 1;
    if (isBeside && /^(div|section|article|main)$/.test(last.localName)) last.append(...nodes);
    else last.after(...nodes);
  }

  /** Returns what goes below the last element: blocks in one element, rows in one group of rows, items beside items. */
  async #build({ kind, tree, lang }: Appended, bar: Bar, number: number): Promise<Element[]> {
    const holder = document.createElement("div");
    await grow(holder, tree, number);
    const inner = holder.firstElementChild;
    const tag = this.#last.localName;
    const label = (element: Element): void => {
      element.setAttribute("data-tsugi-page", String(number));
      if (lang) element.setAttribute("lang", lang);
    };
    if (kind === "rows" && inner && (tag === "tr" || tag === "tbody")) {
      const cell = document.createElement("td");
      cell.colSpan = 1000;
      cell.append(bar.host);
      const line = document.createElement("tr");
      line.append(cell);
      const rows = [line, ...inner.querySelectorAll("tr")];
      dress(rows.slice(1), this.#rows());
      if (tag === "tr") {
        rows.forEach(label);
        return rows;
      }
      const group = document.createElement("tbody");
      group.className = this.#last.className;
      group.append(...rows);
      label(group);
      return [group];
    }
    if (kind === "items" && inner && tag === "li") {
      const line = document.createElement("li");
      style(line, { "list-style": "none" });
      line.append(bar.host);
      const items = [line, ...inner.children];
      dress(items.slice(1), this.#content);
      items.forEach(label);
      return items;
    }
    const page = document.createElement("tsugi-page");
    // In columns of a list it takes a whole line.
    style(page, { display: "block", "grid-column": "1 / -1", "flex": "0 0 100%" });
    page.setAttribute("role", "region");
    page.setAttribute("aria-label", word("page", number));
    label(page);
    const blocks = [...holder.children];
    const isLike = blocks.some((block) => this.#content.some((model) => written(model) === block.localName));
    page.append(bar.host, ...holder.childNodes);
    if (isLike) dress(blocks, this.#content);
    else if (this.#content.length === 1) {
      // The content of one element, without it: one of its kind around it, so that the site's styles fit.
      const [only] = this.#content;
      const body = document.createElement("div");
      if (only && /^(div|section|article|main)$/.test(only.localName)) body.className = only.className;
      body.append(...[...page.childNodes].slice(1));
      page.append(body);
      dress(blocks, [...(only?.children ?? [])]);
    }
    return [page];
  }

  /** The rows of the first page. */
  #rows(): Element[] {
    return this.#content.flatMap((element) => (element.localName === "tr" ? [element] : [...element.querySelectorAll("tr")]));
  }

  /** Shows why the pages end. Nothing is shown if nothing was appended and nothing failed. */
  #finish(reason: string, detail: string): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    const text = ending(reason, detail);
    if (this.#parts.length === 0 && (reason === "no-next" || reason === "low-score")) return;
    this.#end = new Bar("tsugi-separator").say(text);
    this.#end.host.title = detail;
    this.#ours.add(this.#end.host);
    const after = this.#last;
    if (/^(tr|tbody)$/.test(after.localName)) after.closest("table")?.after(this.#end.host);
    else if (after.localName === "li") after.parentElement?.after(this.#end.host);
    else this.#insert([this.#end.host]);
    this.#voice.say(text);
  }

  /** Scrolls to the next or previous page. */
  #go(by: 1 | -1): void {
    const tops = this.#parts.map((part) => part.top);
    const at = tops.filter((top) => top.getBoundingClientRect().top < 8).length;
    const to = tops[by === 1 ? at : at - 2];
    if (to) to.scrollIntoView();
    else if (by === -1) scrollTo(0, 0);
    else void this.next();
  }

  /** The page that the reader sees. */
  #inView(): { url: string; title: string; top: number } {
    const part = this.#parts.findLast((part) => part.top.getBoundingClientRect().top < innerHeight / 2);
    return part ? { url: part.url, title: part.title, top: part.top.getBoundingClientRect().top + scrollY } : { ...this.#address, top: 0 };
  }

  #follows(): void {
    if (!this.#chosen.address || this.#parts.length === 0) return;
    const { url, title } = this.#inView();
    if (location.href.split("#")[0] === url.split("#")[0]) return;
    // The page's scripts have gone elsewhere: a new session begins soon.
    if (location.href !== this.#address.url && !OURS.has(location.href)) return;
    try {
      history.replaceState(history.state, "", url);
      document.title = title;
      OURS.add(url);
    } catch {
      // The address is of another origin, such as http instead of https.
    }
  }

  /** Keeps the place within the page in view, since after a reload the pages above are gone. */
  #remember(): void {
    if (this.#parts.length === 0) return;
    const { url, top } = this.#inView();
    try {
      sessionStorage.setItem("tsugi-place", JSON.stringify({ url, offset: Math.max(0, scrollY - top) }));
    } catch {
      // The page forbids storage.
    }
  }

  /** Takes out the page in view and all below it, labels the link as wrong, and learns from the pages before. */
  async wrong(): Promise<void> {
    const seen = this.#parts.filter((part) => part.top.getBoundingClientRect().top < innerHeight / 2).length;
    const index = Math.max(0, seen - 1);
    const bad = this.#parts[index]?.url ?? this.#wanted;
    if (bad === null || bad === undefined) return;
    const before = this.#parts[index - 1];
    for (const part of this.#parts.splice(index)) for (const node of part.nodes) node.remove();
    this.#last = before?.nodes.at(-1) ?? this.#content.at(-1) ?? this.#last;
    this.#end?.host.remove();
    this.#ended = null;
    this.#finish("wrong", bad);
    const label: Label = { url: before?.url ?? this.#start.url, site: location.hostname, next: null, trap: bad, next_reason: "reader", labels: ["next"] };
    const { labels, own } = await local();
    await keep({ labels: [...labels, label] });
    this.#answers.splice(index + 1);
    // The page whose link was wrong teaches nothing.
    const pages = this.#answers.slice(0, index).filter((answer) => "bytes" in answer);
    if (pages.length === 0) return;
    const learned = await ask("learn", { pages });
    if ("item" in learned) await keep({ own: [...own.filter((rule) => rule.name !== learned.item.name), learned.item] });
  }

  close(): void {
    this.#stops.abort();
    this.#voice.host.remove();
  }
}

/** Addresses that the extension itself has set. */
const OURS = new Set<string>();

/** The extension on this page. */
class Pager {
  #session: Session | null = null;
  #look: Look | null = null;
  #at = location.href;

  async start(): Promise<void> {
    const chosen = await settings();
    if (chosen.never.includes(location.hostname)) return;
    this.#place();
    const begun = this.#begin(chosen);
    chrome.runtime.onMessage.addListener((message: Envelope, _sender, respond) => {
      void begun.then(() => this.#heed(message)).then(respond);
      return true;
    });
    await begun;
  }

  async #begin(chosen: Settings): Promise<void> {
    const { session, look } = await Session.begin(chosen);
    this.#session = session;
    this.#look = look;
    this.#offerEarlier(look);
    this.#watchAddress();
    addEventListener("pageshow", (event) => {
      if (event.persisted && this.#session === null) void this.#again();
    });
  }

  async #heed(message: Envelope): Promise<unknown> {
    const nothing: State = { pages: 1, score: this.#look?.best?.score ?? null, next: null, running: false, ended: null, more: false };
    switch (message.tsugi) {
      case "state": return { ...(this.#session?.state() ?? nothing), more: Boolean(this.#look?.unfollowable) };
      case "all": void this.#session?.all(); return null;
      case "stop": this.#session?.stop(); return null;
      case "wrong": await this.#session?.wrong(); return null;
      case "more": this.#press(); return null;
      case "pages": return this.#session?.pages() ?? { start: location.href, follow: { maxPages: 1 }, answers: [live()] };
      default: return null;
    }
  }

  /** Presses "Load more". Only a reader asks for it. */
  #press(): void {
    const mark = this.#look?.unfollowable;
    const control = mark ? find(mark) : null;
    if (control instanceof HTMLElement) control.click();
  }

  /** After a reload: back to the place within the page. */
  #place(): void {
    try {
      const kept: { url: string; offset: number } | null = JSON.parse(sessionStorage.getItem("tsugi-place") ?? "null");
      sessionStorage.removeItem("tsugi-place");
      const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      if (kept?.url === location.href && entry && entry.type !== "navigate") scrollTo(0, kept.offset);
    } catch {
      // The page forbids storage.
    }
  }

  #offerEarlier(look: Look): void {
    const [previous] = look.previous;
    if (this.#session === null || look.earlier === null || previous === undefined) return;
    const first = findAll(look.content.nodes)[0];
    if (!first || /^(tr|tbody|li)$/.test(first.localName)) return;
    first.before(new Bar().say(word("earlier"), { url: previous, text: previous }).host);
  }

  /** Begins anew when scripts have gone to another address. */
  #watchAddress(): void {
    setInterval(() => {
      if (document.hidden || location.href === this.#at) return;
      this.#at = location.href;
      if (!OURS.has(location.href)) void this.#again();
    }, 500);
  }

  async #again(): Promise<void> {
    this.#session?.close();
    for (const ours of document.querySelectorAll("tsugi-separator, tsugi-page, [data-tsugi-page]")) ours.remove();
    const { session, look } = await Session.begin(await settings());
    this.#session = session;
    this.#look = look;
  }
}

// Injected twice, it starts once.
const here = globalThis as typeof globalThis & { tsugiPager?: Pager };
if (!here.tsugiPager && window === window.top) {
  here.tsugiPager = new Pager();
  void here.tsugiPager.start();
}
