// Reading in a browser.

import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { articlePage, axe, fits, setTheme, startBrowser, startServer, startSite, warc } from "./support.mjs";

let site, server, browser;

before(async () => {
  const pages = Object.fromEntries([1, 2, 3, 5].map((number) => [`/${number}`, articlePage(number, 5)]));
  for (const number of [1, 2, 3]) pages[`/whole/${number}`] = articlePage(number, 3, { title: "The lock" }).replace("<h1>The lock</h1>", "<h1>The lock</h1><p>By Ada Fennel · 12 March 2024</p>").replace("<title>", `<meta name="author" content="Ada Fennel"><meta property="article:published_time" content="2024-03-12"><title>`);
  for (const number of [1, 2]) pages[`/slow/${number}`] = articlePage(number, 5, { title: "The slow mill" });
  pages["/slow/3"] = null;
  pages["/rtl"] = `<!DOCTYPE html><html dir="rtl" lang="ar"><meta charset="utf-8"><title>طاحونة المد</title><body><main><h1>طاحونة المد</h1>${"<p>كانت الطاحونة تقف على ضفة النهر منذ ثلاثمئة عام، ويقول أهل الوادي إن صوتها كان يُسمع في الليل.</p>".repeat(4)}</main>`;
  [site, server] = await Promise.all([startSite(pages), startServer()]);
  browser = await startBrowser(server.origin);
});
after(async () => { await browser?.stop(); server?.stop(); site?.stop(); });

const at = (url) => `${server.origin}/read?url=${encodeURIComponent(url)}`;
const ended = () => browser.page.locator(".ended .said");

async function ask(url) {
  const { page } = browser;
  await page.goto(server.origin);
  await page.getByLabel("Address of the first page").fill(url);
  await page.keyboard.press("Enter");
  await page.locator(".article-foot").waitFor();
}

test("an article whose fourth page fails is read as far as it goes", async () => {
  const { page } = browser;
  await page.goto(server.start);
  assert.ok(!page.url().includes("token"), "the token leaves the address bar");
  await page.getByText("Nothing is here yet").waitFor();
  await ask(site.url("/1").replace("http://", ""));
  assert.equal(await page.locator(".part").count(), 3);
  assert.match(await ended().textContent(), /^3 pages; pages 4 to 5 are missing: there is no such page .*404/);
  await page.locator("#part-1 img").scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector("#part-1 img").naturalWidth === 1);
  assert.match(await page.locator("#part-1 img").getAttribute("src"), /^blob:/);
  assert.ok(await page.locator("#outline li").count() >= 3);
  browser.check();
});

test("what is read has an address: reload, Back, bookmarks and new tabs work", async () => {
  const { page, context } = browser;
  assert.equal(page.url(), at(site.url("/1")));
  await page.reload();
  await page.locator(".article-foot").waitFor();
  assert.equal(await page.locator("#article h1").textContent(), "The tide mill");
  await page.goBack();
  await page.locator("#history a").first().waitFor();
  await page.goForward();
  await page.locator(".article-foot").waitFor();
  const tab = await context.newPage();
  await tab.goto(at(site.url("/1")));
  await tab.locator(".article-foot").waitFor();
  assert.equal(await tab.locator(".part").count(), 3);
  await tab.close();
  browser.check();
});

test("what is sent before the scripts are there is read and explained", async () => {
  const { page } = browser;
  for (const [path, there] of [["/", ".article-foot"], ["/explain", "#content p"]]) {
    let release;
    const released = new Promise((go) => { release = go; });
    await page.route("**/static/*.js", (route) => released.then(() => route.continue()).catch(() => { /* it was asked by the page before */ }));
    await page.goto(server.origin + path, { waitUntil: "commit" });
    await page.locator("#url").fill(site.url("/1"));
    await page.keyboard.press("Enter");
    await page.waitForURL(/url=http.*%2F1$/, { waitUntil: "commit" });
    release();
    await page.locator(there).first().waitFor();
    await page.unroute("**/static/*.js");
  }
  browser.check();
});

test("title and byline stand once, above the text", async () => {
  const { page } = browser;
  await ask(site.url("/whole/1"));
  assert.equal(await ended().textContent(), "3 pages, whole");
  const text = await page.locator("#article").innerText();
  assert.equal(text.match(/Ada Fennel/g).length, 1, text.slice(0, 400));
  assert.equal(await page.locator("#article h1").count(), 1);
  assert.match(await page.locator(".byline").textContent(), /^Ada Fennel · .*2024.* · \d+ min$/);
  assert.ok(!/score|because/.test(await page.locator(".article-head .said").innerText()), "numbers are behind the why");
  await page.getByText("Why?").click();
  await page.getByText(/^It ended because/).waitFor();
});

test("the document is saved in every format, named after its title", async () => {
  const { page } = browser;
  for (const [name, ending] of [["Markdown", "md"], ["EPUB", "epub"], ["HTML", "html"], ["JSON", "json"], ["Text", "txt"]]) {
    await page.locator("#save summary").click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save").getByRole("button", { name, exact: true }).click()]);
    assert.equal(download.suggestedFilename(), `The lock.${ending}`);
    if (ending === "epub") assert.ok(readFileSync(await download.path()).includes("image-1.png"), "it has its pictures");
    await page.locator("#save summary").click();
  }
});

test("an article opens where reading stopped, and a new one at its beginning", async () => {
  const { page } = browser;
  await page.setViewportSize({ width: 700, height: 500 });
  // Sites wrap their text; where reading stopped is a paragraph all the same.
  const paragraph = page.locator("#part-2 p").nth(4);
  const place = () => paragraph.evaluate((one) => one.getBoundingClientRect().top);
  await page.locator("#part-2").evaluate((part) => { const box = document.createElement("div"); box.append(...part.querySelectorAll("p")); part.append(box); });
  await paragraph.evaluate((one) => one.scrollIntoView());
  await Promise.all([page.waitForResponse((answer) => answer.url().endsWith("/mark")), page.evaluate(() => scrollBy(0, -50))]);
  await page.goto(server.origin);
  await page.locator("#history a", { hasText: "The lock" }).click();
  await page.getByText("You stopped here.").waitFor();
  const kept = await place();
  assert.ok(kept > 0 && kept < 250, `the paragraph is at ${kept}`);
  await page.setViewportSize({ width: 390, height: 700 });
  await page.waitForTimeout(300);
  const turned = await place();
  assert.ok(turned > 0 && turned < 350, `after the window turned, the paragraph is at ${turned}`);
  await page.setViewportSize({ width: 700, height: 500 });
  await page.getByRole("button", { name: "Go to the beginning" }).click();
  await page.waitForFunction(() => scrollY === 0);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test("what was stopped is not laid upon the site", async () => {
  const { page } = browser;
  await page.goto(server.origin);
  await page.getByLabel("Address of the first page").fill(site.url("/slow/1"));
  await page.keyboard.press("Enter");
  await page.locator("#part-2").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator(".article-foot").waitFor();
  assert.equal(await ended().textContent(), "The first 2 pages; it was stopped before the end");
  await page.goto(server.origin);
  await page.getByRole("button", { name: "Delete The slow mill" }).click();
});

test("what was read is searched, archived and deleted", async () => {
  const { page } = browser;
  await page.goto(server.origin);
  const search = page.getByLabel("Search in titles and texts");
  await search.fill("WHEEL valley tide");
  await page.locator("#history a", { hasText: "The tide mill" }).waitFor();
  await search.fill("spaceship");
  await page.getByText("No article has these words.").waitFor();
  await search.fill("");
  await page.getByRole("button", { name: "Archive The lock" }).click();
  await page.locator("#history a", { hasText: "The lock" }).waitFor({ state: "detached" });
  await page.locator("[data-shelf=archived]").click();
  await page.locator("#history a", { hasText: "The lock" }).waitFor();
  await page.locator("[data-shelf=unread]").click();
  await page.getByRole("button", { name: "Mark as read: The tide mill" }).click();
  await page.getByText("Nothing is left unread.").waitFor();
  await page.locator("[data-shelf=open]").click();
  await page.getByRole("button", { name: "Delete The tide mill" }).click();
  await page.getByText("Nothing is here yet").waitFor();
  browser.check();
});

test("a file is read at its own address, never at that of the article before", async () => {
  const { page } = browser;
  await ask(site.url("/whole/1"));
  const html = articlePage(1, 1, { title: "Saved" }).replace("Paragraph 1", "Dropped paragraph 1");
  const drop = async (name, text) => page.locator("#file").setInputFiles({ name, mimeType: "text/html", buffer: Buffer.from(text) });
  await drop("named.html", html.replace("<title>", `<link rel="canonical" href="${site.url("/saved")}"><title>`));
  await page.locator(".ended .said", { hasText: "1 page, whole" }).waitFor();
  assert.equal(page.url(), at(site.url("/saved")));
  assert.match(await page.locator("#part-1").textContent(), /Dropped paragraph/);
  await drop("nameless.html", html);
  await page.locator(".source", { hasText: "A saved page" }).waitFor();
  assert.equal(page.url(), at("https://saved.invalid/nameless.html"));
  await page.reload();
  await page.locator(".source", { hasText: "A saved page" }).waitFor();
  for (const [name, text, said] of [["empty.html", "", "is empty"], ["paper.html", "%PDF-1.7", "is a PDF"]]) {
    await drop(name, text);
    await page.locator("#status", { hasText: said }).waitFor();
  }
  browser.check();
});

test("an archive is read without the web, its pages in the order of their numbers", async () => {
  const { page } = browser;
  await page.goto(server.origin);
  const archive = warc([...Array(11).keys()].map((at) => [`https://stored.test/${at + 1}`, articlePage(at + 1, 11)]));
  await page.locator("#file").setInputFiles({ name: "stored.warc", mimeType: "application/warc", buffer: archive });
  await page.locator("#article .entry").nth(10).waitFor();
  assert.match(await page.locator("#article .entry").nth(1).textContent(), /stored\.test\/2$/);
  await page.locator("#article .entry button").first().click();
  await page.locator(".ended .said", { hasText: "11 pages, whole" }).waitFor();
  browser.check();
});

test("what cannot be read is told in plain words, with another try", async () => {
  const { page } = browser;
  await page.goto(at("http://127.0.0.1:9/x"));
  await page.getByText("The site did not answer").waitFor();
  const seen = await page.locator("body").innerText();
  assert.ok(!/client error|Connect|deserialize|dns/.test(seen), seen);
  await page.getByRole("button", { name: "Try again" }).waitFor();
});

test("a browser that does not know the token is asked for it once", async () => {
  const { context } = browser;
  const stranger = await context.browser().newContext();
  const tab = await stranger.newPage();
  await tab.goto(at(site.url("/whole/1")));
  await tab.getByText("This browser does not know the token yet").waitFor();
  await tab.getByLabel("Token").fill("0123456789abcdef");
  await tab.keyboard.press("Enter");
  await tab.locator(".article-foot").waitFor();
  const second = await stranger.newPage();
  await second.goto(at(site.url("/whole/1")));
  await second.locator(".article-foot").waitFor();
  await stranger.close();
  for (const path of ["/explain", "/annotate"]) {
    const other = await context.browser().newContext();
    const room = await other.newPage();
    await room.goto(server.origin + path);
    if (path === "/explain") { await room.locator("#url").fill(site.url("/whole/1")); await room.keyboard.press("Enter"); }
    await room.getByLabel("Token").waitFor();
    await other.close();
  }
});

test("text from right to left runs so", async () => {
  const { page } = browser;
  await ask(site.url("/rtl"));
  assert.equal(await page.locator("#article").getAttribute("dir"), "rtl");
  const { first, box } = await page.evaluate(() => {
    const line = document.querySelector("#part-1 p");
    const range = document.createRange();
    range.setStart(line.firstChild, 0);
    range.setEnd(line.firstChild, 1);
    return { first: range.getBoundingClientRect().right, box: line.getBoundingClientRect().right };
  });
  assert.ok(box - first < 2, "the first letter stands at the right edge");
});

test("paper holds the article alone", async () => {
  const { page } = browser;
  await page.emulateMedia({ media: "print" });
  for (const hidden of [".bar", "#library", "#shelf", ".article-foot", ".foot"]) assert.ok(!await page.locator(hidden).isVisible(), hidden);
  assert.ok(await page.locator("#article h1").isVisible());
  await page.emulateMedia({ media: null });
});

test("everything works by keyboard, in all themes and at every width", async () => {
  const { page } = browser;
  await ask(site.url("/whole/1"));
  await page.keyboard.press("j");
  await page.waitForFunction(() => Math.abs(document.getElementById("part-2").getBoundingClientRect().top) < 120 || scrollY > 200);
  const look = async (what) => {
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const theme of ["light", "sepia", "dark"]) {
        await setTheme(page, theme);
        await fits(page, `${what} ${width} ${theme}`);
        if (width !== 390) await axe(page, `${what} ${width} ${theme}`);
      }
    }
  };
  await look("article");
  await page.keyboard.press("+");
  assert.equal(await page.evaluate(() => document.documentElement.style.getPropertyValue("--size")), "1.25rem");
  await page.locator("#appearance summary").click();
  await page.getByRole("button", { name: "Sepia" }).click();
  await page.getByRole("button", { name: "Wide" }).click();
  await page.reload();
  assert.deepEqual(await page.evaluate(() => [document.documentElement.dataset.theme, document.documentElement.dataset.width]), ["sepia", "wide"]);
  await page.keyboard.press("/");
  await page.locator("#history a").first().waitFor();
  await look("library");
  await page.goto(`${server.origin}/docs`);
  await page.locator(".docs section").first().waitFor();
  await look("docs");
  browser.check();
});
