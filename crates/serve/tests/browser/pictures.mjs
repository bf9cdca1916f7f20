// Takes pictures of our own pages for the documentation: node pictures.mjs FOLDER [all]. With `all`, in both themes at three
// widths. One of them shows Japanese, which needs a font (fonts-noto-cjk).

import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTheme, startBrowser, startServer, startSite } from "./support.mjs";

const [folder, all] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const article = new URL("../../../../datasets/english-article/", import.meta.url);
const pages = Object.fromEntries(readdirSync(article).map((name) => [`/features/tide-mill/${name}`, readFileSync(new URL(name, article), "utf8")]));
const [site, server] = await Promise.all([startSite(pages), startServer()]);
const browser = await startBrowser(server.origin);
const { page } = browser;
const first = site.url("/features/tide-mill/1.html");

const sizes = all ? [390, 768, 1280] : [1280];
async function picture(name) {
  for (const width of sizes) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of all ? ["light", "dark"] : ["light"]) {
      await setTheme(page, theme);
      await page.waitForTimeout(200);
      await page.screenshot({ path: join(folder, all ? `${name}-${width}-${theme}.png` : `${name}.png`) });
    }
  }
}

await page.goto(server.start);
await page.locator("#url").fill(first);
await page.locator("#go").click();
await page.getByText("4 pages, whole").first().waitFor();
await picture("serve-read");
await page.goto(`${server.origin}/explain`);
await page.locator("#url").fill(first);
await page.getByRole("button", { name: "Explain" }).click();
await page.frameLocator("#frame iframe").locator("[data-tint]").first().waitFor();
await page.frameLocator("#frame iframe").locator("t-p").nth(1).hover();
await picture("serve-explain");
await page.goto(`${server.origin}/annotate`);
await page.getByText("Make a set").click();
await page.locator("#name").fill("example");
await page.locator("#archive").setInputFiles(new URL("../../../../datasets/pages.warc.gz", import.meta.url).pathname);
await page.getByRole("button", { name: "Make it" }).click();
await page.getByText("The set is made.").waitFor();
await page.getByText("Make a set").click();
await page.locator("#person").fill("ann");
await page.getByRole("button", { name: "Begin" }).click();
await page.frameLocator("#frame iframe").locator("[data-mark]").first().waitFor();
await picture("serve-annotate");
await browser.stop();
server.stop();
site.stop();
