// Many readers at once: node load.mjs [READERS] [SECONDS]. Each opens the page and a kept document; one request of ten joins
// an article of four pages anew. Prints times in milliseconds, and the most memory that the server had.

import http from "node:http";
import { readFileSync } from "node:fs";
import { TOKEN, articlePage, startServer, startSite } from "./support.mjs";

const [readers, seconds] = [Number(process.argv[2] ?? 200), Number(process.argv[3] ?? 60)];
const pages = Object.fromEntries([1, 2, 3, 4].map((number) => [`/${number}`, articlePage(number, 4)]));
const [site, server] = await Promise.all([startSite(pages), startServer()]);
const agent = new http.Agent({ keepAlive: true, maxSockets: readers });

function ask(path, body) {
  const begin = performance.now();
  return new Promise((done) => {
    const headers = { "X-Tsugi-Token": TOKEN, ...(body ? { "Content-Type": "application/json" } : {}) };
    const request = http.request(server.origin + path, { agent, method: body ? "POST" : "GET", headers }, (answer) => {
      let text = "";
      answer.on("data", (data) => { text += data; });
      answer.on("end", () => done({ status: answer.statusCode, text, time: performance.now() - begin }));
      answer.on("error", () => done({ status: 0, text: "", time: performance.now() - begin }));
    });
    request.on("error", () => done({ status: 0, text: "", time: performance.now() - begin }));
    request.end(body ? JSON.stringify(body) : undefined);
  });
}

const first = await ask("/api/read", { url: site.url("/1") });
const id = /"id":"([0-9a-f]{16})"/.exec(first.text)[1];
const times = { kept: [], joined: [] };
let wrong = 0;
const end = performance.now() + 1000 * seconds;
async function reader(number) {
  for (let round = number; performance.now() < end; round += 1) {
    const joins = round % 10 === 0;
    const answer = joins ? await ask("/api/read", { url: site.url("/1") }) : await ask(round % 2 ? `/api/history/${id}` : "/");
    times[joins ? "joined" : "kept"].push(answer.time);
    if (answer.status !== 200 || (joins && !answer.text.includes("event: document"))) wrong += 1;
  }
}
await Promise.all(Array.from({ length: readers }, (_, number) => reader(number)));
const memory = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1];
for (const [kind, all] of Object.entries(times)) {
  all.sort((a, b) => a - b);
  const at = (share) => all[Math.min(all.length - 1, Math.floor(share * all.length))]?.toFixed(0);
  console.log(`${kind}: ${all.length} requests; median ${at(0.5)} ms, 95 % ${at(0.95)} ms, 99 % ${at(0.99)} ms, slowest ${at(1)} ms`);
}
console.log(`${readers} readers, ${seconds} s, ${wrong} failed; at most ${(memory / 1024).toFixed(0)} MiB`);
agent.destroy();
server.stop();
site.stop();
