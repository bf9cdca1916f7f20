// A site of strangers, the server under test, and a browser that writes down whatever is asked of anybody.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

export const TOKEN = "0123456789abcdef";
const tsugi = process.env.TSUGI ?? "target/debug/tsugi";
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==", "base64");
const topics = ["mill", "river", "wheel", "miller", "flood"];

/** A page of an article; `style` is one of several layouts. */
export function articlePage(number, count, { title = "The tide mill", style = 0, hostile = "" } = {}) {
  const topic = topics[(number - 1) % topics.length];
  const paragraph = (at) => `<p>Paragraph ${at} of part ${number} tells what the ${topic} of “${title}” meant to the people of the valley, who had lived beside it for three hundred years and seen it change with every winter.</p>`;
  const text = `<h1>${title}</h1><h2>The ${topic}</h2>${[1, 2, 3, 4].map(paragraph).join("")}<p><img src="/image-${number}.png" alt="A ${topic}"></p>${hostile}`;
  const next = number < count ? `<a rel="next" href="${number + 1}">Next page</a>` : "";
  const previous = number > 1 ? `<a rel="prev" href="${number - 1}">Previous page</a>` : "";
  const pager = `<div class="pager">${previous} Page ${number} of ${count} ${next}</div>`;
  const bodies = [
    `<nav><a href="/home">Home</a> <a href="/about">About</a></nav><main>${text}</main>${pager}<footer>Contact us</footer>`,
    `<div id="head"><a href="/">Logo</a></div><div id="page"><div class="post">${text}</div><div class="share">Share this</div>${pager}</div><div id="side"><a href="/x">Others</a></div>`,
  ];
  return `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>${title} – page ${number}</title><body>${bodies[style % 2]}`;
}

/** Starts a site: `pages` maps paths to HTML; images are pictures; everything else is missing. */
export async function startSite(pages) {
  const server = createServer((request, answer) => {
    const html = pages[request.url];
    // A page that is null keeps everybody waiting, and fails then.
    if (html === null) { setTimeout(() => answer.writeHead(500).end("no"), 4_000); return; }
    if (html !== undefined) answer.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(html);
    else if (request.url.endsWith(".png")) answer.writeHead(200, { "Content-Type": "image/png" }).end(PNG);
    else answer.writeHead(404).end("no");
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: (path) => `http://127.0.0.1:${server.address().port}${path}`, stop: () => { server.close(); server.closeAllConnections(); } };
}

/** Starts the server under test, with a folder of its own. Pages that a browser draws have a suite of their own. */
export async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), "tsugi-serve-"));
  writeFileSync(join(folder, "token"), TOKEN);
  const child = spawn(tsugi, ["serve", "--quiet", "--listen", "127.0.0.1:0", "--data", join(folder, "data"), "--token-file", join(folder, "token"), "--browser", "never", "--allow-private", "127.0.0.1", "--delay", "0", "--retries", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((said, failed) => { child.stdout.once("data", (data) => said(String(data))); child.once("exit", () => failed(new Error("the server ended"))); });
  const start = line.trim();
  return { start, pid: child.pid, origin: new URL(start).origin, data: join(folder, "data"), stop: () => { child.kill("SIGINT"); rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }); } };
}

/** Runs the command; returns what it writes to both. */
export async function run(...options) {
  const child = spawn(tsugi, options, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const pipe of [child.stdout, child.stderr]) pipe.on("data", (data) => { said += data; });
  const code = await new Promise((ended) => child.on("close", ended));
  assert.equal(code, 0, said);
  return said;
}

/** Starts a browser. `check()` fails if anything of a stranger ran, or anybody but the server was asked. */
export async function startBrowser(origin, options = {}) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  const wrong = [];
  context.on("request", (request) => { if (!/^(blob|data|about):/.test(request.url()) && !request.url().startsWith(`${origin}/`)) wrong.push(`asked ${request.url()}`); });
  context.on("dialog", (dialog) => { wrong.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  context.on("page", (page) => page.on("pageerror", (error) => wrong.push(`error: ${error.message}`)));
  const page = await context.newPage();
  return { page, context, stop: () => browser.close(), check: () => assert.deepEqual(wrong, []) };
}

/** Fails if axe-core finds anything serious. */
export async function axe(page, what) {
  // The policy of the page lets no script in, so the checker comes by the debugger.
  await page.evaluate(axeSource);
  // What has scrolled half below the bar is no smaller target for that.
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], iframes: false }));
  const found = violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((node) => node.target).join(" ")}`);
  assert.deepEqual(found, [], what);
}

/** Shows a page in one of the themes. */
export const setTheme = (page, theme) => page.evaluate((name) => { document.documentElement.dataset.theme = name; }, theme);

/** Fails if the page is wider than the screen. */
export async function fits(page, what) {
  const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide <= screen, `${what}: ${wide} of ${screen} pixels`);
}

/** A WARC archive of pages: [address, HTML]. */
export function warc(pages) {
  const record = ([url, html], at) => {
    const body = Buffer.from(html);
    const block = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n`), body]);
    const id = `<urn:uuid:00000000-0000-4000-8000-${String(at).padStart(12, "0")}>`;
    const head = `WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: ${id}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: ${url}\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: ${block.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), block, Buffer.from("\r\n\r\n")]);
  };
  return Buffer.concat(pages.map(record));
}
