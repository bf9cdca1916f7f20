// The reading page.

import { ask, events, make, send } from "./api.js";
import { clear, line, showDocument, showPage, step } from "./article.js";
import { resize, toggleTheme } from "./theme.js";

const byId = (id) => document.getElementById(id);
const [url, status, go, cancel, downloads] = ["url", "status", "go", "cancel", "downloads"].map(byId);
const formats = { md: "Markdown", epub: "EPUB", html: "HTML", json: "JSON", txt: "Text" };
let controller = null;
let searches = 0;

function say(text, isError = false) {
  status.textContent = text;
  status.classList.toggle("error", isError);
}

/** Reads a document: a request with `url`, and `html` if the page is at hand. */
async function read(given) {
  controller?.abort();
  const own = new AbortController();
  controller = own;
  clear();
  downloads.hidden = true;
  go.disabled = true;
  cancel.hidden = false;
  say("Fetching the first page …");
  try {
    const answer = await ask("/api/read", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given), signal: own.signal });
    await events(answer, (name, data) => {
      if (name === "page") { showPage(data); say(`Page ${data.number} is here; looking for the next one …`); }
      if (name === "document") { show(data); searchHistory(); }
      if (name === "failed") say(`Not read: ${data.message}`, true);
    });
  } catch (error) {
    say(own.signal.aborted ? "Cancelled. What is shown below is not complete." : `Not read: ${error.message}`, true);
  } finally {
    if (controller === own) { controller = null; go.disabled = false; cancel.hidden = true; }
  }
}

function show(reading) {
  showDocument(reading);
  say(line(reading), !reading.complete);
  const link = ([format, name]) => {
    const button = make("button", { type: "button" }, name);
    button.addEventListener("click", () => download(reading.id, format));
    return make("li", {}, button);
  };
  downloads.querySelector("ul").replaceChildren(...Object.entries(formats).map(link));
  downloads.hidden = false;
}

async function download(id, format) {
  try {
    const file = await (await ask(`/api/history/${id}/file?format=${format}`)).blob();
    const address = URL.createObjectURL(file);
    make("a", { href: address, download: `tsugi-${id}.${format}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  } catch (error) { say(`Not downloaded: ${error.message}`, true); }
}

/** Shows what the history has for the words in the field. An answer that a later search has overtaken is not shown. */
async function searchHistory() {
  searches += 1;
  const own = searches;
  try {
    const { documents } = await (await ask(`/api/history?q=${encodeURIComponent(byId("search").value)}`)).json();
    if (own !== searches) return;
    byId("history").replaceChildren(...documents.map(entry));
    if (documents.length === 0) byId("history").append(make("li", {}, "Nothing."));
  } catch (error) { say(error.message, true); }
}

function entry({ id, title, url: address, site, read: when, complete }) {
  const open = make("a", { href: `#${id}` }, title ?? address);
  open.addEventListener("click", (event) => { event.preventDefault(); openKept(id); });
  const forget = make("button", { type: "button", "aria-label": `Forget ${title ?? address}` }, "Forget");
  forget.addEventListener("click", async () => { await ask(`/api/history/${id}`, { method: "DELETE" }).catch((error) => say(error.message, true)); searchHistory(); });
  return make("li", {}, open, make("small", {}, `${site ?? new URL(address).host} · ${when.slice(0, 10)}${complete ? "" : " · not complete"}`), forget);
}

async function openKept(id) {
  try { show(await (await ask(`/api/history/${id}`)).json()); byId("article").focus(); } catch (error) { say(error.message, true); }
}

/** Keeps a dropped archive as a set, and offers its pages. */
async function readArchive(file) {
  const set = `${file.name.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 24)}-${Date.now().toString(36)}`;
  say("Reading the archive …");
  try {
    const { pages } = await (await ask(`/api/sets/${set}`, { method: "POST", body: file })).json();
    const inOrder = pages.map((page) => page.url).sort();
    clear();
    byId("article").append(make("h1", {}, `Pages of ${file.name}`), make("ul", {}, ...inOrder.map((address) => {
      const open = make("button", { type: "button", class: "plain" }, address);
      open.addEventListener("click", () => read({ url: address, set }));
      return make("li", {}, open);
    })));
    say(`${pages.length} pages are in the archive. Choose the first one of an article.`);
  } catch (error) { say(`Not read: ${error.message}`, true); }
}

/** Reads a dropped file. An archive holds many pages. A page's address is the canonical one that it names, or that in the field. */
async function readFile(file) {
  if (/\.(warc|gz)$/i.test(file.name)) { await readArchive(file); return; }
  const html = await file.text();
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const canonical = parsed.querySelector("link[rel~=canonical][href], meta[property='og:url'][content]");
  const named = canonical?.getAttribute("href") ?? canonical?.getAttribute("content");
  const address = [url.value, named].find((text) => /^https?:\/\//.test(text ?? ""));
  if (!address) { say("The file does not say its address: put it into the field, and drop the file again.", true); return; }
  url.value = address;
  read({ url: address, html });
}

byId("ask").addEventListener("submit", (event) => { event.preventDefault(); read({ url: url.value }); });
cancel.addEventListener("click", () => controller?.abort());
byId("file").addEventListener("change", ({ target }) => { if (target.files[0]) readFile(target.files[0]); });
byId("search").addEventListener("input", searchHistory);
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("over"); });
addEventListener("dragleave", () => document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  if (event.dataTransfer.files[0]) readFile(event.dataTransfer.files[0]);
});
const keys = {
  "/": () => url.focus(), j: () => step(1), k: () => step(-1), d: toggleTheme, "+": () => resize(1), "-": () => resize(-1),
  o: () => byId("outline").querySelector("a")?.focus(),
};
addEventListener("keydown", (event) => {
  if (event.key === "Escape") controller?.abort();
  const typing = event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey;
  if (!typing && keys[event.key]) { event.preventDefault(); keys[event.key](); }
});
searchHistory();
