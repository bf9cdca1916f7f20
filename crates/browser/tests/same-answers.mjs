// Compares the answers of the package with those of the native library: node same-answers.mjs NATIVE.jsonl PAGES.warc.gz…
//
// Prints how long it takes to read the models, and to scan a page of 100 KB.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pages } from "./warc.mjs";

const [native, ...archives] = process.argv.slice(2);
const tsugi = createRequire(import.meta.url)(join(dirname(native), "tsugi"));
const expected = readFileSync(native, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const key = (url) => (URL.canParse(url) ? new URL(url).href.split("#")[0] : url);

/** Scores to five places: logarithms of other processors differ in the last bit. Everything else is compared as it is. */
function rounded(value) {
  return JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === "number" ? Math.round(inner * 1e5) / 1e5 : inner)));
}

const start = performance.now();
const engine = new tsugi.Engine();
engine.warm();
console.log(`models read in ${(performance.now() - start).toFixed(1)} ms`);

let compared = 0;
const verdicts = { native: 0, here: 0 };
const usual = [];
for (const archive of archives) {
  const stored = new Map(pages(archive).map((page) => [key(page.url), page]));
  // The native library lists the pages of the archives in their order, without those that are no page.
  for (; compared < expected.length; compared += 1) {
    const [scan, verdict] = expected[compared];
    const page = stored.get(key(scan.url));
    if (!page) break;
    const found = engine.scan(page.body, page.url, page.contentType);
    if (page.body.length > 80_000 && page.body.length < 120_000) usual.push(page);
    assert.deepEqual(rounded(found), rounded(scan));
    if (verdict) {
      verdicts.native += 1;
      const next = stored.get(key(verdict.pop()));
      if (!next) continue;
      const here = engine.verify(page.body, page.url, page.contentType, next.body, next.url, next.contentType);
      assert.deepEqual(rounded([here.score, here.holds]), rounded(verdict), scan.url);
      verdicts.here += 1;
    }
  }
}
assert.equal(compared, expected.length, `no page for ${expected[compared]?.[0].url}`);
assert.equal(verdicts.here, verdicts.native);
assert.ok(compared > 0);
console.log(`the same answers on ${compared} pages, and the same verdicts on ${verdicts.here} pairs`);
/** The shortest time of a few, in milliseconds: other programs only make it longer. */
function shortest(run) {
  const times = Array.from({ length: 5 }, () => {
    const begin = performance.now();
    run();
    return performance.now() - begin;
  });
  return Math.min(...times);
}
const rates = usual.map(({ body, url, contentType }) => (shortest(() => engine.scan(body, url, contentType)) / body.length) * 100_000);
rates.sort((a, b) => a - b);
console.log(`a page of 100 KB takes ${rates[rates.length >> 1].toFixed(1)} ms (median of ${rates.length} pages, warm)`);
