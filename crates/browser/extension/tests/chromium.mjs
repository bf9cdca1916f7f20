// Starts Debian's Chromium with the extension.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { target } from "./driving.mjs";

const FLAGS = [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--ignore-certificate-errors",
];

export const name = "chromium";

/**
 * Starts a browser. `allowed`: as after the reader allowed all sites, which only a click in a prompt can do. Returns functions that open a
 * page and a page of the extension, a place to run code in the extension, and a function that ends everything.
 */
export async function start({ server, allowed = true, settings = {}, viewport = { width: 1000, height: 700 }, options = {} }) {
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
    args: [...FLAGS, `--host-resolver-rules=${server.rules}`, `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
    ignoreHTTPSErrors: true,
    viewport,
    ...options,
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  await worker.evaluate((chosen) => chrome.storage.sync.set({ delay: 0, ...chosen }), settings);
  // Scripts on allowed sites are registered when the extension is installed.
  for (let tries = 0; allowed && tries < 100; tries += 1) {
    if ((await worker.evaluate(() => chrome.scripting.getRegisteredContentScripts())).length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const newPage = () => context.newPage();
  const own = async (file) => {
    const page = await newPage();
    await page.goto(`chrome-extension://${new URL(worker.url()).host}/${file}`);
    return page;
  };
  const close = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { newPage, own, worker, context, close };
}
