// What needs no browser.
import assert from "node:assert/strict";
import test from "node:test";
import { build } from "esbuild";

/** Returns a module of the sources. */
async function module(name) {
  const { outputFiles } = await build({ entryPoints: [new URL(`../src/${name}.ts`, import.meta.url).pathname], bundle: true, format: "esm", write: false });
  return await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

test("bytes survive", async () => {
  const { toBase64, fromBase64 } = await module("bytes");
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7) % 256);
  assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
  assert.equal(toBase64(new Uint8Array()), "");
});

test("only usable items of a dump are kept, and only their known fields", async () => {
  const { wedata } = await module("settings");
  const data = { url: "^a", nextLink: "//a", pageElement: "//p", other: "x", insertBefore: 3 };
  const dump = [{ name: "a", data }, null, {}, { data: { url: "a" } }, { data: { ...data, url: "x".repeat(5000) } }];
  assert.deepEqual(wedata(JSON.stringify(dump)), [{ name: "a", data: { url: "^a", nextLink: "//a", pageElement: "//p" } }]);
  assert.throws(() => wedata("{}"), /no array/);
});

test("rules are exported as other clients read them", async () => {
  const { asWedata, asFiveFilters, asSuperPreloader } = await module("formats");
  const rule = { name: "a.test", data: { url: "^https://a\\.test/", nextLink: "//table/tbody/tr\n//a", pageElement: "//main", exampleUrl: "https://a.test/1" } };
  assert.deepEqual(JSON.parse(asWedata(rule)), [rule]);
  assert.equal(asFiveFilters(rule), "body: //main\nnext_page_link: //table//tr //a\ntest_url: https://a.test/1\n");
  assert.deepEqual(JSON.parse(asSuperPreloader(rule)).autopager, { pageElement: "//main" });
});

test("anchors belong to their page", async () => {
  const { anchor } = await module("grow");
  assert.deepEqual([anchor("p2-fn1", 5), anchor("p1-fn1", 5), anchor("page-1", 5)], ["tsugi-5-fn1", "tsugi-4-fn1", "tsugi-4"]);
});

test("a busy server is asked again, not for ever", async () => {
  const { wait } = await module("fetching");
  const response = (status, after) => ({ status, headers: new Headers(after === undefined ? {} : { "retry-after": after }) });
  assert.deepEqual([wait(response(503), 0), wait(response(429, "7"), 1), wait(response(429), 2)], [4, 7, null]);
  assert.deepEqual([wait(response(503, "3600"), 0), wait(response(200), 0), wait(response(404), 0)], [null, null, null]);
});

test("a hostile dump is read item by item", async () => {
  const { wedata } = await module("settings");
  const data = { url: "^a", nextLink: "//a", pageElement: "//p" };
  const names = ['{"toString":1,"valueOf":1}', "[[[]]]", "null", '"a"', "7"];
  const items = names.map((name) => `{"name":${name},"__proto__":{"polluted":1},"data":{"__proto__":{"polluted":1},"constructor":1,${JSON.stringify(data).slice(1)}}`);
  assert.deepEqual(wedata(`[${items}]`), ["", "", "", "a", "7"].map((name) => ({ name, data })));
  assert.equal({}.polluted, undefined);
});

test("a page that never ends is given up, and so is what is no page", async () => {
  const { answer } = await module("fetching");
  let [sent, cancelled] = [0, false];
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array((sent += 1 << 20) && 1 << 20)),
    cancel: () => (cancelled = true),
  });
  const page = (body, headers = {}, status = 200) => answer(new Response(body, { headers, status }), "https://a.test/2");
  assert.match((await page(endless, { "content-type": "text/html" })).message, /larger than 8 MB/);
  assert.ok(cancelled && sent < 12 << 20, `${sent} bytes were read`);
  assert.match((await page("x", { "content-type": "application/javascript" })).message, /no page/);
  assert.match((await page("x", {}, 500)).message, /status 500/);
  assert.deepEqual((await page("x", { "content-type": "text/html" })).bytes, "eA==");
});

test("pages of a sequence have a bound together", async () => {
  const { Fetcher } = await module("fetching");
  const real = globalThis.fetch;
  globalThis.fetch = async () => new Response(new Uint8Array(7 << 20), { headers: { "content-type": "text/html" } });
  try {
    const fetcher = new Fetcher(0, false);
    const found = [];
    for (let at = 0; at < 6; at += 1) found.push("bytes" in (await fetcher.get(`https://a.test/${at}`)));
    assert.deepEqual(found, [true, true, true, true, false, false]);
  } finally {
    globalThis.fetch = real;
  }
});

/** An element or a text, as far as trees need one. */
class Fake {
  children = [];
  set = {};
  style = { setProperty() {} };
  constructor(tag) { this.tag = tag; }
  appendChild(child) { this.children.push(child); return child; }
  setAttribute(name, value) { this.set[name] = value; }
}

test("of a tree only harmless elements and attributes are made", async () => {
  const { grow } = await module("grow");
  globalThis.HTMLImageElement = class {};
  globalThis.document = { createElement: (tag) => new Fake(tag), createElementNS: (_, tag) => new Fake(tag), createTextNode: (text) => text };
  try {
    const root = new Fake("root");
    const hostile = JSON.parse('{"onclick":"x()","style":"position:fixed","href":" javascript:x()","srcdoc":"x","__proto__":"x","constructor":"x","title":"<b>"}');
    const refused = ["script", "iframe", "form", "base", "meta", "svg", "object"].map((tag) => [tag, {}, [["b", {}, ["inside"]]]]);
    await grow(root, [...refused, ["a", hostile, ["<script>"]], ["a", { href: "https://b.test/" }, []], ["math", {}, [["mtext", { href: "x", onclick: "x" }, []]]]], 2);
    const [link, web, math] = root.children;
    assert.deepEqual(root.children.map(({ tag }) => tag), ["a", "a", "math"]);
    assert.deepEqual([link.set, link.children, web.set], [{ title: "<b>" }, ["<script>"], { href: "https://b.test/" }]);
    assert.deepEqual(math.children.map(({ tag, set }) => [tag, set]), [["mtext", {}]]);
    // As deep as it likes.
    let deep = "end";
    for (let at = 0; at < 100_000; at += 1) deep = ["b", {}, [deep]];
    await grow(new Fake("root"), [deep], 2);
  } finally {
    delete globalThis.document;
    delete globalThis.HTMLImageElement;
  }
});

test("texts of a page's markup are kept if the engine keeps their words", async () => {
  const { kept } = await module("words");
  const long = (at) => `Asentenceofitsownwithnumber${at}thatislong.`;
  const of = (texts, words) => kept(texts, words).kept.map(Number).join("");
  // A repeated title, a label of an advertisement, a short word that is kept, the same short word that is not.
  assert.equal(of(["Title", long(1), "Advertisement", long(2), "see", "here", long(3), "Share"], long(1) + long(2) + "here" + long(3)), "01010110");
  assert.equal(of(["Vote", long(1), "Vote", long(2)], `${long(1)}Vote${long(2)}`), "0111");
  // What the engine writes otherwise stands for what is at its place.
  assert.equal(of([long(1), "E", "=mc", "2", long(2)], `${long(1)}E=mc^{2}${long(2)}`), "11111");
  // A long text that occurs twice tells nothing by itself.
  assert.equal(of([long(1), long(1), long(2)], `${long(1)}${long(2)}`), "101");
  // A text that is left out may be a part of one that is kept.
  assert.equal(of([`before${long(1)}after`, long(1), long(2)], `before${long(1)}after${long(2)}`), "101");
  assert.ok(kept([long(1)], long(2) + long(3)).share < 0.1);
  assert.equal(kept([long(1), "x"], long(1)).share, 1);
  assert.deepEqual([kept([long(1), long(2)], `${long(1)}formula${long(2)}`).lost > 0, kept([long(1), "$f$", long(2)], `${long(1)}formula${long(2)}`).lost], [true, 0]);
  assert.equal(kept(["a"], ""), null);
  // As many as there may be.
  const many = Array.from({ length: 50_000 }, (_, at) => (at % 2 ? "of" : long(at)));
  assert.ok(kept(many, many.join("")).kept.every(Boolean));
  const short = Array.from({ length: 20_000 }, () => "of");
  assert.ok(kept(short, short.slice(5).join("")).share === 1);
});

test("a file of settings is read field by field", async () => {
  const { restored, DEFAULTS } = await module("settings");
  const hostile = {
    tsugi: 1,
    settings: { pages: "yes", maxPages: 1e9, delay: -1, minScore: NaN, always: ["a.test", "a.test", "*", "b.test/x", 7, "<img>"], never: "x", separator: "evil", colour: "red;}", keys: { next: "KeyN x", all: "Alt+KeyQ" }, __proto__: { polluted: 1 } },
    own: [{ name: { toString: 1 }, data: { url: "^a", nextLink: "//a", pageElement: "//p", evil: "x" } }], imported: [], labels: [{ url: "https://a.test/", site: "a.test", trap: "https://a.test/2", evil: 1 }, null, 3],
  };
  const { settings, local } = restored(JSON.stringify(hostile));
  assert.deepEqual(settings, { ...DEFAULTS, maxPages: 500, delay: 0, always: ["a.test"], keys: { ...DEFAULTS.keys, all: "Alt+KeyQ" } });
  assert.deepEqual(local.own, [{ name: "", data: { url: "^a", nextLink: "//a", pageElement: "//p" } }]);
  assert.deepEqual(local.labels, [{ url: "https://a.test/", site: "a.test", next: null, trap: "https://a.test/2", next_reason: "reader", labels: ["next"] }]);
  for (const other of ["[]", "null", "{}", "1", '{"tsugi":2}']) assert.throws(() => restored(other));
});

test("sites are hosts, however they are typed", async () => {
  const { hostOf } = await module("settings");
  assert.deepEqual(["example.com", " https://Example.com/a?b ", "example.com:8080/x", "münchen.test", "javascript:alert(1)", "a b", "", "ftp://a.test/"].map(hostOf), ["example.com", "example.com", "example.com", "xn--mnchen-3ya.test", null, null, null, null]);
});

test("keys are those with Control, Alt or the like", async () => {
  const { pressed, isKey, shown } = await module("keys");
  const key = (code, held = {}) => pressed({ code, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...held });
  assert.deepEqual([key("KeyN", { altKey: true, shiftKey: true }), key("KeyN"), key("KeyN", { shiftKey: true }), key("F8"), key("AltLeft", { altKey: true }), key("Enter", { ctrlKey: true })], ["Alt+Shift+KeyN", "", "", "F8", "", ""]);
  assert.deepEqual([isKey("Alt+Shift+KeyN"), isKey(""), isKey("x"), isKey("Alt+<b>"), isKey(3), shown("Ctrl+Alt+Digit1")], [true, true, false, false, false, "Ctrl + Alt + 1"]);
});

test("all languages have all words", async () => {
  const { readFileSync } = await import("node:fs");
  const words = (language) => JSON.parse(readFileSync(new URL(`../static/_locales/${language}/messages.json`, import.meta.url), "utf8"));
  const names = Object.keys(words("en"));
  for (const language of ["ja", "de"]) {
    assert.deepEqual(Object.keys(words(language)), names);
    for (const [name, { message }] of Object.entries(words(language))) assert.ok(message.length > 0, `${language}: ${name}`);
  }
});
