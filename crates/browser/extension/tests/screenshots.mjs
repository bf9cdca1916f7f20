// Makes the pictures for the stores, and for looking at: node screenshots.mjs FOLDER
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { start } from "./chromium.mjs";
import { readTo, sleep, text, until } from "./driving.mjs";
import { article, blog, manual, thread } from "./fixtures.mjs";
import { serve } from "./server.mjs";

const [folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const number = (url) => Number(/(\d+)/.exec(url.pathname)?.[1] ?? 1);
const SITES = {
  "magazine.test": (url) => article(number(url), 5),
  "forum.test": (url) => thread(Number(url.searchParams.get("page")) || 1, 3),
  "blog.test": (url) => blog(number(url), 3),
  "manual.test": (url) => manual(number(url), 5),
};
const STARTS = { article: ["https://magazine.test/1", 5], thread: ["https://forum.test/forum/thread?page=1", 3], blog: ["https://blog.test/blog/", 3], manual: ["https://manual.test/manual/1.html", 5] };
const server = await serve((url) => {
  const site = SITES[url.hostname];
  return site && !/\.(txt|ico)$/.test(url.pathname) ? { body: site(url) } : undefined;
});
for (const colorScheme of ["light", "dark"]) {
  const browser = await start({ server, settings: { chapters: true }, viewport: { width: 1280, height: 800 }, options: { colorScheme } });
  for (const [name, [url, pages]] of Object.entries(STARTS)) {
    const page = await browser.newPage();
    await page.goto(url);
    const seen = await readTo(page, pages);
    if (seen !== pages) throw new Error(`${name}: ${seen} pages instead of ${pages}`);
    await page.evaluate(() => {
      document.querySelector('[data-tsugi-page="2"]').scrollIntoView();
      scrollBy(0, -350);
    });
    await sleep(300);
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    await page.evaluate(() => scrollTo(0, 1e6));
    await sleep(200);
    await page.screenshot({ path: join(folder, `${name}-end-${colorScheme}.png`) });
    if (name === "article") {
      const tab = await browser.worker.evaluate(async () => (await chrome.tabs.query({ url: "https://magazine.test/*" }))[0].id);
      for (const [file, id, widths] of [["options.html", "keys", [390, 768, 1280]], [`reader.html?tab=${tab}`, "state", [390, 768, 1280]], [`popup.html?tab=${tab}`, "state", [320]]]) {
        for (const width of widths) {
          const own = await browser.own(file);
          await own.setViewportSize({ width, height: width === 320 ? 420 : 800 });
          await until(() => text(own, `#${id}`), (said) => said && (id !== "state" || width === 320 || /whole/.test(said)));
          await own.screenshot({ path: join(folder, `${file.split(".")[0]}-${width}-${colorScheme}.png`) });
          await own.close();
        }
      }
    }
    await page.close();
  }
  await browser.close();
}
server.close();
