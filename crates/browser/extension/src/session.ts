/** The pages below and above the page that was opened. */

import type { Appended, Look } from "tsugi";
import { entries, reveal } from "./adopt.ts";
import { Bar, ending, percent, Voice, word } from "./bar.ts";
import { build, type Built, type Found, lineFor } from "./building.ts";
import { Fetcher } from "./fetching.ts";
import { pressed } from "./keys.ts";
import { type Answer, ask, type Follow, type Origin, type State, type Stored, type ToContent } from "./messages.ts";
import { live } from "./live.ts";
import { findAll } from "./place.ts";
import { type Label, local, keep, type Settings } from "./settings.ts";

/** How near the end of the last page the next one is fetched, in heights of the window. */
const NEAR = 1.5;
/** How near the top an earlier page is fetched, once the reader has asked for one. */
const NEAR_TOP = 0.5;
/** A page that adds so many characters by itself goes on by itself. */
const OWN_SCROLL = 200;
/** Addresses of earlier pages that are tried. */
const MOST_BEFORE = 3;

/** Addresses that the extension itself has set. */
export const OURS = new Set<string>();

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

/** Returns a title without the numbers in it, to see whether it is another one. */
function plain(title: string): string {
  return title.toLowerCase().replace(/\p{N}+|page|seite|ページ|[\p{P}\p{S}]/gu, " ").replace(/\s+/g, " ").trim();
}

/** A page of the sequence. */
interface Part {
  url: string;
  title: string;
  /** Where it begins. */
  top: Element;
  nodes: Element[];
}

/** The pages below one page, and above it. */
export class Session {
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
  /** The elements of the first page's content that are there. */
  readonly #content: Element[];
  /** Whether other pages go into the content, since columns would put them beside it. */
  readonly #isInside: boolean;
  readonly #own: Part;
  /** The number of the page that was opened, if it is known. */
  readonly #number: number | null;
  #answers: Answer[] = [];
  #parts: Part[] = [];
  /** Pages above, the earliest first, with what was fetched. */
  #above: Part[] = [];
  #aboveAnswers: Stored[] = [];
  /** Addresses that may be the page before the earliest one. */
  #previous: string[] = [];
  #earlierBar: Bar | null = null;
  #asksAbove = false;
  #isRising = false;
  /** The lines that are as wide as a text, with an element that holds it. */
  readonly #fitted = new Map<Bar, Element>();
  /** Below which the next page goes. */
  #last: Element;
  #end: Bar | null = null;
  #wanted: string | null = null;
  #ended: { reason: string; detail: string; isComplete: boolean } | null = null;
  #busy = false;
  #all = false;

  private constructor(chosen: Settings, follow: Follow, start: Stored, look: Look, content: Element[], number: number | null) {
    this.#chosen = chosen;
    this.#follow = follow;
    this.#start = start;
    this.#look = look;
    const [only] = content;
    const inside = content.length === 1 && only ? entries(only) : [];
    this.#content = inside.length > 0 ? inside : content;
    this.#last = this.#content.at(-1) as Element;
    const { display } = getComputedStyle(this.#last.parentElement ?? this.#last);
    this.#isInside = /flex|grid/.test(display) && this.#content.length === 1 && /^(div|section|article|main)$/.test(this.#last.localName);
    this.#own = { url: location.href, title: document.title, top: this.#content[0] as Element, nodes: [] };
    this.#number = number;
    this.#fetcher = new Fetcher(chosen.delay, chosen.robots);
  }

  /** Returns a session, if this page goes on; `look` is what was found on it. `number`: of the page, if it was kept. */
  static async begin(chosen: Settings, number: number | null): Promise<{ session: Session | null; look: Look }> {
    const start = live();
    const look = await ask("look", { page: start });
    const next = look.best?.accepted ? look.best : null;
    const badge = next ? String(Math.round(next.score * 100)) : look.unfollowable ? "…" : "";
    await ask("badge", { text: badge, title: next ? word("badge", next.url, percent(next.score)) : word(look.unfollowable ? "badge_more" : "badge_none") });
    const follow = limits(chosen);
    const content = findAll(look.content.nodes);
    const isLater = look.earlier !== null && look.previous.length > 0;
    if (!follow || content.length === 0 || !(next || isLater)) return { session: null, look };
    // The engine says it in words for people.
    const stated = Number(/^this is page (\d+)$/.exec(look.earlier ?? "")?.[1]);
    const own = number ?? (look.earlier === null ? 1 : stated || null);
    const session = new Session(chosen, follow, start, look, content, own);
    await session.#give([start]);
    if (session.#wanted === null && !isLater) {
      session.close();
      return { session: null, look };
    }
    if (isLater && (session.#wanted !== null || number !== null)) session.#offerEarlier(look.previous);
    else if (isLater) session.#previous = look.previous.slice(0, MOST_BEFORE);
    session.#watch();
    return { session, look };
  }

  state(): State {
    const best = this.#look.best;
    return {
      pages: this.#sequence().length, first: this.#number === null ? null : this.#number - this.#above.length, score: best?.score ?? null, next: this.#wanted,
      isRunning: this.#all, ended: this.#ended && { reason: this.#ended.reason, detail: this.#ended.detail }, isComplete: this.#ended?.isComplete ?? false,
      hasMore: Boolean(this.#look.unfollowable), hasEarlier: this.#previous.length > 0, chapter: null,
    };
  }

  pages(): ToContent["pages"]["answer"] {
    const answers = [...this.#aboveAnswers, ...this.#answers];
    return { start: this.#aboveAnswers[0]?.url ?? this.#start.url, follow: this.#follow, answers };
  }

  #sequence(): Part[] {
    return [...this.#above, this.#own, ...this.#parts];
  }

  /** Gives the engine answers; after a restart, all that there were. */
  async #give(answers: Answer[]): Promise<{ appended: Appended; origin: Origin | null } | null> {
    const asking = { id: this.#id, start: this.#start.url, follow: this.#follow };
    let progress = await ask("give", { ...asking, from: this.#answers.length, answers });
    this.#answers.push(...answers);
    if (progress.lost) progress = await ask("give", { ...asking, from: 0, answers: this.#answers });
    if (progress.lost) throw new Error("the engine keeps nothing");
    this.#wanted = progress.wanted;
    if (progress.stopped) this.#finish(progress.stopped.reason, progress.stopped.detail, progress.stopped.complete);
    const { appended, origin } = progress;
    return appended && progress.length > this.#parts.length + 1 ? { appended, origin } : null;
  }

  #watch(): void {
    const { signal } = this.#stops;
    const look = (): void => {
      this.#follows();
      if (this.#isNear()) void this.next();
      if (this.#asksAbove && scrollY < NEAR_TOP * innerHeight) void this.before();
    };
    addEventListener("scroll", look, { passive: true, signal });
    addEventListener("resize", () => {
      for (const [bar, sample] of this.#fitted) bar.fit(sample);
      look();
    }, { passive: true, signal });
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
      if (length >= OWN_SCROLL && scrollY > 0) this.#finish("own-scroll", "", false);
    });
    observer.observe(parent, { childList: true, subtree: true });
    this.#stops.signal.addEventListener("abort", () => observer.disconnect());
  }

  #isNear(): boolean {
    return this.#last.getBoundingClientRect().bottom < (1 + NEAR) * innerHeight;
  }

  #key(event: KeyboardEvent): void {
    const name = pressed(event);
    const { next, previous, all, stop } = this.#chosen.keys;
    const actions: [string, () => void][] = [[next, () => this.#go(1)], [previous, () => this.#go(-1)], [all, () => void this.all()], [stop, () => this.stop()]];
    const action = name === "" ? undefined : actions.find(([key]) => key === name);
    if (!action) return;
    event.preventDefault();
    action[1]();
  }

  /** Fetches the next page and appends it, if it continues this one. */
  async next(): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === null || this.#busy || this.#ended !== null) return;
    this.#busy = true;
    try {
      if ((await local()).labels.some((label) => label.trap === wanted)) return this.#finish("wrong", "", true);
      const answer = await this.#fetcher.get(wanted);
      if (this.#stops.signal.aborted || this.#ended !== null) return;
      const found = await this.#give([answer]);
      if (found && "bytes" in answer) await this.#append(found.appended, answer, found.origin);
    } catch (error) {
      this.#finish("fetch-failed", String(error), false);
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
      this.#voice.say(word("all_running", this.#parts.length + 1), "yes");
      if (this.#busy) await new Promise((resolve) => setTimeout(resolve, 100));
      else await this.next();
    }
    // The last page may still be on its way into this one.
    while (this.#busy) await new Promise((resolve) => setTimeout(resolve, 100));
    this.#all = false;
    this.#voice.say(word("all_done", this.#sequence().length), "last");
  }

  stop(): void {
    this.#all = false;
    this.#asksAbove = false;
    this.#finish("stopped", "", false);
  }

  /** Returns the words for the page at a place of the sequence, counted from the page that was opened. */
  #name(offset: number): string {
    return this.#number === null ? word(offset < 0 ? "key_previous" : "key_next") : word("page", this.#number + offset);
  }

  /** Makes the line above a page. Where the reader wants none, there is none. */
  #separator(offset: number, url: string, title: string, hints: string[]): Bar | null {
    if (this.#chosen.separator === "hidden") return null;
    const isOther = plain(title) !== plain(this.#own.title);
    const bar = new Bar(this.#chosen).say(this.#name(offset), url, isOther ? title : "").hint([title, url, ...hints]);
    bar.button("↑", word("key_previous"), () => this.#go(-1)).button("↓", word("key_next"), () => this.#go(1));
    if (offset > 0) bar.button(word("all"), word("key_all"), () => void this.all()).button("■", word("key_stop"), () => this.stop());
    return bar;
  }

  async #append(appended: Appended, page: Stored, origin: Origin | null): Promise<void> {
    const offset = this.#parts.length + 1;
    const reasons = appended.verdict?.reasons.slice(0, 3).map((reason) => reason.what) ?? [];
    const bar = this.#separator(offset, appended.url, appended.title ?? "", [word("sure", percent(appended.score)), ...reasons]);
    const { nodes, top, late } = await this.#build(appended, page, origin, bar, offset);
    const added = nodes.at(-1);
    if (!added || this.#ended?.reason === "own-scroll") return;
    for (const node of nodes) this.#ours.add(node);
    this.#insert(nodes);
    reveal(late);
    if (bar && added.contains(bar.host)) this.#fit(bar, added);
    this.#last = added;
    this.#parts.push({ url: appended.url, title: appended.title ?? document.title, top, nodes });
    for (const node of nodes) tell(node, "AutoPagerize_DOMNodeInserted", appended.url);
    tell(document, "GM_AutoPagerizeNextPageLoaded", appended.url);
    this.#voice.say(word("appended", this.#name(offset)));
  }

  #fit(bar: Bar, sample: Element): void {
    this.#fitted.set(bar, sample);
    bar.fit(sample);
  }

  /** Puts elements below the last one. */
  #insert(nodes: Element[]): void {
    if (this.#isInside && this.#parts.length === 0) this.#last.append(...nodes);
    else this.#last.after(...nodes);
  }

  /** Puts elements above the earliest page. */
  #insertAbove(nodes: Element[]): void {
    const [earliest] = this.#above;
    if (this.#isInside && !earliest) this.#content[0]?.prepend(...nodes);
    else (earliest ?? this.#own).top.before(...nodes);
  }

  /** Returns the elements of a page at a place of the sequence. */
  async #build(found: Found, page: Stored, origin: Origin | null, bar: Bar | null, offset: number): Promise<Built> {
    // Elements of a page are told apart by it, however pages are numbered.
    const number = (this.#number ?? 1) + offset;
    return await build({ found, page, origin, bar, number, name: this.#name(offset), content: this.#content, last: this.#last, isInside: this.#isInside });
  }

  /** Offers the pages before this one, above it. */
  #offerEarlier(previous: string[]): void {
    this.#previous = previous.slice(0, MOST_BEFORE);
    const [url] = this.#previous;
    this.#earlierBar?.host.remove();
    this.#earlierBar = null;
    const top = (this.#above[0] ?? this.#own).top;
    if (url === undefined || /^(tr|tbody|li|dt|dd)$/.test(top.localName)) return;
    this.#earlierBar = new Bar({ ...this.#chosen, separator: "bar" }).say(word("earlier")).hint([url]);
    this.#earlierBar.button(word("load_earlier"), word("load_earlier"), () => void this.before());
    this.#ours.add(this.#earlierBar.host);
    this.#insertAbove([this.#earlierBar.host]);
    if (this.#content.length === 1) this.#fit(this.#earlierBar, this.#above[0]?.nodes[0] ?? this.#content[0] as Element);
  }

  /** Fetches the page before the earliest one, and puts it above, if that one continues it. The reader's place stays. */
  async before(): Promise<void> {
    if (this.#isRising || this.#previous.length === 0) return;
    this.#asksAbove = true;
    this.#isRising = true;
    // One page at a time, and who asked is served.
    while (this.#busy) await new Promise((resolve) => setTimeout(resolve, 100));
    this.#busy = true;
    this.#voice.say(word("earlier_running"), "yes");
    try {
      const after = this.#aboveAnswers[0] ?? this.#start;
      const known = new Set(this.#sequence().map(({ url }) => url.split("#")[0]));
      for (const url of this.#previous.filter((url) => !known.has(url.split("#")[0]))) {
        const page = await this.#fetcher.get(url);
        if (this.#stops.signal.aborted) return;
        if (!("bytes" in page)) {
          this.#voice.say(ending(page.word, page.message), "last");
          continue;
        }
        const found = await ask("before", { page, after, follow: this.#follow });
        if (found === null) continue;
        await this.#prepend(page, found);
        this.#voice.say(word("appended", this.#name(-this.#above.length)), "last");
        return;
      }
      this.#offerEarlier([]);
      this.#voice.say(word("end_not_before"), "last");
    } catch (error) {
      this.#voice.say(`${word("end_fetch_failed")} ${String(error)}`, "last");
    } finally {
      this.#isRising = false;
      this.#busy = false;
    }
  }

  async #prepend(page: Stored, found: NonNullable<Awaited<ReturnType<typeof ask<"before">>>>): Promise<void> {
    const offset = -this.#above.length - 1;
    const after = this.#above[0] ?? this.#own;
    const { nodes, late } = await this.#build({ kind: "blocks", ...found }, page, found.origin, null, offset);
    const bar = this.#separator(offset + 1, after.url, after.title, [word("sure", percent(found.score))]);
    const line = bar ? [lineFor(bar, (this.#content[0] as Element).localName)] : [];
    for (const node of line) node.setAttribute("data-tsugi-page", String((this.#number ?? 1) + offset + 1));
    const anchor = after.top;
    const [top] = nodes;
    if (!anchor.isConnected || !top) return;
    for (const node of [...nodes, ...line]) this.#ours.add(node);
    // The text stays where the reader sees it, whether or not the browser keeps the place itself.
    this.#earlierBar?.host.remove();
    const still = this.#isInside && anchor === this.#content[0] ? (anchor.firstElementChild ?? anchor) : anchor;
    const place = still.getBoundingClientRect().top;
    this.#insertAbove([...nodes, ...line]);
    reveal(late);
    scrollBy({ top: still.getBoundingClientRect().top - place, behavior: "instant" });
    if (line[0]) after.top = line[0];
    if (bar && this.#content.length === 1) this.#fit(bar, this.#content[0] as Element);
    this.#above.unshift({ url: page.url, title: found.title ?? document.title, top, nodes });
    this.#aboveAnswers.unshift(page);
    this.#offerEarlier(found.previous);
    for (const node of nodes) tell(node, "AutoPagerize_DOMNodeInserted", page.url);
  }

  /** Shows why the pages end. Nothing is shown if nothing was appended and nothing failed. */
  #finish(reason: string, detail: string, isComplete: boolean): void {
    if (this.#ended !== null) return;
    this.#ended = { reason, detail, isComplete };
    const text = ending(reason, detail);
    if (this.#parts.length === 0 && (reason === "no-next" || reason === "low-score")) return;
    this.#voice.say(text);
    if (this.#chosen.separator === "hidden" && isComplete) return;
    this.#end = new Bar(this.#chosen).say(text).hint([detail]);
    if (reason === "fetch-failed" && this.#wanted === null) this.#end.button(word("try_again"), word("try_again"), () => void this.#again());
    this.#ours.add(this.#end.host);
    const after = this.#last;
    if (/^(tr|tbody)$/.test(after.localName)) after.closest("table")?.after(this.#end.host);
    else if (/^(li|dt|dd)$/.test(after.localName)) after.parentElement?.after(this.#end.host);
    else {
      this.#insert([this.#end.host]);
      if (this.#content.length === 1) this.#fit(this.#end, after);
    }
  }

  /** After a failure: asks for the missing page once more. */
  async #again(): Promise<void> {
    this.#answers = this.#answers.filter((answer) => "bytes" in answer);
    this.#end?.host.remove();
    this.#ended = null;
    const answers = this.#answers;
    this.#answers = [];
    await this.#give(answers);
    await this.next();
  }

  /** Scrolls to the next or previous page. */
  #go(by: 1 | -1): void {
    const tops = this.#sequence().slice(1).map((part) => part.top);
    const at = tops.filter((top) => top.getBoundingClientRect().top < 8).length;
    const to = tops[by === 1 ? at : at - 2];
    if (to) to.scrollIntoView();
    else if (by === -1) scrollTo(0, 0);
    else void this.next();
  }

  /** The page that the reader sees, its place in the sequence, and where it begins. */
  #inView(): { url: string; title: string; top: number; at: number } {
    const all = this.#sequence();
    const at = Math.max(0, all.findLastIndex((part) => part.top.getBoundingClientRect().top < innerHeight / 2));
    const { url, title, top } = all[at] ?? this.#own;
    return { url, title, top: at === 0 ? 0 : top.getBoundingClientRect().top + scrollY, at: at - this.#above.length };
  }

  #follows(): void {
    if (!this.#chosen.address || this.#parts.length + this.#above.length === 0) return;
    const { url, title } = this.#inView();
    if (location.href.split("#")[0] === url.split("#")[0]) return;
    // The page's scripts have gone elsewhere: a new session begins soon.
    if (location.href !== this.#own.url && !OURS.has(location.href)) return;
    try {
      history.replaceState(history.state, "", url);
      document.title = title;
      OURS.add(url);
    } catch {
      // The address is of another origin, such as http instead of https.
    }
  }

  /** Keeps the place within the page in view, and its number, since after a reload the pages above are gone. */
  #remember(): void {
    const { url, top, at } = this.#inView();
    const number = this.#number === null ? null : this.#number + at;
    if (this.#parts.length + this.#above.length === 0 && number === 1) return;
    try {
      sessionStorage.setItem("tsugi-place", JSON.stringify({ url, offset: Math.max(0, scrollY - top), number }));
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
    this.#wanted = null;
    this.#finish("wrong", bad, true);
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
    this.#all = false;
    this.#stops.abort();
    this.#voice.host.remove();
  }
}
