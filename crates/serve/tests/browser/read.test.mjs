// Reading in a browser.

import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { articlePage, axe, fits, startBrowser, startServer, startSite, warc } from "./support.mjs";

let site, server, browser;

before(async () => {
  const pages = Object.fromEntries([1, 2, 3, 5].map((number) => [`/${number}`, articlePage(number, 5)]));
  [site, server] = await Promise.all([startSite(pages), startServer()]);
  browser = await startBrowser(server.origin);
});
after(async () => { await browser?.stop(); server?.stop(); site?.stop(); });

test("an article whose fourth page fails is read as far as it goes", async () => {
  const { page } = browser;
  await page.goto(server.start);
  assert.ok(!page.url().includes("token"), "the token leaves the address bar");
  await page.getByLabel("Address of the first page").fill(site.url("/1"));
  await page.keyboard.press("Enter");
  await page.getByText("NOT COMPLETE: stopped because").waitFor();
  assert.equal(await page.locator(".part").count(), 3);
  assert.match(await page.locator("#status").textContent(), /^Joined 3 pages of .*404/);
  await page.locator("#part-1 img").scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector("#part-1 img").naturalWidth === 1);
  assert.match(await page.locator("#part-1 img").getAttribute("src"), /^blob:/);
  assert.ok(await page.locator("#outline li").count() >= 3);
  browser.check();
});

test("the document is downloaded in every format", async () => {
  const { page } = browser;
  for (const [name, ending] of [["Markdown", "md"], ["EPUB", "epub"], ["HTML", "html"], ["JSON", "json"], ["Text", "txt"]]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
    assert.ok(download.suggestedFilename().endsWith(`.${ending}`), name);
  }
});

test("what was read is found again, and forgotten", async () => {
  const { page } = browser;
  await page.getByLabel("Search in titles and texts").fill("WHEEL valley");
  const entry = page.locator("#history a", { hasText: "The tide mill" });
  await entry.waitFor();
  await page.getByLabel("Search in titles and texts").fill("spaceship");
  await page.getByText("Nothing.").waitFor();
  await page.getByLabel("Search in titles and texts").fill("");
  await page.reload();
  await page.locator("#history a").first().click();
  await page.locator(".part").nth(2).waitFor();
  await page.getByRole("button", { name: "Forget The tide mill" }).click();
  await page.getByText("Nothing.").waitFor();
  browser.check();
});

test("everything works by keyboard, in both themes and at 320 pixels", async () => {
  const { page } = browser;
  await page.goto(server.start);
  await page.keyboard.press("/");
  await page.keyboard.type(site.url("/1"));
  await page.keyboard.press("Enter");
  await page.locator("#status", { hasText: "NOT COMPLETE" }).waitFor();
  await page.locator("#article").focus();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.waitForFunction(() => Math.abs(document.getElementById("part-2").getBoundingClientRect().top) < 120 || scrollY > 200);
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const theme of ["light", "dark"]) {
      if (await page.evaluate(() => document.documentElement.dataset.theme) !== theme) await page.keyboard.press("d");
      await fits(page, `${width} ${theme}`);
      await axe(page, `${width} ${theme}`);
    }
  }
  await page.keyboard.press("+");
  assert.equal(await page.evaluate(() => document.documentElement.style.getPropertyValue("--size")), "1.25rem");
  browser.check();
});

test("an archive is read without the web", async () => {
  const { page } = browser;
  await page.goto(server.start);
  const archive = warc([1, 2, 3].map((number) => [`https://stored.test/${number}`, articlePage(number, 3)]));
  await page.locator("#file").setInputFiles({ name: "stored.warc", mimeType: "application/warc", buffer: archive });
  await page.getByRole("button", { name: "https://stored.test/1" }).click();
  await page.getByText(/^Joined 3 pages of/).waitFor();
  browser.check();
});

test("a dropped file is read at its canonical address", async () => {
  const { page } = browser;
  await page.goto(server.start);
  const html = articlePage(1, 5).replace("<title>", `<link rel="canonical" href="${site.url("/1")}"><title>`).replace("Paragraph 1", "Dropped paragraph 1");
  await page.locator("#file").setInputFiles({ name: "1.html", mimeType: "text/html", buffer: Buffer.from(html) });
  await page.locator("#status", { hasText: "NOT COMPLETE" }).waitFor();
  assert.match(await page.locator("#part-1").textContent(), /Dropped paragraph/);
  browser.check();
});
