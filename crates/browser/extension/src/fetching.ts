/** Fetches the next page politely: one at a time, slowly, never past a robots.txt, and never more than a page may have. */

import { ask, type Answer } from "./messages.ts";
import { toBase64 } from "./bytes.ts";

/** The largest page, in bytes. */
const LARGEST = 8 << 20;
/** The most bytes of all pages of a sequence. They are kept, and one message, of at most 64 MB, gives all of them in base64 to an engine that lost them. */
const MOST = 32 << 20;
/** How long a page may take, in milliseconds. */
const PATIENCE = 30_000;
/** How often to ask again after a server was busy, and the longest time to wait for it, in seconds. */
const TRIES = 2;
const LONGEST_WAIT = 60;

export function missing(word: string, message: string): Answer {
  return { word, message };
}

/** Reads at most {@link LARGEST} bytes. */
async function body(response: Response): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); reader && part && !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > LARGEST) {
      await reader.cancel();
      return null;
    }
    parts.push(part.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Returns what a response holds, or why it is no page. */
export async function answer(response: Response, asked: string): Promise<Answer> {
  if (!response.ok) return missing("fetch-failed", `\`${asked}\` answered with status ${response.status}`);
  const contentType = response.headers.get("content-type") ?? "";
  if (contentType && !/^\s*(text\/html|application\/xhtml\+xml|text\/plain)/i.test(contentType)) {
    return missing("fetch-failed", `\`${asked}\` is no page but ${contentType}`);
  }
  const bytes = await body(response);
  if (bytes === null) return missing("fetch-failed", `\`${asked}\` is larger than 8 MB`);
  return { url: response.url || asked, contentType, bytes: toBase64(bytes) };
}

/** Returns how many seconds to wait after a busy server; `null` if it is too long or never. */
export function wait(response: { status: number; headers: Headers }, tried: number): number | null {
  if (response.status !== 429 && response.status !== 503) return null;
  if (tried >= TRIES) return null;
  const asked = Number(response.headers.get("retry-after") ?? NaN);
  const seconds = Number.isFinite(asked) && asked >= 0 ? asked : 2 ** (tried + 2);
  return seconds <= LONGEST_WAIT ? seconds : null;
}

export function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

/** Fetches pages of one site. */
export class Fetcher {
  #last = 0;
  #delay: number;
  #robots: Promise<{ bytes: string; known: boolean }> | null = null;
  /** The length of all pages in base64. */
  #length = 0;
  readonly #obeys: boolean;

  constructor(delay: number, obeys: boolean) {
    this.#delay = delay;
    this.#obeys = obeys;
  }

  /** Returns a page, or why there is none. */
  async get(url: string): Promise<Answer> {
    const found = await this.#fetched(url);
    this.#length += "bytes" in found ? found.bytes.length : 0;
    return this.#length > (MOST / 3) * 4 ? missing("fetch-failed", "the pages together are larger than 32 MB") : found;
  }

  async #fetched(url: string): Promise<Answer> {
    if (this.#obeys) {
      const forbidden = await this.#forbidden(url);
      if (forbidden) return forbidden;
    }
    for (let tried = 0; ; tried += 1) {
      await sleep(Math.max(0, this.#delay - (Date.now() - this.#last) / 1000));
      this.#last = Date.now();
      let response: Response;
      try {
        response = await fetch(url, { credentials: "same-origin", headers: { accept: "text/html,application/xhtml+xml" }, signal: AbortSignal.timeout(PATIENCE) });
      } catch {
        // The page's policy may forbid it here, where the background may do it.
        return await ask("fetch", { url });
      }
      const seconds = wait(response, tried);
      if (seconds === null) return await answer(response, url);
      await sleep(seconds);
    }
  }

  async #forbidden(url: string): Promise<Answer | null> {
    this.#robots ??= Fetcher.#rules(new URL("/robots.txt", url).href);
    const { bytes, known } = await this.#robots;
    if (!known) return missing("robots", "the site's robots.txt cannot be read");
    const { allowed, delay } = await ask("robots", { bytes, url });
    this.#delay = Math.max(this.#delay, Math.min(delay, LONGEST_WAIT));
    return allowed ? null : missing("robots", "the site's robots.txt forbids it");
  }

  static async #rules(url: string): Promise<{ bytes: string; known: boolean }> {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
      if (response.ok) return { bytes: toBase64((await body(response)) ?? new Uint8Array()), known: true };
      return { bytes: "", known: response.status < 500 && response.status !== 429 };
    } catch {
      const found = await ask("fetch", { url });
      if ("bytes" in found) return { bytes: found.bytes, known: true };
      return { bytes: "", known: / status 4\d\d$/.test(found.message) };
    }
  }
}
