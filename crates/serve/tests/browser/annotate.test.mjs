// Annotating twenty pages, by mouse and by keyboard; two people's agreement; training on what they said.
//
// There are no people here: two stated rules annotate. Rule A takes the element that holds the whole article. Rule B takes
// the headings and paragraphs one by one, and leaves the figure out. Both take the link whose words are "Next page".

import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { articlePage, axe, fits, run, setTheme, startBrowser, startServer, startSite, warc } from "./support.mjs";

const pages = [0, 1, 2, 3, 4].flatMap((host) => [1, 2, 3, 4].map((number) => [`https://site${host}.test/${number}`, articlePage(number, 4, { title: `Story ${host}`, style: host })]));
let server, browser, site;

before(async () => {
  server = await startServer();
  site = await startSite({
    // What a site says of its looks. Nothing of it may load, and nothing may lie upon the page.
    "/looks.css": `@import "http://evil.test/i.css"; @font-face { font-family: f; src: url(http://evil.test/f.woff) }
      h1 { color: rgb(1, 2, 3); background: rgb(4, 5, 6) url(http://evil.test/b.png) } html { font-size: 20px } .post > p:not(.x) { font-family: f, serif; letter-spacing: 2px }
      #banner { position: fixed; inset: 0; background: image-set("http://evil.test/s.png" 1x) } p::before { content: url(/c.png) } [data-mark]::before { display: none !important }
      @media print { h1 { color: red } } @media (min-width: 1px) { h2 { color: rgb(7, 8, 9) } } body { cursor: url(http://evil.test/c.cur), auto; --u: url(http://evil.test/v.png); border-image: var(--u) }`,
  });
  browser = await startBrowser(server.origin);
});
after(async () => { await browser?.stop(); server?.stop(); site?.stop(); });

const frame = () => browser.page.frameLocator("#frame iframe");
const status = (pattern) => browser.page.waitForFunction((source) => new RegExp(source).test(document.getElementById("status").textContent), pattern);

/** Waits for the page in the frame to be ready for marks. */
const shown = () => browser.page.locator("#frame[aria-busy=false]").waitFor();

async function begin(person) {
  const { page } = browser;
  await page.goto(`${server.origin}/annotate`);
  await page.locator("#set option[value=own]").waitFor({ state: "attached" });
  await page.locator("#set").selectOption("own");
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
  await shown();
  // Not by a key: the frame has the focus, and which of the two hears a key at once is up to the browser's load.
  await page.getByRole("button", { name: "Compare" }).click();
  await page.locator("#agreement tbody tr").nth(1).waitFor({ state: "attached" });
  const rows = await page.evaluate(() =>
    [...document.querySelectorAll("#agreement tbody tr")].map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));
  // Others have annotated a page or two.
  const cells = rows.find((row) => row[2] === "20");
  console.log(`# ${rows.length} comparisons: ${rows.map((row) => row.join(" | ")).join("; ")}`);
  assert.ok(cells, "two have annotated all pages");
  assert.equal(cells[7], "1.000", "both take the same links");
  assert.equal(cells[9], "0", "nobody spoke of roles yet");
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

/** The roles and first words of all blocks, as the list has them. */
const namesListed = () => browser.page.locator("#blocks li").evaluateAll((entries) => entries.map((entry) => [entry.querySelector("b").textContent, entry.querySelector("bdi").textContent]));

/** The same as the page shows them. What it does not show, like its title in the head, is not there. */
const namesShown = () => frame().locator("t-t[data-mark]").evaluateAll((texts) => texts.map((text) => [text.dataset.mark, text.textContent]));

const roleButton = (role) => browser.page.locator(`#role-tools [data-role=${role}]`);

test("roles are named by keys, and kept beside content", async () => {
  const { page } = browser;
  await begin("rita");
  await shown();
  await markByMouse("Content (c)", frame().locator("t-h1"));
  await page.locator("#empty").uncheck();
  await page.locator("#queue button").first().click();
  await shown();
  await page.getByRole("button", { name: "Roles of blocks" }).click();
  await status("^Roles\\. Block 1 of");
  const drafted = await namesListed();
  assert.ok((await namesShown()).some(([role, text]) => role === "title" && /^Story \d$/.test(text)), JSON.stringify(drafted));
  assert.match(await page.locator("#done-words").textContent(), /^0 of 20 annotated by rita \(roles\)/);
  // A click on a text makes its block the current one; a letter names it and goes on.
  await frame().locator("t-h2").click();
  const at = drafted.findIndex(([, text]) => text.startsWith("The "));
  assert.equal(await page.locator("#blocks [aria-current=true]").locator("xpath=../preceding-sibling::li").count(), at);
  assert.equal(await roleButton(drafted[at][0]).getAttribute("aria-pressed"), "true");
  const press = (key) => frame().locator("t-body").evaluate((body, name) => body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true })), key);
  await press("l");
  await status(`^Saved: lead\\. Block ${at + 2} of`);
  await press("k");
  await status(`^Block ${at + 1} of \\d+: lead\\.`);
  await press("ArrowDown");
  await press("j");
  await status(`^Block ${at + 3} of`);
  assert.ok((await namesShown()).some(([role, text]) => role === "lead" && text === drafted[at][1]));
  await press("u");
  await page.waitForFunction(([place, role]) => document.querySelectorAll("#blocks li b")[place].textContent === role, [at, drafted[at][0]]);
  // By the list and the buttons, without the frame.
  await page.locator("#blocks button").nth(at).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("m");
  await status("^Saved: meta");
  assert.equal(await page.evaluate(() => document.activeElement.closest("#blocks li") && document.activeElement.getAttribute("aria-current")), "true", "the focus goes on with the block");
  await page.keyboard.press("ArrowUp");
  await status(`^Block ${at + 1} of \\d+: meta`);
  // Nothing is lost by going back and forth, nor by coming again.
  await page.getByRole("button", { name: "Content and next link" }).click();
  await status("^Content and next link");
  assert.match(await page.locator("#marked").textContent(), /Content: .*h1\[1\]/);
  await page.locator("#queue button").nth(1).click();
  await shown();
  await page.locator("#queue button").first().click();
  await shown();
  assert.match(await page.locator("#marked").textContent(), /Content: .*h1\[1\]/);
  await page.getByRole("button", { name: "Roles of blocks" }).click();
  await status("^Roles");
  assert.equal((await namesListed())[at][0], "meta");
  // The models' roles come back only after a question.
  await page.getByRole("button", { name: "Take the models’ roles" }).click();
  await page.getByText("Replace your roles?").waitFor();
  await page.getByRole("button", { name: "Go back" }).click();
  assert.equal((await namesListed())[at][0], "meta");
  await page.getByRole("button", { name: /^Confirm/ }).press("Enter");
  await page.waitForFunction(() => document.getElementById("done-words").textContent.startsWith("1 of 20 annotated by rita (roles)"));
  const label = await page.evaluate(async () => {
    const answer = await fetch("/api/sets/own/labels/rita", { headers: { "X-Tsugi-Token": localStorage.getItem("token") } });
    return JSON.parse((await answer.text()).split("\n")[0]);
  });
  assert.deepEqual(Object.keys(label.blocks[at]), ["at", "role", "text"]);
  assert.deepEqual([label.blocks[at].role, label.blocks[at].text], ["meta", drafted[at][1]]);
  assert.ok(label.labels.includes("content"), "what was marked is a label, too");
  browser.check();
});

test("blocks that nobody named are a question, and two people are compared", async () => {
  const { page } = browser;
  await page.getByRole("button", { name: "Content and next link" }).click();
  await begin("sam");
  await shown();
  await page.getByRole("button", { name: "Roles of blocks" }).click();
  await status("^Roles");
  assert.ok((await namesShown()).every(([role]) => role === "?"), "there is no draft");
  const title = (await namesListed()).findLastIndex(([, text]) => /^Story \d$/.test(text));
  await page.locator("#blocks button").nth(title).click();
  await roleButton("title").click();
  await status("^Saved: title");
  assert.match(await page.locator("#blocks-words").textContent(), /^Blocks: 1 of \d+ have a role/);
  await page.locator("#confirm").click();
  await page.getByText(/^\d+ blocks have no role yet$/).waitFor();
  await page.getByRole("button", { name: "Go back" }).click();
  assert.match(await page.locator("#done-words").textContent(), /^0 of 20/);
  await page.locator("#confirm").click();
  await page.getByRole("button", { name: "Save them as the site’s" }).click();
  await page.waitForFunction(() => document.getElementById("done-words").textContent.startsWith("1 of 20"));
  await shown();
  await page.getByRole("button", { name: "Compare" }).click();
  const row = page.locator("#agreement tbody tr").filter({ has: page.getByRole("cell", { name: "sam", exact: true }) }).filter({ has: page.getByRole("cell", { name: "rita", exact: true }) }).first();
  await row.waitFor();
  const cells = await row.locator("td").allTextContents();
  assert.equal(cells[2], "0", "sam marked no content");
  assert.ok(Number(cells[9]) > 5 && Number(cells[10]) < 1, cells.join(" | "));
  console.log(`# roles: ${cells.join(" | ")}`);
  // Side by side: the blocks that differ, and either can be taken.
  await page.locator("#agreement li", { hasText: /rita.*sam/ }).locator("button").first().click();
  await page.locator("#sides").waitFor();
  assert.ok(await page.locator("#sides tr.differs").count() > 0);
  await shown();
  await page.getByRole("button", { name: "Take sam’s" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#blocks b")[0].textContent === "site");
  for (const width of [390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await fits(page, `roles ${width}`);
    for (const theme of ["light", "dark"]) {
      await setTheme(page, theme);
      await axe(page, `roles ${width} ${theme}`);
    }
  }
  await page.getByRole("button", { name: "Content and next link" }).click();
  browser.check();
});

test("a page is shown as its site shows it, and asks nobody", async () => {
  const { page } = browser;
  const html = `<!DOCTYPE html><html class="wide"><title>Looks</title><link rel=stylesheet href=/looks.css><link rel=stylesheet href=http://10.0.0.1/x.css>
    <style>.post p { text-transform: uppercase } nav { color: rgb(9, 9, 9) }</style><body><div id=banner>Cookies!</div><nav>Menu</nav>
    <div class=post><h1 style="border-left: 5px solid; position: fixed; background-image: url(http://evil.test/i.png)">Looks</h1><h2>Below</h2><p>Some text that is long enough.</p>
    <p><img src=${site.url("/one.png")} alt="A mill"><img src=http://10.0.0.1/y.png alt="Not there"></p></div><script>alert(1)</script><img src=x onerror=alert(1)>`;
  await page.goto(`${server.origin}/annotate`);
  await page.getByText("Make a set").click();
  await page.locator("#name").fill("looks");
  await page.locator("#archive").setInputFiles({ name: "looks.warc", mimeType: "application/warc", buffer: warc([[site.url("/looks"), html]]) });
  await page.getByRole("button", { name: "Make it" }).click();
  await status("^The set is made");
  await page.locator("#set").selectOption("looks");
  await page.locator("#person").fill("ann");
  await page.getByLabel(/Start empty/).check();
  await page.getByRole("button", { name: "Begin" }).click();
  await shown();
  const look = () => frame().locator("t-h1").evaluate((h1) => {
    const of = (selector) => getComputedStyle(document.querySelector(selector));
    const { color, backgroundImage, borderLeftWidth, position } = getComputedStyle(h1);
    return {
      color, backgroundImage, borderLeftWidth, position, h2: of("t-h2").color, p: of("t-p").letterSpacing + of("t-p").textTransform, nav: of("t-nav").color,
      banner: of("t-div").position, root: of(":root").fontSize, images: document.images.length, cursor: of("t-body").cursor, before: getComputedStyle(document.querySelector("t-p"), "::before").content,
    };
  });
  const plain = await look();
  assert.deepEqual([plain.color === "rgb(1, 2, 3)", plain.images, plain.root], [false, 0, "16px"]);
  await page.getByRole("button", { name: "As the site shows it" }).click();
  await status("1 of 3 style sheets and 2 of 3 pictures could not be had");
  assert.deepEqual(await look(), {
    color: "rgb(1, 2, 3)", backgroundImage: "none", borderLeftWidth: "5px", position: "static", h2: "rgb(7, 8, 9)", p: "2pxuppercase", nav: "rgb(9, 9, 9)",
    banner: "static", root: "20px", images: 1, cursor: "auto", before: "none",
  });
  assert.equal(await frame().locator("t-img > img").first().evaluate((image) => image.complete && image.naturalWidth), 1);
  // Marks are seen whatever the site says, and clicks reach what they did.
  await page.locator("#queue button").first().click();
  await shown();
  await frame().locator("t-img > img").waitFor();
  await markByMouse("Title (t)", frame().locator("t-h2"));
  assert.notEqual(await frame().locator("t-h2").evaluate((h2) => getComputedStyle(h2, "::before").display), "none");
  const all = page.frames().find((one) => one.url().includes("/frame/"));
  assert.equal(await all.evaluate(() => origin), "null", "the frame is of nobody's origin");
  // Nothing was even tried (`check` below). If it were, the frame's policy would stop it, also towards our own server.
  const stopped = await all.evaluate((own) => new Promise((done) => {
    const said = [];
    addEventListener("securitypolicyviolation", (event) => { said.push(event.effectiveDirective); if (said.length === 2) done(said.sort()); });
    document.body.style.backgroundImage = `url(${own}/static/icon.svg)`;
    new FontFace("g", `url(${own}/f.woff)`).load().catch(() => {});
  }), server.origin);
  assert.deepEqual(stopped, ["font-src", "img-src"]);
  await page.getByRole("button", { name: "As the site shows it" }).click();
  await page.waitForFunction(() => document.querySelector("#frame iframe").title.includes("without its images"));
  const { images, root, h2 } = await look();
  assert.deepEqual([images, root, h2], [0, "16px", plain.h2]);
  assert.equal(await frame().locator("t-img").first().textContent(), "A mill");
  browser.check();
});

test("a rule is learned from the pages of a site", async () => {
  const { page } = browser;
  await begin("rule-b");
  await shown();
  await page.getByRole("button", { name: /^Learn a rule/ }).click();
  await page.getByText(/Learned from 4 pages/).waitFor();
});

test("what was annotated trains, and is evaluated", async () => {
  const set = `${server.data}/sets/own/by/rule-a`;
  for (const task of ["next-link", "content"]) await run("lab", "train", task, "--data", set, "-o", `${set}/${task}.model`, "--card", `${set}/${task}.md`);
  const said = await run("lab", "evaluate", "--data", set, "-o", `${set}/report`);
  console.log(`# ${said.trim().split("\n").slice(-6).join("\n# ")}`);
});
