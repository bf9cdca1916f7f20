// Shows a document: its head, pages with their marks, what is uncertain, and the outline.
//
// The HTML of pages was written and checked by the server. It is parsed without running anything, its images are asked of
// the server, and the policy of this page would stop whatever was left.

import { ask, make } from "./api.js";

const article = document.getElementById("article");
const outline = document.getElementById("outline");

/** Returns the nodes of safe HTML, ready to be shown. */
function nodes(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const image of parsed.querySelectorAll("img")) {
    image.dataset.waiting = image.getAttribute("src") ?? "";
    image.removeAttribute("src");
    image.removeAttribute("srcset");
    if (!image.hasAttribute("alt")) image.setAttribute("alt", "");
  }
  // Names of the article must not be those of this page.
  for (const named of parsed.querySelectorAll("[id]")) named.id = `in-${named.id}`;
  for (const link of parsed.querySelectorAll("a[href]")) {
    if (link.getAttribute("href").startsWith("#")) {
      link.setAttribute("href", `#in-${link.getAttribute("href").slice(1)}`);
    } else {
      link.rel = "noreferrer noopener";
      link.target = "_blank";
    }
  }
  for (const wide of parsed.querySelectorAll("pre, table")) wide.setAttribute("tabindex", "0");
  return [...parsed.body.childNodes];
}

/** Fetches images through the server when they come near the screen. */
const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    const { waiting } = target.dataset;
    ask(`/api/image?url=${encodeURIComponent(waiting)}`)
      .then((answer) => answer.blob())
      .then((image) => { target.src = URL.createObjectURL(image); })
      .catch(() => { target.replaceWith(make("span", { class: "no-image" }, target.alt ? `[Image: ${target.alt}]` : "[Image not available]")); })
      .finally(() => { delete target.dataset.waiting; });
  }
}, { rootMargin: "600px" });

/** Returns `true` for the address of a file that states none. */
export const isNowhere = (address) => address.startsWith("https://saved.invalid/");

/** Returns the host of an address, or the address if it has none. */
export function hostOf(address) {
  try { return new URL(address).host; } catch { return address; }
}

const outside = (address, text) => make("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, text);

/** Shows one page, in place of an earlier version of it. */
export function showPage({ number, url, html, unsure }) {
  const doubt = unsure.length === 0 ? null : make("details", { class: "unsure", dir: "ltr", lang: "en" },
    make("summary", {}, "tsugi is not sure about this page"), make("ul", {}, ...unsure.map((words) => make("li", {}, words))));
  const name = `Page ${number}`;
  const mark = number === 1 ? null : make("div", { class: "page-mark" }, isNowhere(url) ? make("span", {}, name) : outside(url, name));
  const section = make("section", { id: `part-${number}`, class: "part", "aria-label": name }, mark, doubt, ...nodes(html));
  const old = document.getElementById(section.id);
  if (old) old.replaceWith(section); else article.append(section);
  for (const image of section.querySelectorAll("img[data-waiting]")) near.observe(image);
}

export function clear() {
  if (article.contains(outline)) article.before(outline);
  article.replaceChildren();
  article.removeAttribute("dir");
  outline.hidden = true;
}

const plain = (text) => text.normalize("NFKC").replace(/\s+/g, " ").trim();

/** Returns a day as readers of this browser write it. */
export function day(text) {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T12:00:00` : text);
  return Number.isNaN(date.getTime()) ? text : date.toLocaleDateString(undefined, { day: "numeric", month: "long", year: "numeric" });
}

/** Removes a line of the text that says again who wrote it and when. */
function dropByline({ authors }) {
  if (authors.length === 0) return;
  const first = article.querySelector(".part");
  const lines = [...first.querySelectorAll("p, div, address, li, span")].slice(0, 12);
  const again = lines.find((line) => {
    let rest = plain(line.textContent);
    if (rest.length > 160 || !authors.every((author) => rest.toLowerCase().includes(author.toLowerCase()))) return false;
    for (const author of authors) rest = rest.replace(new RegExp(author.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi"), "");
    rest = rest.replace(/\b(by|von|par|por|di|and|und|et|updated|published|posted|on|at|written|words|photographs?)\b/gi, "");
    rest = rest.replace(/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/gi, "");
    return rest.replace(/[\p{N}\p{P}\p{S}\s]/gu, "").length < 6 && !line.querySelector("img");
  });
  again?.remove();
}

/** Makes the head: where it is from, title, who and when, how long. The title and the byline stand there alone. */
function head(reading) {
  const first = article.querySelector(".part");
  const own = [...first.querySelectorAll("h1")].find((heading) => plain(heading.textContent));
  const before = own ? [...first.querySelectorAll("p, li, h2, h3, blockquote")].filter((block) => block.compareDocumentPosition(own) & Node.DOCUMENT_POSITION_FOLLOWING && plain(block.textContent).length > 80) : [];
  let title = make("h1", {}, reading.title ?? reading.url);
  if (own && before.length === 0) {
    title = own;
    const alone = own.parentElement;
    own.remove();
    if (alone !== first && !plain(alone.textContent) && !alone.querySelector("img")) alone.remove();
  } else if (own && plain(own.textContent) === plain(reading.title ?? "")) {
    own.remove();
  }
  dropByline(reading);
  const site = reading.site ?? hostOf(reading.url);
  const source = isNowhere(reading.url) ? make("span", {}, "A saved page") : outside(reading.url, site);
  const facts = [reading.authors.join(", "), reading.published && day(reading.published), `${reading.minutes ?? 1} min`].filter(Boolean);
  return make("header", { class: "article-head" }, make("p", { class: "source" }, source), title,
    make("p", { class: "byline", dir: "auto" }, facts.join(" · ")), ending(reading));
}

/** Says how it ended; the numbers are behind a “why”. */
function ending({ complete, ended, stopped, warnings, pages }) {
  const unsure = pages.filter((page) => page.unsure.length > 0).map((page) => page.number);
  const facts = [`It ended because ${stopped.detail.replaceAll("`", "")}.`, ...warnings,
    unsure.length > 0 ? `tsugi is not sure about page ${unsure.join(", ")}.` : null].filter(Boolean);
  return make("details", { class: complete ? "ended" : "ended missing", dir: "ltr", lang: "en" },
    make("summary", {}, make("span", { class: "said" }, `${ended[0].toUpperCase()}${ended.slice(1)}`), " ", make("span", { class: "why" }, "Why?")),
    make("ul", {}, ...facts.map((fact) => make("li", {}, fact))));
}

/** Shows a whole document. */
export function showDocument(reading) {
  clear();
  if (reading.lang) article.lang = reading.lang; else article.removeAttribute("lang");
  article.dir = reading.right_to_left ? "rtl" : "ltr";
  reading.pages.forEach(showPage);
  article.prepend(head(reading));
  document.title = `${reading.title ?? reading.url} – tsugi`;
  showOutline();
}

const wide = matchMedia("(min-width: 80rem)");

/** Wide windows have the outline beside the text; narrow ones below the title, folded. */
function placeOutline() {
  const head = article.querySelector(".article-head");
  if (wide.matches || !head) article.before(outline);
  else head.after(outline);
  outline.open = wide.matches;
}

function showOutline() {
  const headings = [...article.querySelectorAll("h1, h2, h3")].filter((heading) => plain(heading.textContent));
  headings.forEach((heading, at) => { heading.dataset.at = at; heading.tabIndex = -1; });
  const entry = (heading) => {
    const link = make("a", { href: "#article" }, plain(heading.textContent));
    link.addEventListener("click", (event) => {
      event.preventDefault();
      if (!wide.matches) outline.open = false;
      heading.scrollIntoView();
      heading.focus({ preventScroll: true });
    });
    return make("li", { class: `level-${heading.localName[1]}` }, link);
  };
  outline.querySelector("ol").replaceChildren(...headings.map(entry));
  outline.dir = article.dir;
  outline.hidden = headings.length < 3;
  placeOutline();
}

wide.addEventListener("change", placeOutline);

/** Says why there is no article, and what can be done. */
export function showFailure(message, detail, url, acts) {
  clear();
  article.lang = "en";
  article.append(make("header", { class: "article-head" }, make("h1", {}, "This page could not be read"),
    make("p", {}, message), url ? make("p", { class: "byline" }, url) : null,
    make("div", { class: "row" }, ...acts), detail ? make("details", { class: "unsure" }, make("summary", {}, "Details"), detail) : null));
}

/** Goes to the next page (1) or the previous one (-1). */
export function step(by) {
  const parts = [...article.querySelectorAll(".part")];
  const here = Math.max(0, parts.findLastIndex((part) => part.getBoundingClientRect().top < 80));
  const target = parts[Math.min(parts.length - 1, Math.max(0, here + by))];
  target?.scrollIntoView();
}
