/** Answers the questions of pages. It may be stopped at any time, and keeps nothing that a page cannot give again. */

import { allows, crawlDelay, Engine, type Joiner } from "tsugi";
import { fromBase64 } from "./bytes.ts";
import { engine, restart } from "./engine.ts";
import { answer, missing } from "./fetching.ts";
import type { Answer, Before, Envelope, Origin, Progress, Stored, ToBackground } from "./messages.ts";
import { settings } from "./settings.ts";

/** The most sequences to keep. Others are begun again when their page asks. */
const MOST_KEPT = 8;
const joiners = new Map<string, { joiner: Joiner; given: number }>();

function forget(id: string): void {
  joiners.get(id)?.joiner.free();
  joiners.delete(id);
}

async function give(ask: ToBackground["give"]["ask"]): Promise<Progress> {
  const { id, start, follow, from, answers } = ask;
  if (from === 0) {
    forget(id);
    joiners.set(id, { joiner: (await engine()).follow(start, follow), given: 0 });
    for (const old of [...joiners.keys()].slice(0, -MOST_KEPT)) forget(old);
  }
  const held = joiners.get(id);
  if (held?.given !== from) return { lost: true };
  for (const found of answers) {
    if ("bytes" in found) held.joiner.give(fromBase64(found.bytes), found.url, found.contentType || undefined);
    else held.joiner.miss(found.word, found.message);
    held.given += 1;
  }
  const { joiner } = held;
  const appended = joiner.appended(joiner.length - 1);
  const last = answers.at(-1);
  const found = appended && last && "bytes" in last ? await origin(last) : null;
  return { lost: false, length: joiner.length, wanted: joiner.wanted ?? null, stopped: joiner.stopped, appended, origin: found };
}

/** Returns where the content of a page is. */
async function origin({ bytes, url, contentType }: Stored): Promise<Origin | null> {
  const { content } = (await engine()).scan(fromBase64(bytes), url, contentType || undefined);
  return content && content.nodes.length > 0 ? { nodes: content.nodes, without: content.without ?? [] } : null;
}

/** Returns what a page has that `after` continues. */
async function before({ page, after, follow }: ToBackground["before"]["ask"]): Promise<Before | null> {
  const used = await engine();
  const bytes = fromBase64(page.bytes);
  const look = used.look(bytes, page.url, page.contentType || undefined);
  const isSame = (one: string, other: string): boolean => one.split("#")[0] === other.split("#")[0];
  const joiner = used.follow(page.url, { ...follow, maxPages: 2 });
  try {
    joiner.give(bytes, page.url, page.contentType || undefined);
    if (joiner.wanted === undefined || !isSame(joiner.wanted, after.url)) return null;
    joiner.give(fromBase64(after.bytes), after.url, after.contentType || undefined);
    if (joiner.length < 2) return null;
    const score = joiner.appended(1)?.score ?? look.best?.score ?? 0;
    const joined = joiner.finish();
    const [first] = joined.trees();
    joined.free();
    const { title } = used.scan(bytes, page.url, page.contentType || undefined);
    return first ? { title, lang: look.lang, tree: first.tree, origin: await origin(page), score, previous: look.previous } : null;
  } finally {
    joiner.free();
  }
}

/** Returns what a rule finds on a page. */
function tryRule({ page, rule }: ToBackground["tryRule"]["ask"]): ToBackground["tryRule"]["answer"] {
  const ruled = new Engine(new TextEncoder().encode(JSON.stringify([rule])));
  try {
    const { best, content } = ruled.look(fromBase64(page.bytes), page.url, page.contentType || undefined);
    return { next: best?.by === "rule" ? best.url : null, content: content.by === "rule" ? content.nodes.map(({ text }) => text).join(" ").slice(0, 200) : "" };
  } finally {
    ruled.free();
  }
}

/** Fetches a page for a page of the same site, if the reader let the extension read that site. */
async function fetchFor(url: string, sender: chrome.runtime.MessageSender): Promise<Answer> {
  const { origin, hostname } = new URL(url);
  const isSame = sender.url !== undefined && new URL(sender.url).origin === origin;
  const may = isSame && (await chrome.permissions.contains({ origins: [`*://${hostname}/*`] }));
  if (!may) return missing("fetch-failed", "the page's policy forbids fetching; allow this site for good to read on");
  try {
    return await answer(await fetch(url, { credentials: "include", signal: AbortSignal.timeout(30_000) }), url);
  } catch (error) {
    return missing("fetch-failed", String(error));
  }
}

async function heed(message: Envelope, sender: chrome.runtime.MessageSender): Promise<unknown> {
  switch (message.tsugi) {
    case "look": {
      const { bytes, url, contentType } = message.page;
      return (await engine()).look(fromBase64(bytes), url, contentType || undefined);
    }
    case "give": return await give(message);
    case "before": return await before(message);
    case "tryRule": {
      await engine();
      return tryRule(message);
    }
    case "robots": {
      await engine();
      const robots = fromBase64(message.bytes);
      return { allowed: allows(robots, message.url), delay: crawlDelay(robots) ?? 0 };
    }
    case "fetch": return await fetchFor(message.url, sender);
    case "learn": {
      const learner = (await engine()).learner();
      try {
        for (const page of message.pages) learner.add(fromBase64(page.bytes), page.url, page.contentType || undefined);
        return learner.learn();
      } catch (error) {
        return { error: String(error) };
      } finally {
        learner.free();
      }
    }
    case "badge": {
      const { id } = sender.tab ?? {};
      if (id === undefined) return null;
      await chrome.action.setBadgeBackgroundColor({ tabId: id, color: "#1b4965" });
      await chrome.action.setBadgeText({ tabId: id, text: message.text });
      await chrome.action.setTitle({ tabId: id, title: message.title });
      return null;
    }
    default: return null;
  }
}

chrome.runtime.onMessage.addListener((message: Envelope, sender, respond) => {
  // Only our own pages and scripts.
  if (sender.id !== chrome.runtime.id) return false;
  heed(message, sender).then(
    (value) => respond({ value }),
    (error: unknown) => {
      if (error instanceof WebAssembly.RuntimeError) {
        joiners.clear();
        restart();
      }
      respond({ error: String(error) });
    },
  );
  return true;
});

/** Runs on the sites that the reader listed and let it read. */
async function register(): Promise<void> {
  const { always } = await settings();
  const allowed = await chrome.permissions.getAll();
  const everywhere = (allowed.origins ?? []).some((origin) => origin === "*://*/*" || origin === "<all_urls>");
  const matches: string[] = everywhere ? ["*://*/*"] : [];
  for (const host of everywhere ? [] : always) {
    const origin = `*://${host}/*`;
    if (await chrome.permissions.contains({ origins: [origin] })) matches.push(origin);
  }
  await chrome.scripting.unregisterContentScripts();
  if (matches.length > 0) await chrome.scripting.registerContentScripts([{ id: "always", matches, js: ["content.js"], runAt: "document_idle" }]);
}

let registering = Promise.resolve();
function registerSoon(): void {
  registering = registering.then(register).catch((error: unknown) => console.warn(error));
}

chrome.runtime.onInstalled.addListener(registerSoon);
chrome.runtime.onStartup.addListener(registerSoon);
chrome.permissions.onAdded.addListener(registerSoon);
chrome.permissions.onRemoved.addListener(registerSoon);
chrome.storage.onChanged.addListener((changes, area) => {
  if (area === "sync" && "always" in changes) registerSoon();
  if (area === "local" && ("own" in changes || "imported" in changes)) restart();
});
