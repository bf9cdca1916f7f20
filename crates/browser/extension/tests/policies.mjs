// The share of stored pages whose policy forbids WebAssembly: node policies.mjs PAGES.warc.gz…
import { pages } from "../../tests/warc.mjs";

const META = /<meta[^>]+http-equiv\s*=\s*["']?content-security-policy["']?[^>]*>/gi;

/** Returns whether a policy lets a page's scripts compile WebAssembly. */
export function allowsWasm(policy) {
  const directives = new Map(policy.split(";").map((part) => part.trim().split(/\s+/)).map(([name, ...sources]) => [name.toLowerCase(), sources]));
  const sources = directives.get("script-src") ?? directives.get("default-src");
  return sources === undefined || sources.some((source) => /^'(unsafe-eval|wasm-unsafe-eval)'$/i.test(source));
}

for (const archive of process.argv.slice(2)) {
  const counts = { pages: 0, "with policy": 0, "forbid WebAssembly": 0, "with header": 0 };
  for (const { headers, body } of pages(archive)) {
    const metas = [...body.toString("latin1").matchAll(META)].map(([tag]) => /content\s*=\s*"([^"]*)"|content\s*=\s*'([^']*)'/i.exec(tag)).filter(Boolean).map((found) => found[1] ?? found[2]);
    const header = headers.get("content-security-policy");
    const policies = [...(header === undefined ? [] : [header]), ...metas];
    counts.pages += 1;
    counts["with header"] += header === undefined ? 0 : 1;
    counts["with policy"] += policies.length > 0 ? 1 : 0;
    counts["forbid WebAssembly"] += policies.every(allowsWasm) ? 0 : 1;
  }
  console.log(archive, JSON.stringify(counts));
}
