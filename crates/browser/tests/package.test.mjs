// The npm package, as its users call it. `scripts/npm` builds it first.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";

const root = new URL("../../../", import.meta.url);
const target = process.env.CARGO_TARGET_DIR ? new URL(`file://${process.env.CARGO_TARGET_DIR}/`) : new URL("target/", root);
const tsugi = createRequire(import.meta.url)(new URL("npm/tsugi", target).pathname);
const HOST = "https://magazine.example/features/tide-mill/";
const page = (number) => new Uint8Array(readFileSync(new URL(`datasets/english-article/${number}.html`, root)));

test("a page has a next link and content", () => {
  const scan = tsugi.scan(page(2), `${HOST}2.html#part`, "text/html");
  assert.equal(scan.next.url, `${HOST}3.html`);
  assert.match(scan.content.text, /tide/);
  const { links, blocks, threshold } = tsugi.explain(page(2), `${HOST}2.html`);
  assert.equal(links[0].url, `${HOST}3.html`);
  assert.ok(links[0].score >= threshold && links[0].reasons.length > 0 && blocks[0].text.length > 0);
});

test("the package holds the engine once", () => {
  const files = readdirSync(new URL("npm/tsugi", target), { recursive: true });
  assert.deepEqual(files.filter((file) => file.endsWith(".wasm")), ["web/tsugi_bg.wasm"]);
});

test("pages are joined by whoever fetches them", () => {
  const joiner = new tsugi.Engine().follow(`${HOST}1.html`, { maxPages: 3 });
  while (joiner.wanted) joiner.give(page(joiner.wanted.match(/(\d)\.html/)[1]), joiner.wanted, "text/html");
  assert.deepEqual([joiner.length, joiner.stopped.reason], [3, "max-pages"]);
  const appended = joiner.appended(1);
  assert.deepEqual([appended.url, appended.kind, appended.verdict.holds], [`${HOST}2.html`, "blocks", true]);
  assert.equal(joiner.appended(0), null);
  const document = joiner.finish();
  assert.match(document.markdown(), /^# /);
  assert.equal(document.toJSON().pages.length, 3);
  assert.equal(document.trees().length, 3);
  assert.deepEqual([...document.epub().slice(0, 2)], [0x50, 0x4b]);
  assert.throws(() => joiner.finish(), /finished/);
});

test("a missing page ends the document", () => {
  const joiner = new tsugi.Engine().follow(`${HOST}1.html`);
  joiner.give(page(1), `${HOST}1.html`);
  joiner.miss("robots", "the site forbids it");
  assert.deepEqual([joiner.stopped.reason, joiner.wanted], ["robots", undefined]);
});

test("rules come before the models, and are learned", () => {
  const learner = new tsugi.Engine().learner();
  for (const number of [1, 2, 3, 4]) learner.add(page(number), `${HOST}${number}.html`);
  const learned = learner.learn();
  assert.match(learned.fiveFilters, /^body: .*\nnext_page_link: /m);
  const rules = new TextEncoder().encode(JSON.stringify([learned.item]));
  const scan = new tsugi.Engine(rules).scan(page(1), `${HOST}1.html`);
  assert.deepEqual([scan.next.url, scan.next.by], [`${HOST}2.html`, "rule"]);
});

test("charsets are those of the bytes", () => {
  const bytes = Uint8Array.from([...Buffer.from("<meta charset=Shift_JIS><title>"), 0x93, 0xfa, 0x96, 0x7b, ...Buffer.from("</title><p>x")]);
  assert.equal(tsugi.scan(bytes, "https://a.test/").title, "日本");
});

test("what is wrong is said", () => {
  assert.throws(() => tsugi.scan(new Uint8Array(), "nowhere"), /`nowhere` is no address/);
  assert.throws(() => new tsugi.Engine(new TextEncoder().encode("{")), Error);
  assert.throws(() => new tsugi.Engine().follow(HOST, { pages: 3 }), /unknown field/);
});

test("robots.txt is obeyed", () => {
  const robots = new TextEncoder().encode("User-agent: *\nCrawl-delay: 3\nDisallow: /private/");
  assert.ok(tsugi.allows(robots, "https://a.test/x") && !tsugi.allows(robots, "https://a.test/private/x"));
  assert.equal(tsugi.crawlDelay(robots), 3);
});
