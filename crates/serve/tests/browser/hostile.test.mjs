// Hostile pages in the reader, in the frame of the explainer and of the annotator: nothing runs, nobody else is asked.

import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { articlePage, axe, fits, setTheme, startBrowser, startServer, startSite, warc } from "./support.mjs";

const file = process.env.XSS_VECTORS;
const known = file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
const own = [
  "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
  "<a href='javascript:alert(1)' id=status>x</a>", "<form action=http://evil.test/><input autofocus onfocus=alert(1)><button>go</button></form>",
  "<style>@import 'http://evil.test/x.css'; * { background: url(http://evil.test/y) }</style>", "<meta http-equiv=refresh content='0;url=http://evil.test/'>",
  "<base href=http://evil.test/><link rel=stylesheet href=http://evil.test/z.css>", "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>", "<video poster=http://evil.test/p.png src=http://evil.test/v.mp4 autoplay></video>",
];
const all = known ?? own;
if (!known) console.log("# the shared vectors are not there: our own dozen alone");
// Many vectors to a page would hide each other: an open comment swallows what follows.
const groups = all.concat(own).map((vector) => [vector]);
const few = Number(process.env.HOSTILE_PAGES ?? 60);
const step = Math.max(1, Math.floor(groups.length / few));
const chosen = groups.filter((_, at) => at % step === 0 || at >= groups.length - own.length);

let site, server, browser;

before(async () => {
  const pages = Object.fromEntries(chosen.map(([vector], at) => [`/v${at}/1`, articlePage(1, 1, { title: `Vector ${at}`, hostile: vector })]));
  [site, server] = await Promise.all([startSite(pages), startServer()]);
  browser = await startBrowser(server.origin);
  await browser.page.goto(server.start);
});
after(async () => { await browser?.stop(); server?.stop(); site?.stop(); });

test(`${chosen.length} hostile pages are harmless in the reader`, async () => {
  const { page } = browser;
  for (const at of chosen.keys()) {
    await page.goto(`${server.origin}/read?url=${encodeURIComponent(site.url(`/v${at}/1`))}`);
    await page.waitForFunction((title) => document.title.startsWith(title) || document.title.startsWith("Not read"), `Vector ${at}`);
    for (const link of await page.locator("#article a[href^='javascript']").all()) assert.fail(await link.innerHTML());
    assert.equal(await page.locator("#article").locator("script, iframe, object, embed, form, style, link, meta, base").count(), 0, chosen[at][0]);
  }
  browser.check();
});

test("an address that would run is no link", async () => {
  const { page } = browser;
  await page.goto(`${server.origin}/read?url=${encodeURIComponent("javascript:alert(1)")}`);
  await page.getByText("Try again").waitFor();
  assert.equal(await page.locator("#article a[href^='javascript']").count(), 0);
  browser.check();
});

test("they are harmless in the frame", async () => {
  const { page } = browser;
  await page.goto(`${server.origin}/explain`);
  for (const at of chosen.keys()) {
    await page.locator("#url").fill(site.url(`/v${at}/1`));
    await page.getByRole("button", { name: "Explain" }).click();
    await page.waitForFunction((title) => document.getElementById("status").textContent.includes(title), `Vector ${at}`);
    await page.frameLocator("#frame iframe").locator("t-body").first().waitFor();
  }
  const frame = page.frames().find((one) => one.url().includes("/frame/"));
  assert.equal(await frame.evaluate(() => origin), "null", "the frame is of nobody's origin");
  assert.equal(await frame.evaluate(() => { try { return parent.document.title; } catch { return "refused"; } }), "refused");
  assert.equal(await frame.evaluate(() => { try { return localStorage.length; } catch { return "refused"; } }), "refused");
  browser.check();
});

test("they are harmless in the annotator", async () => {
  const { page } = browser;
  await page.goto(`${server.origin}/annotate`);
  const archive = warc(chosen.map(([vector], at) => [`https://v${at}.test/1`, articlePage(1, 1, { title: `Vector ${at}`, hostile: vector })]));
  await page.getByText("Make a set").click();
  await page.locator("#name").fill("hostile");
  await page.locator("#archive").setInputFiles({ name: "a.warc", mimeType: "application/warc", buffer: archive });
  await page.getByRole("button", { name: "Make it" }).click();
  await page.getByText("The set is made.").waitFor();
  await page.locator("#person").fill("ann");
  await page.getByRole("button", { name: "Begin" }).click();
  for (let at = 1; at < Math.min(chosen.length, 10); at += 1) {
    await page.frameLocator("#frame iframe").locator("t-h1").first().click();
    await page.getByText("Saved.").waitFor();
    await page.getByRole("button", { name: /^Confirm/ }).click();
    await page.waitForFunction(() => /^Page \d+/.test(document.getElementById("status").textContent));
  }
  browser.check();
});

test("they are harmless when they are shown as their sites show them", async () => {
  const { page } = browser;
  await page.getByRole("button", { name: "As the site shows it" }).click();
  for (let at = 0; at < chosen.length; at += 1) {
    await page.locator("#queue button").nth(at).click();
    await page.waitForFunction((number) => document.getElementById("status").textContent.startsWith(`Page ${number} of`) || document.getElementById("status").textContent.startsWith("The site"), at + 1);
    await page.locator("#frame[aria-busy=false]").waitFor();
    const dressed = page.frameLocator("#frame iframe");
    await dressed.locator("body[data-dressed]").waitFor();
    const foreign = await dressed.locator("body *").evaluateAll((all) => all.filter((one) => !one.localName.startsWith("t-") && !one.nonce && !one.src?.startsWith("blob:")).map((one) => one.outerHTML));
    assert.deepEqual(foreign, [], chosen[at][0]);
  }
  browser.check();
});

test("the explainer says why, fits small screens, and is accessible", async () => {
  const { page } = browser;
  await page.goto(`${server.origin}/explain`);
  await page.locator("#url").fill(site.url("/v0/1"));
  await page.getByRole("button", { name: "Explain" }).click();
  const paragraph = page.frameLocator("#frame iframe").locator("t-p").nth(1);
  await paragraph.waitFor();
  await page.frameLocator("#frame iframe").locator("[data-tint]").first().waitFor();
  await paragraph.hover();
  await page.getByText(/Text block, content with a probability of/).waitFor();
  assert.ok(await page.locator("#here li").count() > 0);
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const theme of ["light", "dark"]) {
      await setTheme(page, theme);
      await fits(page, `${width} ${theme}`);
      await axe(page, `${width} ${theme}`);
    }
  }
  browser.check();
});
