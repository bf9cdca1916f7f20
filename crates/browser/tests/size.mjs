// Prints the size of the engine: node size.mjs FILE.wasm MODEL…
import { readFileSync, statSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

const [file, ...models] = process.argv.slice(2);
const bytes = readFileSync(file);
const kilobytes = (count) => `${Math.round(count / 1000)} KB`;
const ofModels = models.reduce((sum, model) => sum + statSync(model).size, 0);
console.log(
  `engine: ${kilobytes(bytes.length)}, ${kilobytes(ofModels)} of it models; ` +
    `gzip ${kilobytes(gzipSync(bytes, { level: 9 }).length)}, brotli ${kilobytes(brotliCompressSync(bytes).length)}`,
);
