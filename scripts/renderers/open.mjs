// Opens what renderers made of Markdown in Chromium, and reports what runs.
//
// Usage: node open.mjs RENDERED.json

import fs from "node:fs";
import { Parser, HtmlRenderer } from "commonmark";
import MarkdownIt from "markdown-it";
import { chromium } from "playwright-core";

const rows = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const markdownIt = MarkdownIt({ html: true, linkify: true, typographer: true });
const [parser, writer] = [new Parser(), new HtmlRenderer()];
for (const [, , text, rendered] of rows) {
  rendered["markdown-it"] = markdownIt.render(text);
  rendered["commonmark.js"] = writer.render(parser.parse(text));
}

// Many renderers agree, so each page is opened once.
const pages = [...new Set(rows.flatMap(([, , , rendered]) => Object.values(rendered)))];
const ran = new Set();
const unopened = new Set();

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
let next = 0;

async function open() {
  let at = "";
  const context = await browser.newContext();
  await context.route("**/*", (route) => route.abort());
  const fresh = async () => {
    const page = await context.newPage();
    await page.exposeFunction("itRan", () => ran.add(at));
    await page.addInitScript(() => {
      for (const name of ["alert", "confirm", "prompt", "print"]) window[name] = () => window.itRan();
    });
    page.on("dialog", (dialog) => {
      ran.add(at);
      dialog.dismiss().catch(() => {});
    });
    page.setDefaultTimeout(10_000);
    return page;
  };
  let page = await fresh();
  while (next < pages.length) {
    at = pages[next++];
    try {
      await page.setContent(`<!doctype html><meta charset=utf-8>${at}`, { waitUntil: "domcontentloaded" });
      await page.evaluate(() => {
        const events =
          "animationstart begin click error focus keydown load mouseenter mouseover pointerover toggle".split(" ");
        // Names of elements hide properties of the document.
        for (const element of Document.prototype.querySelectorAll.call(document, "*")) {
          const address = element.href?.baseVal ?? element.href ?? "";
          if (/^\s*(javascript|vbscript|data):/i.test(address)) window.itRan();
          else for (const event of events) element.dispatchEvent(new Event(event));
        }
      });
      await page.waitForTimeout(3);
    } catch (error) {
      // A page may not be left open for the next one.
      if (!ran.has(at)) unopened.add(at);
      await page.close().catch(() => {});
      page = await fresh();
    }
  }
}

// What a broken page did, an opened one shows again.
await Promise.all([open(), open()]);
await browser.close();

const count = rows.length * Object.keys(rows[0][3]).length;
console.log(`${count} renderings, ${pages.length} different pages, ${ran.size} ran something, ${unopened.size} not opened`);
for (const [kind, fragment, text, rendered] of rows) {
  for (const [renderer, html] of Object.entries(rendered)) {
    if (!ran.has(html) && !unopened.has(html)) continue;
    console.log(`\n${renderer}, ${kind}: ${JSON.stringify(fragment)}\n${text.slice(700, 1500)}\n--\n${html.slice(700, 1500)}`);
  }
}
process.exit(ran.size + unopened.size > 0 ? 1 : 0);
