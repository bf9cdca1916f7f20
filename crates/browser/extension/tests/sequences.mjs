// The extension in Chromium on stored sequences, served on loopback under their host names: node sequences.mjs DATA SET…
//
// Counts the pages that were appended rightly, wrongly, and not; and the documents whose text is that of `tsugi join`. Needs the npm
// package (scripts/npm), whose joiner gives the answers of `tsugi join`.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pages } from "../../tests/warc.mjs";
import { start } from "./chromium.mjs";
import { target, until } from "./driving.mjs";
import { serve } from "./server.mjs";

const [data, ...sets] = process.argv.slice(2);
const tsugi = createRequire(import.meta.url)(join(target, "npm/tsugi"));
const engine = new tsugi.Engine();
const MOST = 8;
const key = (url) => url.split("#")[0];
/** Browsers ask some hosts over https only. */
const schemeless = (url) => url.replace(/^https?:/, "");

/** What a page should be followed by, as far as the archive goes. */
function chain(first, labels, stored) {
  const found = [];
  for (let at = labels.get(first); at?.next && found.length < MOST; at = labels.get(key(at.next))) {
    const next = [at.next, ...(at.next_any ?? [])].map(key).find((url) => stored.has(url));
    if (next === undefined || found.includes(next)) break;
    found.push(next);
  }
  return found;
}

/** What `tsugi join` gives. */
function joined(first, stored) {
  const joiner = engine.follow(first, { maxPages: MOST + 1 });
  while (joiner.wanted) {
    const page = stored.get(key(joiner.wanted));
    if (page) joiner.give(page.body, page.url, page.contentType);
    else joiner.miss("fetch-failed", "not stored");
  }
  return { pages: joiner.pages.slice(1).map(key), text: joiner.finish().text };
}

/** What the extension has of a page in the end. */
function ofExtension({ start: first, follow, answers }) {
  const joiner = engine.follow(first, follow);
  for (const answer of answers) {
    if ("bytes" in answer) joiner.give(Buffer.from(answer.bytes, "base64"), answer.url, answer.contentType);
    else joiner.miss(answer.word, answer.message);
  }
  return joiner.finish().text;
}

const stored = new Map();
const server = await serve((url) => {
  const page = stored.get(key(url.href)) ?? stored.get(key(url.href.replace(/^https/, "http")));
  return page && { status: page.status, headers: { "content-type": page.contentType ?? "text/html" }, body: page.body };
});
const browser = await start({ server, settings: { chapters: true, maxPages: MOST + 1, robots: false } });
const wrongs = [];
for (const set of sets) {
  stored.clear();
  for (const page of pages(join(data, set, "pages.warc.gz"))) stored.set(key(page.url), page);
  const rows = readFileSync(join(data, set, "labels.jsonl"), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  const labels = new Map(rows.map((row) => [key(row.url), row]));
  const ledTo = new Set(rows.flatMap((row) => [row.next, ...(row.next_any ?? [])]).filter(Boolean).map(key));
  const firsts = rows.filter((row) => row.sequence && !ledTo.has(key(row.url)) && stored.has(key(row.url)));
  const sums = { sequences: 0, right: 0, wrong: 0, missed: 0, "wrong by join": 0, "missed by join": 0, "same text": 0, "same pages": 0, "in the site's markup": 0 };
  for (const { url } of firsts) {
    const expected = chain(key(url), labels, stored);
    const native = joined(url, stored);
    const page = await browser.newPage();
    let found = [];
    let text = "";
    try {
      await page.goto(url, { waitUntil: "domcontentloaded", timeout: 15_000 });
      const ask = (message) => browser.worker.evaluate(async ([url, message]) => {
        const tab = (await chrome.tabs.query({})).find((tab) => tab.active);
        try {
          return await chrome.tabs.sendMessage(tab.id, { tsugi: message });
        } catch {
          return { error: url };
        }
      }, [url, message]);
      await page.bringToFront();
      await until(() => ask("state"), (state) => !("error" in state), 10_000);
      await ask("all");
      await until(() => ask("state"), (state) => !state.isRunning && (state.next === null || state.ended !== null), 30_000);
      found = await page.evaluate(() => [...document.querySelectorAll("tsugi-separator")].map((bar) => bar.shadowRoot.querySelector("a")?.href).filter(Boolean));
      found = [...new Set(found.map(key))].filter((address) => address !== key(url));
      sums["in the site's markup"] += await page.evaluate(() => new Set([...document.querySelectorAll("[data-tsugi-page]:not([data-tsugi-grown])")].map((part) => part.dataset.tsugiPage)).size);
      text = ofExtension(await ask("pages"));
    } catch (error) {
      console.log(`${url}: ${String(error).split("\n")[0]}`);
    }
    await page.close();
    const count = (list) => {
      const [there, due] = [list.map(schemeless), expected.map(schemeless)];
      return [there.filter((address) => due.includes(address)).length, there.filter((address) => !due.includes(address)), due.filter((address) => !there.includes(address)).length];
    };
    const [right, wrong, missed] = count(found);
    const [, nativeWrong, nativeMissed] = count(native.pages);
    sums.sequences += 1;
    sums.right += right;
    sums.wrong += wrong.length;
    sums.missed += missed;
    sums["wrong by join"] += nativeWrong.length;
    sums["missed by join"] += nativeMissed;
    sums["same text"] += text === native.text ? 1 : 0;
    sums["same pages"] += JSON.stringify(found.map(schemeless)) === JSON.stringify(native.pages.map(schemeless)) ? 1 : 0;
    if (wrong.length > 0 || missed > 0) wrongs.push({ url, wrong, missed, native: native.pages.length, found: found.length, expected: expected.length });
  }
  console.log(set, JSON.stringify(sums));
}
for (const row of wrongs) console.log(JSON.stringify(row));
await browser.close();
server.close();
