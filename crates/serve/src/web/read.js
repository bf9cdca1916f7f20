// The reading page. An article has the address `/read?url=…`, so it can be reloaded, bookmarked and opened in a new tab; `/` is
// the library.

import { ask, download, events, make, send } from "./api.js";
import { clear, isNowhere, showDocument, showFailure, showPage, step } from "./article.js";
import { list, start } from "./library.js";
import { follow, leave } from "./place.js";
import { nextTheme, resize } from "./theme.js";

const byId = (id) => document.getElementById(id);
const [status, state, cancel] = ["status", "state", "cancel"].map(byId);
const formats = { md: "Markdown", epub: "EPUB", html: "HTML", txt: "Text", json: "JSON" };
let controller = null;
let shown = null;

function say(text, isError = false, detail = null) {
  status.replaceChildren(text, ...(detail ? [" ", make("details", { class: "detail" }, make("summary", {}, "Details"), detail)] : []));
  state.classList.toggle("error", isError);
  state.hidden = !text;
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
const fail = ({ message, detail }) => say(sentence(message), true, detail);

/** Shows the library or an article. */
function view(name) {
  document.body.dataset.view = name;
  for (const id of ["library", "shelf"]) byId(id).hidden = name !== "library";
  byId("reader").hidden = name === "library";
  if (name === "library") leave();
  if (name !== "article") for (const id of ["save", "more"]) byId(id).hidden = true;
}

/** Reads a document: a request with `url`, and `html` if the page is at hand. */
async function read(given) {
  controller?.abort();
  const own = new AbortController();
  controller = own;
  shown = null;
  leave();
  view("arriving");
  clear();
  scrollTo(0, 0);
  cancel.hidden = false;
  say("Fetching the first page …");
  try {
    const answer = await ask("/api/read", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given), signal: own.signal });
    await events(answer, (name, data) => {
      if (name === "page") { showPage(data); say(`Page ${data.number} is here. Looking for the next one …`); }
      if (name === "document") { show(data, false); }
      if (name === "failed") failed(data, given);
    });
  } catch (error) {
    if (own.signal.aborted) await keepWhatIsThere(given.url, own);
    else failed(error, given);
  } finally {
    if (controller === own) { controller = null; cancel.hidden = true; }
  }
}

/** Says that nothing could be read, and offers another try. */
function failed({ message, detail, word }, given) {
  view("failed");
  say("");
  // The browser is asked for the token; then the page is tried again.
  if (word === "token") return;
  const again = make("button", { type: "button", class: "main" }, "Try again");
  again.addEventListener("click", () => read(given));
  const itself = isNowhere(given.url) || !/^https?:/.test(given.url) ? null : make("a", { href: given.url, rel: "noreferrer noopener", target: "_blank" }, "Open the page itself");
  showFailure(sentence(message), detail, isNowhere(given.url) ? null : given.url, [again, itself, make("a", { href: "/" }, "Back to your articles")].filter(Boolean));
  document.title = "Not read – tsugi";
}

/** After a stop: the server keeps what has come, and needs a moment for it. */
async function keepWhatIsThere(url, own) {
  if (controller !== own) return;
  if (byId("article").childElementCount === 0) { failed({ message: "it was stopped before the first page came" }, { url }); return; }
  say("Stopped. What has come is being kept …");
  for (let tries = 0; tries < 40 && controller === own; tries += 1) {
    const kept = await ask(`/api/history/at?url=${encodeURIComponent(url)}`).then((answer) => answer.json()).catch(() => null);
    if (kept) { show(kept, false); return; }
    await new Promise((later) => setTimeout(later, 500));
  }
  if (controller === own) say("Stopped. What has come could not be kept.", true);
}

/** Shows a document that is there. `isOpened`: not read just now, so it goes on where reading stopped. */
function show(reading, isOpened) {
  const before = scrollY;
  shown = reading;
  view("article");
  showDocument(reading);
  byId("article").append(foot(reading));
  for (const id of ["save", "more"]) byId(id).hidden = false;
  byId("save").querySelector("ul").replaceChildren(...saves());
  draw();
  // From now on this is its address, whatever it was read from.
  const address = `/read?url=${encodeURIComponent(reading.url)}`;
  if (location.pathname + location.search !== address) history[location.pathname === "/read" ? "replaceState" : "pushState"](null, "", address);
  const isBelow = follow(reading, isOpened);
  if (isBelow) sayWhereItGoesOn();
  else { say(""); scrollTo({ top: isOpened ? 0 : before, behavior: "instant" }); }
}

function sayWhereItGoesOn() {
  const top = make("button", { type: "button", class: "link" }, "Go to the beginning");
  top.addEventListener("click", () => { scrollTo(0, 0); say(""); });
  say("You stopped here. ");
  status.append(top);
  setTimeout(() => { if (status.contains(top)) say(""); }, 8_000);
}

function saves() {
  return Object.entries(formats).map(([format, name]) => {
    const button = make("button", { type: "button" }, name);
    button.addEventListener("click", async () => {
      if (format === "epub") say("Making the EPUB with its pictures …");
      try { await download(`/api/history/${shown.id}/file?format=${format}`); say(""); } catch (error) { fail(error); }
    });
    return make("li", {}, button);
  });
}

/** What stands below the last page. */
function foot({ ended, url }) {
  const home = make("a", { href: "/" }, "Back to your articles");
  return make("footer", { class: "article-foot", dir: "ltr", lang: "en" }, make("p", {}, sentence(ended)), make("ul", { class: "formats", "aria-label": "Save" }, ...saves()),
    make("p", {}, home, ...(isNowhere(url) ? [] : [" · ", make("a", { href: url, rel: "noreferrer noopener", target: "_blank" }, "The page itself")])));
}

/** Shows in the menu what the marks of the article allow. */
function draw() {
  const { archived, finished } = shown.mark;
  byId("archive").textContent = archived ? "Put back from the archive" : "Archive";
  byId("finish").textContent = finished ? "Mark as unread" : "Mark as read";
  byId("again").hidden = isNowhere(shown.url);
}

async function change(value, words) {
  try { shown.mark = await send(`/api/history/${shown.id}/mark`, value); draw(); say(words); byId("more").open = false; } catch (error) { fail(error); }
}

byId("archive").addEventListener("click", () => change({ archived: !shown.mark.archived }, shown.mark.archived ? "Put back." : "Archived."));
byId("finish").addEventListener("click", () => change({ finished: !shown.mark.finished }, shown.mark.finished ? "Marked as unread." : "Marked as read."));
byId("print").addEventListener("click", () => { byId("more").open = false; print(); });
byId("again").addEventListener("click", () => { byId("more").open = false; read({ url: shown.url }); });
byId("forget").addEventListener("click", async () => {
  try { await ask(`/api/history/${shown.id}`, { method: "DELETE" }); leave(); location.assign("/"); } catch (error) { fail(error); }
});

/** Keeps a dropped archive as a set, and offers its pages. */
async function readArchive(file) {
  const set = `${file.name.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 24)}-${Date.now().toString(36)}`;
  view("arriving");
  clear();
  say("Reading the archive …");
  try {
    const { pages, problems } = await (await ask(`/api/sets/${set}`, { method: "POST", body: file })).json();
    const order = new Intl.Collator(undefined, { numeric: true });
    pages.sort((one, other) => order.compare(one.url, other.url));
    const remove = make("button", { type: "button", class: "quiet danger" }, "Delete it from tsugi");
    remove.addEventListener("click", async () => { try { await ask(`/api/sets/${set}`, { method: "DELETE" }); location.assign("/"); } catch (error) { fail(error); } });
    byId("article").append(
      make("header", { class: "article-head" }, make("h1", {}, `Pages of ${file.name}`), make("p", { class: "byline" }, "Choose the first page of an article. The archive is kept as a set to annotate. ", remove)),
      ...(problems ? [make("div", { class: "notice" }, make("p", {}, "The archive is damaged. These pages could be read:"), make("ul", {}, ...problems.map((problem) => make("li", {}, problem))))] : []),
      make("ul", { class: "entries" }, ...pages.map(({ url: address, title, words }) => {
        const open = make("button", { type: "button", class: "plain title", dir: "auto" }, title ?? address);
        open.addEventListener("click", () => read({ url: address, set }));
        return make("li", { class: "entry" }, make("div", { class: "what" }, open, make("small", { dir: "auto" }, words), make("small", {}, address)));
      })));
    say("");
  } catch (error) { fail(error); view("library"); }
}

/** Returns the address that a saved page states itself: its canonical one, or that which a browser wrote when it saved it. */
function ownAddress(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const saved = /<!--\s*saved from url=\(\d+\)(\S+)\s*-->/.exec(html.slice(0, 5_000))?.[1];
  const said = [parsed.querySelector("link[rel~=canonical][href]")?.getAttribute("href"), parsed.querySelector("meta[property='og:url'][content]")?.getAttribute("content"), saved];
  return said.find((address) => /^https?:\/\//.test(address ?? ""));
}

/** Reads a dropped file, under its own address. An archive holds many pages. */
async function readFile(file) {
  if (/\.(warc|gz)$/i.test(file.name)) { await readArchive(file); return; }
  const html = await file.text();
  const wrong = html.trim() === "" ? "is empty" : /^%PDF/.test(html) ? "is a PDF; tsugi reads web pages" : html.includes("\0") ? "is no web page" : null;
  if (wrong) { view("library"); say(`The file ${file.name} ${wrong}.`, true); return; }
  const address = ownAddress(html);
  // A file that states no address has no next page that could be fetched.
  if (address) read({ url: address, html });
  else read({ url: `https://saved.invalid/${encodeURIComponent(file.name)}`, html, max_pages: 1 });
}

/** Opens what the address of this page names: from the library if it is there, or from its site. */
async function open() {
  const asked = new URLSearchParams(location.search);
  const url = (asked.get("url") || /https?:\/\/\S+/.exec(asked.get("text") ?? "")?.[0] || "").trim();
  if (!url) { history.replaceState(null, "", "/"); view("library"); start(say); return; }
  view("arriving");
  say("Opening …");
  const kept = await ask(`/api/history/at?url=${encodeURIComponent(url)}`).then((answer) => answer.json()).catch((error) => (error.status === 404 ? null : error));
  if (kept instanceof Error) failed(kept, { url }); else if (kept) show(kept, true); else await read({ url });
}

cancel.addEventListener("click", () => controller?.abort());
byId("file").addEventListener("change", ({ target }) => { if (target.files[0]) readFile(target.files[0]); target.value = ""; });
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("over"); });
addEventListener("dragleave", () => document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  if (event.dataTransfer.files[0]) readFile(event.dataTransfer.files[0]);
});
addEventListener("popstate", () => location.reload());
const keys = {
  "/": () => { if (byId("library").hidden) location.assign("/"); else byId("url").focus(); },
  j: () => step(1), k: () => step(-1), d: nextTheme, "+": () => resize(1), "-": () => resize(-1),
  o: () => { byId("outline").open = true; byId("outline").querySelector("a")?.focus(); },
};
addEventListener("keydown", (event) => {
  if (event.key === "Escape") controller?.abort();
  const typing = event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey;
  if (!typing && keys[event.key]) { event.preventDefault(); keys[event.key](); }
});
history.scrollRestoration = "manual";
// A page that the browser kept as it was may be older than the library.
addEventListener("pageshow", (event) => { if (event.persisted && document.body.dataset.view === "library") list(say); });
if (location.pathname === "/read" || location.search.includes("url=")) open(); else { view("library"); start(say); }
