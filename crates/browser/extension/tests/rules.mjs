// Links found by rules, as the clients of AutoPagerize apply them, beside the models: node rules.mjs DATA RULES.json SET…
//
// Rules are applied by the engine of this package: the first item whose address, link and content all hit. Where none does, a
// client of AutoPagerize does nothing. Generic items, which match every address, are left out, as the command leaves them out.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pages } from "../../tests/warc.mjs";

const [data, rules, ...sets] = process.argv.slice(2);
const target = process.env.CARGO_TARGET_DIR ?? new URL("../../../../target", import.meta.url).pathname;
const tsugi = createRequire(import.meta.url)(join(target, "npm/tsugi"));
const key = (url) => url.split("#")[0];
const begin = performance.now();
const engines = { "AutoPagerize's rules": new tsugi.Engine(readFileSync(rules)), models: new tsugi.Engine() };
console.log(`rules read in ${Math.round(performance.now() - begin)} ms`);
for (const set of sets) {
  const stored = new Map(pages(join(data, set, "pages.warc.gz")).map((page) => [key(page.url), page]));
  const rows = readFileSync(join(data, set, "labels.jsonl"), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  for (const [name, engine] of Object.entries(engines)) {
    const sums = { pages: 0, "with next": 0, right: 0, "another": 0, "false alarm": 0, missed: 0 };
    for (const row of rows.filter((row) => row.labels?.includes("next") ?? true)) {
      const page = stored.get(key(row.url));
      if (!page) continue;
      const { next } = engine.scan(page.body, page.url, page.contentType);
      const found = next && (name === "models" || next.by === "rule") ? key(next.url) : null;
      const right = [row.next, ...(row.next_any ?? [])].filter(Boolean).map(key);
      sums.pages += 1;
      if (row.next) sums["with next"] += 1;
      if (row.next && found === null) sums.missed += 1;
      else if (row.next) sums[right.includes(found) ? "right" : "another"] += 1;
      else if (found !== null) sums["false alarm"] += 1;
    }
    console.log(set, name, JSON.stringify(sums));
  }
}
