/** On a page: begins where it is told to, and hears what the popup and the reading view ask. */

import type { Look } from "tsugi";
import type { Envelope, State } from "./messages.ts";
import { clear, live } from "./live.ts";
import { find } from "./place.ts";
import { OURS, Session } from "./session.ts";
import { type Settings, settings } from "./settings.ts";

/** The extension on this page. */
class Pager {
  #session: Session | null = null;
  #look: Look | null = null;
  #at = location.href;
  #isStarted = false;

  /** Starts once; where the reader keeps it away, not yet. */
  async start(): Promise<void> {
    const chosen = await settings();
    if (this.#isStarted || chosen.never.includes(location.hostname)) return;
    this.#isStarted = true;
    const begun = this.#begin(chosen);
    chrome.runtime.onMessage.addListener((message: Envelope, _sender, respond) => {
      void begun.then(() => this.#heed(message)).then(respond);
      return true;
    });
    await begun;
  }

  async #begin(chosen: Settings): Promise<void> {
    const { session, look } = await Session.begin(chosen, this.#place());
    this.#session = session;
    this.#look = look;
    this.#watchAddress();
    addEventListener("pageshow", (event) => {
      if (event.persisted && this.#session === null) void this.#again();
    });
  }

  async #heed(message: Envelope): Promise<unknown> {
    switch (message.tsugi) {
      case "state": return this.#session?.state() ?? (await this.#alone());
      case "all": void this.#session?.all(); return null;
      case "stop": this.#session?.stop(); return null;
      case "wrong": await this.#session?.wrong(); return null;
      case "earlier": void this.#session?.before(); return null;
      case "more": this.#press(); return null;
      case "pages": return this.#session?.pages() ?? { start: location.href, follow: { maxPages: 1 }, answers: [live()] };
      default: return null;
    }
  }

  /** The state of a page that stays alone. */
  async #alone(): Promise<State> {
    const best = this.#look?.best;
    const { chapters } = await settings();
    const chapter = best?.accepted && best.relation === "chapter" && !chapters ? best.url : null;
    return { pages: 1, first: 1, score: best?.score ?? null, next: null, isRunning: false, ended: null, isComplete: !best?.accepted && !this.#look?.unfollowable, hasMore: Boolean(this.#look?.unfollowable), hasEarlier: false, chapter };
  }

  /** Presses "Load more". Only a reader asks for it. */
  #press(): void {
    const mark = this.#look?.unfollowable;
    const control = mark ? find(mark) : null;
    if (control instanceof HTMLElement) control.click();
  }

  /** After a reload: back to the place within the page. Returns its number. */
  #place(): number | null {
    try {
      const kept: { url: string; offset: number; number: unknown } | null = JSON.parse(sessionStorage.getItem("tsugi-place") ?? "null");
      sessionStorage.removeItem("tsugi-place");
      const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      if (kept?.url !== location.href || !entry || entry.type === "navigate") return null;
      scrollTo(0, kept.offset);
      return typeof kept.number === "number" && Number.isInteger(kept.number) ? kept.number : null;
    } catch {
      // The page forbids storage.
      return null;
    }
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
    clear();
    const { session, look } = await Session.begin(await settings(), null);
    this.#session = session;
    this.#look = look;
  }
}

// Injected twice, it starts once.
const here = globalThis as typeof globalThis & { tsugiPager?: Pager };
if (window === window.top) {
  here.tsugiPager ??= new Pager();
  void here.tsugiPager.start();
}
