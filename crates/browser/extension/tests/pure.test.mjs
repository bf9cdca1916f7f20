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

test("all languages have all words", async () => {
  const { readFileSync } = await import("node:fs");
  const words = (language) => JSON.parse(readFileSync(new URL(`../static/_locales/${language}/messages.json`, import.meta.url), "utf8"));
  const names = Object.keys(words("en"));
  for (const language of ["ja", "de"]) {
    assert.deepEqual(Object.keys(words(language)), names);
    for (const [name, { message }] of Object.entries(words(language))) assert.ok(message.length > 0, `${language}: ${name}`);
  }
});
