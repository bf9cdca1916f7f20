/** The reading view: all pages as one article, with files to save. */

import type { Joined } from "tsugi";
import { word } from "./bar.ts";
import { fromBase64 } from "./bytes.ts";
import { engine } from "./engine.ts";
import { grow } from "./grow.ts";
import { askPage } from "./messages.ts";
import { fileName, get, save, translate } from "./page.ts";

async function join(tab: number): Promise<Joined> {
  const { start, follow, answers } = await askPage(tab, "pages");
  const joiner = (await engine()).follow(start, follow);
  for (const answer of answers) {
    if ("bytes" in answer) joiner.give(fromBase64(answer.bytes), answer.url, answer.contentType || undefined);
    else joiner.miss(answer.word, answer.message);
  }
  return joiner.finish();
}

async function show(joined: Joined): Promise<void> {
  document.title = joined.title ?? "tsugi";
  const article = get("article");
  if (joined.lang) article.lang = joined.lang;
  const trees = joined.trees();
  for (const [index, { url, tree }] of trees.entries()) {
    const section = document.createElement("section");
    section.setAttribute("aria-label", word("page", index + 1));
    await grow(section, tree, index + 1);
    const source = document.createElement("footer");
    const link = document.createElement("a");
    link.href = url;
    link.textContent = url;
    source.append(link);
    section.append(source);
    article.append(section);
  }
  get("state").textContent = word("state_pages", trees.length);
}

async function start(): Promise<void> {
  translate();
  try {
    const joined = await join(Number(new URL(location.href).searchParams.get("tab")));
    await show(joined);
    const name = fileName(joined.title ?? "");
    get("md").onclick = () => save(`${name}.md`, joined.markdown(), "text/markdown");
    get("txt").onclick = () => save(`${name}.txt`, `${joined.text}\n`, "text/plain");
    get("epub").onclick = () => {
      const now = `${new Date().toISOString().slice(0, 19)}Z`;
      save(`${name}.epub`, joined.epub(now).slice().buffer, "application/epub+zip");
    };
  } catch (error) {
    get("state").textContent = `${word("state_unreadable")} ${String(error)}`;
  }
}

void start();
