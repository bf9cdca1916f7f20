/** What the parts of the extension say to each other. Messages are JSON in Chromium, so bytes travel as base64. */

import type { Appended, Learned, Look, Stopped, Tree } from "tsugi";
import type { Rule } from "./settings.ts";

/** A page as it was fetched, or as it stands in the tab. */
export interface Stored {
  /** The address after redirects. */
  url: string;
  contentType: string;
  /** The bytes in base64. */
  bytes: string;
}

/** A page, or why there is none. The words are those of the engine: `robots`, `fetch-failed`, …. */
export type Answer = Stored | { word: string; message: string };

/** How far to follow. */
export interface Follow {
  maxPages: number;
  minScore?: number;
  relation?: "page" | "chapter";
}

/** Where the content of a fetched page is: location paths of its elements, and of what is left out of them. */
export interface Origin {
  nodes: string[];
  without: string[];
}

/** What the engine says after it was given answers. `lost`: it was restarted and must be given all of them again. */
export type Progress = { lost: true } | { lost: false; length: number; wanted: string | null; stopped: Stopped | null; appended: Appended | null; origin: Origin | null };

/** A page that the page after it continues. */
export interface Before {
  title: string | null;
  lang: string | null;
  tree: Tree[];
  origin: Origin | null;
  /** The score of the link from it to the page after it. */
  score: number;
  /** Addresses that may be the page before it. */
  previous: string[];
}

/** Requests to the background, with their answers. */
export interface ToBackground {
  look: { ask: { page: Stored }; answer: Look };
  /** `from`: how many answers the engine was given before. */
  give: { ask: { id: string; start: string; follow: Follow; from: number; answers: Answer[] }; answer: Progress };
  /** `null` if the page is not the one before. */
  before: { ask: { page: Stored; after: Stored; follow: Follow }; answer: Before | null };
  /** What a rule finds on a page: the address of the next page, and the first words of the content; `null` and empty if it finds none. */
  tryRule: { ask: { page: Stored; rule: Rule }; answer: { next: string | null; content: string } };
  robots: { ask: { bytes: string; url: string }; answer: { allowed: boolean; delay: number } };
  /** Fetches where the page's policy forbids it. */
  fetch: { ask: { url: string }; answer: Answer };
  learn: { ask: { pages: Stored[] }; answer: Learned | { error: string } };
  badge: { ask: { text: string; title: string }; answer: null };
}

/** What the popup and the reading view ask of a page. */
export interface ToContent {
  state: { ask: object; answer: State };
  all: { ask: object; answer: null };
  stop: { ask: object; answer: null };
  more: { ask: object; answer: null };
  wrong: { ask: object; answer: null };
  earlier: { ask: object; answer: null };
  pages: { ask: object; answer: { start: string; follow: Follow; answers: Answer[] } };
}

/** What the popup shows of a page. */
export interface State {
  /** How many pages there are on the page, and the number of the first of them; `null` if it is not known. */
  pages: number;
  first: number | null;
  score: number | null;
  /** The page that is wanted next. */
  next: string | null;
  /** Whether all pages are being fetched. */
  isRunning: boolean;
  ended: { reason: string; detail: string } | null;
  /** Whether no page after the last one is missing. */
  isComplete: boolean;
  hasMore: boolean;
  hasEarlier: boolean;
  /** The next chapter, where only pages are followed. */
  chapter: string | null;
}

type Messages = ToBackground & ToContent;
type Name = keyof Messages;
/** A message on its way. */
export type Envelope<N extends Name = Name> = { [K in N]: { tsugi: K } & Messages[K]["ask"] }[N];

/** How often to ask a background that is just stopping, and the time between, in milliseconds. */
const TRIES = 3;
const BETWEEN = 200;

/** Asks the background. */
export async function ask<N extends keyof ToBackground>(name: N, message: ToBackground[N]["ask"]): Promise<ToBackground[N]["answer"]> {
  type Reply = { value: ToBackground[N]["answer"] } | { error: string } | undefined;
  let answer: Reply;
  for (let tried = 1; answer === undefined; tried += 1) {
    try {
      answer = await chrome.runtime.sendMessage<object, Reply>({ tsugi: name, ...message });
    } catch (error) {
      if (tried === TRIES) throw error;
    }
    if (answer === undefined) {
      if (tried === TRIES) throw new Error("the extension does not answer");
      await new Promise((resolve) => setTimeout(resolve, BETWEEN));
    }
  }
  if ("error" in answer) throw new Error(answer.error);
  return answer.value;
}

/** Asks the page in a tab. Fails if the extension is not on it. */
export async function askPage<N extends keyof ToContent>(tab: number, name: N): Promise<ToContent[N]["answer"]> {
  return await chrome.tabs.sendMessage(tab, { tsugi: name }, { frameId: 0 });
}
