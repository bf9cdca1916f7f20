// Reads the pages of a WARC archive whose records are stored as served, without transfer or content codings.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const END = "\r\n\r\n";

/** Returns the pages of an archive in order: `{ url, status, contentType, headers, body }`, the first record of each address. */
export function pages(path) {
  const bytes = gunzipSync(readFileSync(path));
  const found = new Map();
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(END, at);
    if (end < 0) break;
    const head = fields(bytes.subarray(at, end).toString("latin1"));
    const start = end + END.length;
    const length = Number(head.get("content-length"));
    const block = bytes.subarray(start, start + length);
    at = start + length + END.length;
    if (head.get("warc-type") !== "response") continue;
    const middle = block.indexOf(END);
    const http = block.subarray(0, middle).toString("latin1");
    const headers = fields(http);
    const status = Number(http.split(" ")[1]);
    const url = head.get("warc-target-uri");
    const body = block.subarray(middle + END.length);
    if (!found.has(url)) found.set(url, { url, status, contentType: headers.get("content-type"), headers, body });
  }
  return [...found.values()];
}

function fields(head) {
  const lines = head.split("\r\n").slice(1);
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]));
}
