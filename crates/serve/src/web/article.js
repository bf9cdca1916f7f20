// Shows a document: pages with their marks, what is uncertain, and the outline.
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
      .catch(() => { target.replaceWith(make("span", { class: "byline" }, `[image: ${target.alt || "not available"}]`)); })
      .finally(() => { delete target.dataset.waiting; });
  }
}, { rootMargin: "600px" });

/** Shows one page, in place of an earlier version of it. */
export function showPage({ number, url, html, unsure }) {
  const mark = make("div", { class: "page-mark" }, make("span", {}, `Page ${number}`), make("a", { href: url, rel: "noreferrer noopener", target: "_blank" }, "the page itself"));
  const doubt = unsure.length === 0 ? null : make("details", { class: "unsure" },
    make("summary", {}, "Uncertain: look at this page yourself"), make("ul", {}, ...unsure.map((words) => make("li", {}, words))));
  const section = make("section", { id: `part-${number}`, class: "part", "aria-label": `Page ${number}` }, mark, doubt, ...nodes(html));
  const old = document.getElementById(section.id);
  if (old) old.replaceWith(section); else article.append(section);
  for (const image of section.querySelectorAll("img[data-waiting]")) near.observe(image);
}

export function clear() {
  article.replaceChildren();
  outline.hidden = true;
}

/** Shows a whole document. */
export function showDocument(reading) {
  clear();
  if (reading.lang) article.lang = reading.lang; else article.removeAttribute("lang");
  const byline = [reading.authors.join(", "), reading.published, reading.site].filter(Boolean).join(" · ");
  if (byline) article.append(make("p", { class: "byline" }, byline));
  reading.pages.forEach(showPage);
  const isTitled = [...article.querySelectorAll("h1")].some((heading) => heading.textContent.trim());
  if (!isTitled && reading.title) article.prepend(make("h1", {}, reading.title));
  document.title = `${reading.title ?? reading.url} – tsugi`;
  showOutline();
}

function showOutline() {
  const headings = [...article.querySelectorAll("h1, h2, h3, h4")].filter((heading) => heading.textContent.trim());
  headings.forEach((heading, at) => { heading.dataset.at = at; heading.tabIndex = -1; });
  const entry = (heading) => {
    const link = make("a", { href: "#article" }, heading.textContent.trim());
    link.addEventListener("click", (event) => { event.preventDefault(); heading.scrollIntoView(); heading.focus({ preventScroll: true }); });
    return make("li", { class: `level-${heading.localName[1]}` }, link);
  };
  outline.querySelector("ol").replaceChildren(...headings.map(entry));
  outline.hidden = headings.length < 2;
}

/** Goes to the next page (1) or the previous one (-1). */
export function step(by) {
  const parts = [...article.querySelectorAll(".part")];
  const here = parts.findLastIndex((part) => part.getBoundingClientRect().top < 40);
  const target = parts[Math.min(parts.length - 1, Math.max(0, here + by))];
  target?.scrollIntoView();
}

/** Says in one line what was joined, and why it ended. */
export function line({ pages, site, url, complete, stopped, warnings }) {
  const count = `${pages.length} page${pages.length === 1 ? "" : "s"}`;
  const end = complete ? "ends because" : "NOT COMPLETE: stopped because";
  const more = warnings.length === 0 ? "" : ` Warnings: ${warnings.join("; ")}.`;
  return `Joined ${count} of ${site ?? new URL(url).host}; ${end}: ${stopped.detail}.${more}`.replaceAll("`", "");
}
