/** The reading view: all pages as one article, with files to save. Pages that are not there yet are fetched first. */

import type { Joined, Stopped } from "tsugi";
import { ending, pages, word } from "./bar.ts";
import { fromBase64 } from "./bytes.ts";
import { engine } from "./engine.ts";
import { grow } from "./grow.ts";
import { askPage, type State } from "./messages.ts";
import { fileName, get, save, show, tabOf, translate } from "./page.ts";

/** How often to look how far the page is, in milliseconds. */
const OFTEN = 250;

/** Lets the page fetch what is missing, until nothing more comes or the reader stops it. */
async function gather(tab: number): Promise<State> {
  let state = await askPage(tab, "state");
  if (state.next !== null && state.ended === null) {
    await askPage(tab, "all");
    show("stop", true);
    show("progress", true);
    do {
      state = await askPage(tab, "state");
      get("state").textContent = word("all_running", state.pages);
      await new Promise((resolve) => setTimeout(resolve, OFTEN));
    } while (state.isRunning);
  }
  show("stop", false);
  show("progress", false);
  return state;
}

async function join(tab: number): Promise<{ joined: Joined; stopped: Stopped | null }> {
  const { start, follow, answers } = await askPage(tab, "pages");
  // Pages that were put above count, too.
  const joiner = (await engine()).follow(start, { ...follow, maxPages: Math.max(follow.maxPages, answers.length) });
  for (const answer of answers) {
    if ("bytes" in answer) joiner.give(fromBase64(answer.bytes), answer.url, answer.contentType || undefined);
    else joiner.miss(answer.word, answer.message);
  }
  const { stopped } = joiner;
  return { joined: joiner.finish(), stopped };
}

async function draw(joined: Joined): Promise<number> {
  document.title = joined.title ?? "tsugi";
  const article = get("article");
  if (joined.lang) article.lang = joined.lang;
  const made = document.createElement("div");
  const trees = joined.trees();
  for (const [index, { url, tree }] of trees.entries()) {
    const section = document.createElement("section");
    section.setAttribute("aria-label", word("page", index + 1));
    await grow(section, tree, index + 1);
    // Each paragraph runs as its own letters do.
    for (const block of section.querySelectorAll("p, h1, h2, h3, h4, h5, h6, li, td, th, blockquote, figcaption, dt, dd, table, ul, ol")) if (!block.hasAttribute("dir")) block.setAttribute("dir", "auto");
    const source = document.createElement("footer");
    const link = document.createElement("a");
    link.href = url;
    link.textContent = trees.length > 1 ? word("page_of", index + 1, trees.length) : new URL(url).host;
    link.title = url;
    source.append(link);
    section.append(source);
    made.append(section);
  }
  article.replaceChildren(...made.childNodes);
  return trees.length;
}

/** Says whether the document is whole, and what is missing. */
function report(count: number, state: State, stopped: Stopped | null): void {
  const isWhole = state.isComplete && !state.hasEarlier && (stopped === null || stopped.complete);
  const missing: string[] = [];
  if (state.hasEarlier) missing.push(word("missing_before"));
  if (state.chapter !== null) missing.push(word("state_chapter"));
  else if (state.hasMore) missing.push(word("state_more"));
  else if (!state.isComplete) missing.push(`${word("missing_after")} ${state.ended ? ending(state.ended.reason, state.ended.detail) : ""}`);
  else if (stopped !== null && !stopped.complete) missing.push(`${word("missing_after")} ${ending(stopped.reason, stopped.detail)}`);
  get("state").textContent = isWhole ? word("whole", pages(count)) : word("not_whole", pages(count));
  get("missing").textContent = missing.join(" ");
  show("missing", missing.length > 0);
}

async function load(tab: number): Promise<void> {
  const state = await gather(tab);
  const { joined, stopped } = await join(tab);
  report(await draw(joined), state, stopped);
  const name = fileName(joined.title ?? "");
  const files: [string, string, () => BlobPart, string][] = [
    ["md", "md", () => joined.markdown(), "text/markdown"],
    ["txt", "txt", () => `${joined.text}\n`, "text/plain"],
    ["html", "html", () => joined.html(), "text/html"],
    ["json", "json", () => `${JSON.stringify(joined.toJSON())}\n`, "application/json"],
    ["epub", "epub", () => joined.epub(`${new Date().toISOString().slice(0, 19)}Z`).slice().buffer, "application/epub+zip"],
  ];
  for (const [id, extension, content, type] of files) {
    get<HTMLButtonElement>(id).disabled = false;
    get(id).onclick = () => save(`${name}.${extension}`, content(), type);
  }
  show("earlier", state.hasEarlier);
  get("earlier").onclick = () => {
    const count = state.pages;
    const wait = async (): Promise<void> => {
      show("earlier", false);
      get("state").textContent = word("earlier_running");
      await askPage(tab, "earlier");
      for (let tries = 0; tries < 240 && (await askPage(tab, "state")).pages === count && (await askPage(tab, "state")).hasEarlier; tries += 1) await new Promise((resolve) => setTimeout(resolve, OFTEN));
      await load(tab);
    };
    void wait();
  };
}

async function start(): Promise<void> {
  translate();
  const tab = (await tabOf())?.id;
  if (tab === undefined) return;
  get("stop").onclick = () => void askPage(tab, "stop");
  try {
    await load(tab);
  } catch (error) {
    get("state").textContent = word("state_unreadable");
    get("missing").textContent = word("reader_lost");
    get("missing").title = String(error);
    show("missing", true);
  }
}

void start();
