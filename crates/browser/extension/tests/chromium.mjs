// Starts Debian's Chromium with the extension.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = fileURLToPath(new URL("../../../../", import.meta.url));
export const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const FLAGS = [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--ignore-certificate-errors",
];

/**
 * Starts a browser. `allowed`: as after the reader allowed all sites, which only a click in a prompt can do. Returns the context, the
 * background's worker, and a function that ends everything.
 */
export async function start({ rules, allowed = true, settings = {}, options = {} }) {
  const folder = mkdtempSync(join(tmpdir(), "tsugi-chromium-"));
  const extension = join(folder, "extension");
  cpSync(join(target, "extension/chromium"), extension, { recursive: true });
  if (allowed) {
    const file = join(extension, "manifest.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), host_permissions: ["*://*/*"] }));
  }
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: false,
    args: [...FLAGS, `--host-resolver-rules=${rules}`, `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
    ignoreHTTPSErrors: true,
    viewport: { width: 1000, height: 700 },
    ...options,
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  await worker.evaluate((chosen) => chrome.storage.sync.set({ delay: 0, ...chosen }), settings);
  // Scripts on allowed sites are registered when the extension is installed.
  for (let tries = 0; allowed && tries < 100; tries += 1) {
    if ((await worker.evaluate(() => chrome.scripting.getRegisteredContentScripts())).length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const close = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { context, worker, id: new URL(worker.url()).host, close };
}

/** Scrolls to the end until `count` pages are there, or nothing more comes for a while. */
export async function readTo(page, count, patience = 5000) {
  const until = Date.now() + patience;
  let seen = 0;
  while (Date.now() < until) {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    seen = await parts(page);
    if (seen >= count) break;
    await page.waitForTimeout(60);
  }
  return seen;
}

/** The number of pages: the first one and those appended. */
export function parts(page) {
  return page.evaluate(() => 1 + new Set([...document.querySelectorAll("[data-tsugi-page]")].map((part) => part.dataset.tsugiPage)).size);
}

/** What our bars say. */
export function bars(page) {
  return page.evaluate(() => [...document.querySelectorAll("tsugi-separator")].map((bar) => bar.shadowRoot.querySelector("span").textContent));
}

/** Waits until what `question` finds in the page passes `test`. */
export async function until(question, test = Boolean, patience = 8000) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await question();
    if (test(found) || Date.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
