// Starts Firefox ESR with the extension, over WebDriver BiDi. It is used as chromium.mjs is.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { target } from "./driving.mjs";

/** The identity that the extension has here, so that its own pages have known addresses. */
const UUID = "6f9e2c1a-1111-4222-8333-944455566677";

export const name = "firefox";

export async function start({ server, allowed = true, settings = {}, viewport = { width: 1000, height: 700 }, prefs = {} }) {
  const folder = mkdtempSync(join(tmpdir(), "tsugi-firefox-"));
  const extension = join(folder, "extension");
  cpSync(join(target, "extension/firefox"), extension, { recursive: true });
  if (allowed) {
    const file = join(extension, "manifest.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), host_permissions: ["*://*/*"] }));
  }
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
    acceptInsecureCerts: true,
    // Without it, the extension's own pages cannot be opened.
    args: ["--remote-allow-system-access"],
    extraPrefsFirefox: {
      "dom.security.https_first": false,
      "extensions.originControls.grantByDefault": true,
      "extensions.webextensions.uuids": JSON.stringify({ "tsugi@example.org": UUID }),
      // All hosts are served here.
      "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": server.port, "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": server.port,
      ...prefs,
    },
  });
  await browser.installExtension(extension);
  const newPage = async () => {
    const page = await browser.newPage();
    await page.setViewport(viewport);
    return page;
  };
  const own = async (file) => {
    const page = await newPage();
    // The address of an extension's page is never reported as loaded.
    void page.goto(`moz-extension://${UUID}/${file}`, { timeout: 500 }).catch(() => undefined);
    for (let tries = 0; tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const isThere = await page.evaluate(() => typeof chrome !== "undefined" && document.readyState === "complete").catch(() => false);
      if (isThere) return page;
    }
    throw new Error(`${file} does not open`);
  };
  const worker = await own("options.html");
  await worker.evaluate((chosen) => chrome.storage.sync.set({ delay: 0, ...chosen }), settings);
  for (let tries = 0; allowed && tries < 100; tries += 1) {
    if ((await worker.evaluate(() => chrome.scripting.getRegisteredContentScripts())).length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const close = async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { newPage, own, worker, close };
}
