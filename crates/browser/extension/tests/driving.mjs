// What tests do in a browser, in the same way in each.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../../", import.meta.url));
export const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");

export function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Scrolls to the end until `count` pages are there, or nothing more comes for a while. */
export async function readTo(page, count, patience = 5000) {
  const until = Date.now() + patience;
  let seen = 0;
  while (Date.now() < until) {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    seen = await parts(page);
    if (seen >= count) break;
    await sleep(60);
  }
  return seen;
}

/** The number of pages: the first one and those appended. */
export function parts(page) {
  return page.evaluate(() => 1 + new Set([...document.querySelectorAll("[data-tsugi-page]")].map((part) => part.dataset.tsugiPage)).size);
}

/** What our bars say. */
export function bars(page) {
  return page.evaluate(() => [...document.querySelectorAll("tsugi-separator")].map((bar) => bar.shadowRoot.querySelector("span").textContent));
}

/** Presses a button of one of our bars. */
export function press(page, label) {
  return page.evaluate((label) => {
    for (const bar of document.querySelectorAll("tsugi-separator")) bar.shadowRoot.querySelector(`button[aria-label="${label}"]`)?.click();
  }, label);
}

/** The text of an element. */
export function text(page, selector) {
  return page.evaluate((selector) => document.querySelector(selector)?.textContent ?? null, selector);
}

/** Chooses a file in an input. */
export function choose(page, selector, name, content) {
  return page.evaluate(([selector, name, content]) => {
    const input = document.querySelector(selector);
    const files = new DataTransfer();
    files.items.add(new File([content], name));
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }, [selector, name, content]);
}

/** Presses a button that saves a file. Returns its name and content. */
export async function saved(page, selector) {
  return await page.evaluate((selector) => new Promise((resolve) => {
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = async function () {
      HTMLAnchorElement.prototype.click = click;
      resolve({ name: this.download, content: await (await fetch(this.href)).text() });
    };
    document.querySelector(selector).click();
  }), selector);
}

/** Waits until what `question` finds in the page passes `test`. */
export async function until(question, test = Boolean, patience = 8000) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await question();
    if (test(found) || Date.now() > end) return found;
    await sleep(50);
  }
}
