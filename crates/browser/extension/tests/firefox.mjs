// A smoke test in Firefox ESR over WebDriver BiDi: node firefox.mjs. It ends by itself.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { article } from "./fixtures.mjs";
import { serve } from "./server.mjs";

const target = process.env.CARGO_TARGET_DIR ?? new URL("../../../../target", import.meta.url).pathname;
const STRICT = { "content-security-policy": "default-src 'none'; script-src 'none'; connect-src 'none'; require-trusted-types-for 'script'" };
const server = await serve((url) => {
  const number = Number(url.pathname.split("/").pop());
  if (!number) return undefined;
  return { headers: url.pathname.startsWith("/strict") ? STRICT : {}, body: article(number, 3) };
});
const folder = mkdtempSync(join(tmpdir(), "tsugi-firefox-"));
const extension = join(folder, "extension");
cpSync(join(target, "extension/firefox"), extension, { recursive: true });
const manifest = join(extension, "manifest.json");
writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, "utf8")), host_permissions: ["*://*/*"] }));
// Settings cannot be reached from outside, so that the test waits as a reader does.
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
  headless: true,
  extraPrefsFirefox: { "extensions.manifestV3.enabled": true, "extensions.originControls.grantByDefault": true },
});
try {
  await browser.installExtension(extension);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  for (const start of ["/story/1", "/strict/1"]) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1000, height: 700 });
    await page.goto(`http://127.0.0.1:${server.port}${start}`);
    let seen = 1;
    for (const until = Date.now() + 30_000; Date.now() < until && seen < 3;) {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await new Promise((resolve) => setTimeout(resolve, 100));
      seen = await page.evaluate(() => 1 + new Set([...document.querySelectorAll("[data-tsugi-page]")].map((part) => part.dataset.tsugiPage)).size);
    }
    console.log(`${start}: ${seen} pages`);
    assert.equal(seen, 3, start);
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
