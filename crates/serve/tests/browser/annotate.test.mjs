// Annotating twenty pages, by mouse and by keyboard; two people's agreement; training on what they said.
//
// There are no people here: two stated rules annotate. Rule A takes the element that holds the whole article. Rule B takes
// the headings and paragraphs one by one, and leaves the figure out. Both take the link whose words are "Next page".

import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { articlePage, axe, fits, run, setTheme, startBrowser, startServer, warc } from "./support.mjs";

const pages = [0, 1, 2, 3, 4].flatMap((host) => [1, 2, 3, 4].map((number) => [`https://site${host}.test/${number}`, articlePage(number, 4, { title: `Story ${host}`, style: host })]));
let server, browser;

before(async () => {
  server = await startServer();
  browser = await startBrowser(server.origin);
});
after(async () => { await browser?.stop(); server?.stop(); });

const frame = () => browser.page.frameLocator("#frame iframe");
const status = (pattern) => browser.page.waitForFunction((source) => new RegExp(source).test(document.getElementById("status").textContent), pattern);

/** Waits for the page in the frame to be ready for marks. */
const shown = () => browser.page.locator("#frame[aria-busy=false]").waitFor();

async function begin(person) {
  const { page } = browser;
  await page.goto(`${server.origin}/annotate`);
  await page.locator("#set option[value=own]").waitFor({ state: "attached" });
  await page.locator("#person").fill(person);
  await page.getByLabel(/Start empty/).check();
  await page.getByRole("button", { name: "Begin" }).click();
  await status("^Page \\d+ of 20");
}

/** Where the article of a layout is, and what it is made of. */
const whole = async () => (await frame().locator("t-main").count() > 0 ? frame().locator("t-main") : frame().locator("t-div > t-h1").locator(".."));

async function markByMouse(kind, element) {
  await browser.page.getByRole("button", { name: kind, exact: false }).first().click();
  await element.click({ position: { x: 2, y: 2 } });
  await status("^Saved");
}

test("rule A annotates twenty pages by mouse", async () => {
  const { page } = browser;
  await page.goto(server.start);
  await page.goto(`${server.origin}/annotate`);
  await page.getByText("Make a set").click();
  await page.locator("#name").fill("own");
  await page.locator("#archive").setInputFiles({ name: "own.warc", mimeType: "application/warc", buffer: warc(pages) });
  await page.getByRole("button", { name: "Make it" }).click();
  await status("^The set is made");
  await begin("rule-a");
  for (let at = 0; at < 20; at += 1) {
    await shown();
    // A click takes the smallest block, the heading; a second one its parent, the article.
    await markByMouse("Content (c)", frame().locator("t-h1"));
    await frame().locator("t-h1").click({ position: { x: 2, y: 2 } });
    await page.waitForFunction(() => !document.getElementById("marked").textContent.includes("h1["));
    const next = frame().locator("t-a", { hasText: "Next page" });
    if (await next.count() > 0) await markByMouse("Next link (n)", next);
    else { await page.locator("#none").selectOption("last"); await status("^Saved"); }
    await page.getByRole("button", { name: /^Confirm/ }).press("Enter");
    await status("^Page \\d+ of 20|^All pages");
  }
  await status("^All pages of this set are annotated");
  browser.check();
});

test("rule B annotates them by keyboard, and undoes a slip", async () => {
  const { page } = browser;
  await begin("rule-b");
  // Keys are given to the page in the frame. Which frame hears a real key without a window is up to the browser's load.
  const press = (key) => frame().locator("t-body").evaluate((body, name) => body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true })), key);
  const point = async (element) => { const node = Number(await element.getAttribute("data-n")); await frame().locator("t-body").evaluate((_, wanted) => dispatchEvent(new MessageEvent("message", { source: parent, data: { kind: "point", node: wanted } })), node); };
  for (let at = 0; at < 20; at += 1) {
    await shown();
    const article = await whole();
    if (at === 0) {
      // The arrow keys reach everything: from the root into it, and along.
      for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await press(key);
      await frame().locator(".cursor").waitFor();
      await press("c");
      await press(" ");
      await status("^Saved");
      await press("u");
      await page.waitForFunction(() => document.getElementById("marked").children.length === 0);
    }
    await press("c");
    for (const element of await article.locator("> t-h1, > t-h2, > t-p:not(:has(t-img))").all()) {
      await point(element);
      await press(" ");
    }
    const next = frame().locator("t-a", { hasText: "Next page" });
    if (await next.count() > 0) { await press("n"); await point(next); await press(" "); } else await press("0");
    await press("Enter");
    await page.waitForFunction((done) => [...document.querySelectorAll("#queue li")].filter((entry) => entry.textContent.endsWith(" done")).length >= done, at + 1);
    await status("^Page \\d+ of 20|^All pages");
  }
  await status("^All pages of this set are annotated");
  browser.check();
});

test("the queue tells pages apart, and says how far one is", async () => {
  const { page } = browser;
  const entries = await page.locator("#queue li").allTextContents();
  assert.equal(new Set(entries).size, 20, "no two entries are alike");
  assert.ok(entries.every((entry) => /site\d\.test\/\d/.test(entry) && entry.includes("Paragraph")), entries[0]);
  assert.equal(await page.locator("#done-words").textContent(), "20 of 20 annotated by rule-b");
});

test("an empty page is not saved without a question", async () => {
  const { page } = browser;
  await begin("carol");
  await shown();
  await page.locator("#confirm").click();
  await page.getByText("Nothing is marked on this page").waitFor();
  await page.getByRole("button", { name: "Go back" }).click();
  assert.match(await page.locator("#done-words").textContent(), /^0 of 20/);
  await page.locator("#confirm").click();
  await page.getByRole("button", { name: "Save it empty" }).click();
  await page.waitForFunction(() => document.getElementById("done-words").textContent.startsWith("1 of 20"));
  // A draft without a next link, and marks that are all taken away, say nothing of an empty page.
  await begin("emil");
  await shown();
  await page.locator("#empty").uncheck();
  await page.locator("#queue button").nth(19).click();
  await shown();
  while (await page.locator("#marked li").count() > 0) await page.locator("#marked button").first().click();
  await status("^Nothing is marked now");
  await page.locator("#confirm").click();
  await page.getByText("Nothing is marked on this page").waitFor();
  await page.getByRole("button", { name: "Go back" }).click();
  await page.locator("#empty").check();
  await begin("carol");
  await shown();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save my labels" }).click()]);
  assert.equal(download.suggestedFilename(), "own-carol-labels.jsonl");
});

test("a click right after the beginning reaches what was clicked", async () => {
  const { page } = browser;
  await begin("dora");
  await shown();
  const before = await page.evaluate(() => scrollY);
  await page.waitForTimeout(1_000);
  assert.equal(await page.evaluate(() => scrollY), before, "nothing scrolls when the frame gets the focus");
  assert.equal(await page.locator("#done-words").textContent(), "0 of 20 annotated by dora", "nothing is saved by itself");
  browser.check();
  await begin("rule-b");
});

test("their agreement is counted", async () => {
  const { page } = browser;
  // A page that is about to be ready takes the focus, and the queue may still move what is below it.
  await shown();
  await page.getByRole("button", { name: "Compare" }).press("Enter");
  await page.locator("#agreement tbody tr").nth(1).waitFor({ state: "attached" });
  const rows = await page.evaluate(() =>
    [...document.querySelectorAll("#agreement tbody tr")].map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));
  // Others have annotated a page or two.
  const cells = rows.find((row) => row[2] === "20");
  console.log(`# ${rows.length} comparisons: ${rows.map((row) => row.join(" | ")).join("; ")}`);
  assert.ok(cells, "two have annotated all pages");
  assert.equal(cells[7], "1.000", "both take the same links");
  assert.equal(cells[8], "1.000", "kappa");
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await fits(page, String(width));
    for (const theme of ["light", "dark"]) {
      await setTheme(page, theme);
      await axe(page, `${width} ${theme}`);
    }
  }
});

test("a rule is learned from the pages of a site", async () => {
  const { page } = browser;
  await shown();
  await page.getByRole("button", { name: /^Learn a rule/ }).press("Enter");
  await page.getByText(/Learned from 4 pages/).waitFor();
});

test("what was annotated trains, and is evaluated", async () => {
  const set = `${server.data}/sets/own/by/rule-a`;
  for (const task of ["next-link", "content"]) await run("lab", "train", task, "--data", set, "-o", `${set}/${task}.model`, "--card", `${set}/${task}.md`);
  const said = await run("lab", "evaluate", "--data", set, "-o", `${set}/report`);
  console.log(`# ${said.trim().split("\n").slice(-6).join("\n# ")}`);
});
