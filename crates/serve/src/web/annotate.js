// The page on which people annotate.

import { ask, make, send } from "./api.js";
import { showFrame } from "./frame.js";
import { Marks, kinds } from "./marks.js";

const byId = (id) => document.getElementById(id);
let [set, person, pages, current, facts, frame, marks, paths, cursor] = ["", "", [], -1, null, null, null, new Map(), -1];
let kind = "content";
let saving = Promise.resolve();

function say(text, isError = false) {
  byId("status").textContent = text;
  byId("status").classList.toggle("error", isError);
}

/** Runs something that may fail, and says why it did. */
const tried = (work) => async (event) => {
  event?.preventDefault();
  try { await work(event); } catch (error) { say(error.message, true); }
};

async function listSets() {
  const { sets } = await (await ask("/api/sets")).json();
  byId("set").replaceChildren(...sets.map(({ name, pages: count }) => make("option", { value: name }, `${name} (${count} pages)`)));
  if (sets.length === 0) say("There is no set yet: make one of an archive.");
}

async function listPages() {
  ({ pages } = await (await ask(`/api/sets/${set}?person=${person}`)).json());
  const entry = ({ url, title, done, doubt }, at) => {
    const go = make("button", { type: "button", class: "plain", "aria-current": at === current }, title ?? url);
    go.addEventListener("click", tried(() => open(at)));
    return make("li", {}, go, ` ${done ? "done" : `doubt ${doubt.toFixed(2)}`}`);
  };
  byId("queue").replaceChildren(...pages.map(entry));
}

async function open(at) {
  await saving;
  current = at;
  facts = await send(`/api/sets/${set}/page`, { person, url: pages[at].url });
  paths = new Map(facts.paths);
  const numbers = new Map(facts.paths.map(([node, path]) => [path, node]));
  const state = facts.saved ? Marks.of(facts.saved, numbers) : Marks.empty();
  if (!facts.saved && !byId("empty").checked) {
    Object.assign(state, { next: facts.next?.node ?? null, reason: facts.next ? "" : "last", content: facts.content.nodes, without: facts.content.without });
  }
  marks = new Marks(state, new Map());
  cursor = -1;
  byId("frame").setAttribute("aria-busy", "true");
  frame = showFrame(byId("frame"), facts.frame, on);
  draw();
  const { done } = pages[at];
  say(`Page ${at + 1} of ${pages.length}: ${facts.title ?? facts.url}${done ? " (annotated before)" : ""}`);
  await listPages();
}

function draw() {
  frame.paint(marks.paint());
  byId("none").value = marks.state.reason;
  const href = new Map(facts.hrefs);
  const entry = ([of, node]) => {
    const drop = make("button", { type: "button", "aria-label": `Remove ${kinds[of].name}` }, "Remove");
    drop.addEventListener("click", () => { marks.remove(of, node); changed(); });
    return make("li", {}, `${kinds[of].name}: `, make("code", {}, of === "next" ? href.get(node) ?? paths.get(node) : paths.get(node)), " ", drop);
  };
  byId("marked").replaceChildren(...marks.all().map(entry));
}

/** Saves after every change, one save at a time. */
function changed() {
  draw();
  const { url } = pages[current];
  const annotation = marks.annotation(paths, !byId("empty").checked);
  saving = saving.then(() => send(`/api/sets/${set}/labels`, { person, url, annotation }))
    .then(() => say("Saved."))
    .catch((error) => say(`Not saved: ${error.message}`, true));
  return saving;
}

function on({ kind: what, node, nodes, key, parents }) {
  if (what === "ready") { marks.parents = new Map(parents); draw(); frame.focus(); byId("frame").setAttribute("aria-busy", "false"); }
  if (what === "at") cursor = node;
  if (what === "click") { marks.mark(kind, linkAt(node)); changed(); }
  if (what === "drag") { marks.sweep(kind, smallest(nodes)); changed(); }
  if (what === "key") press(key);
}

/** Returns the link around an element if a link is to be marked. */
function linkAt(node) {
  if (kind !== "next") return node;
  const hrefs = new Map(facts.hrefs);
  for (let at = node; at !== undefined && at >= 0; at = marks.parents.get(at)) if (hrefs.has(at)) return at;
  say("This is no link.", true);
  return -1;
}

/** Returns elements that hold no other one of them: what the pointer crossed, without what is around all. */
function smallest(nodes) {
  const all = [...new Set(nodes)];
  return all.filter((outer) => !all.some((inner) => inner !== outer && marks.isWithin(inner, outer)));
}

function choose(next) {
  kind = next;
  for (const button of byId("tools").children) button.setAttribute("aria-pressed", String(button.dataset.kind === kind));
}

function press(key) {
  const chosen = Object.keys(kinds).find((one) => kinds[one].key === key);
  if (chosen) choose(chosen);
  else if (key === " " && cursor >= 0) { marks.mark(kind, linkAt(cursor)); changed(); }
  else if (key === "u") { marks.undo(); changed(); }
  else if (key === "0") { marks.none("last"); changed(); }
  else if (key === "Enter") tried(confirm)();
}

async function confirm() {
  await changed();
  const after = pages.findIndex(({ done }, at) => !done && at !== current);
  await listPages();
  if (after < 0) say("All pages of this set are annotated.");
  else { await open(after); frame.focus(); }
}

const shown = (value) => (value == null ? "–" : value.toFixed(3));

async function compare() {
  const { confirmed, rows, disagreements } = await (await ask(`/api/sets/${set}/agreement`)).json();
  const head = ["Who", confirmed ? "Against" : "Against (nothing is settled)", "Pages", "Precision", "Recall", "F", "Perfect", "Same next", "κ of links"];
  const row = ({ person: who, against, agreement: a }) => make("tr", {}, ...[who, against, String(a.pages), ...[a.precision, a.recall, a.f, a.perfect, a.same_next, a.kappa].map(shown)].map((cell) => make("td", {}, cell)));
  const table = make("table", { class: "numbers" }, make("thead", {}, make("tr", {}, ...head.map((cell) => make("th", { scope: "col" }, cell)))), make("tbody", {}, ...rows.map(row)));
  const settle = ({ url, title, people, settled }) => {
    const go = make("button", { type: "button", class: "plain" }, title ?? url);
    go.addEventListener("click", tried(async () => { person = "settled"; byId("person").value = person; await listPages(); await open(pages.findIndex((page) => page.url === url)); }));
    return make("li", {}, go, ` ${people.join(", ")} differ${settled ? "; settled" : ""}`);
  };
  byId("agreement").replaceChildren(
    rows.length === 0 ? make("p", {}, "Two people have to annotate the same pages first.") : table,
    make("h3", {}, `Disagreements: ${disagreements.length}`), make("p", {}, "Open one to settle it, as the person “settled”."), make("ul", {}, ...disagreements.map(settle)));
}

async function learn() {
  const { host } = new URL(pages[current].url);
  const { item, taught, agree, previews } = await send(`/api/sets/${set}/rule`, { person, host: host.replace(/:\d+$/, "") });
  const entry = ({ url, next, content, text }) => make("li", {}, make("b", {}, url), make("br"), `next: ${next ?? "none"}; ${content} element(s): ${text} …`);
  byId("rule").replaceChildren(
    make("p", {}, `Learned from ${taught} pages; the rule says the same on ${agree} of them. On other pages of the site:`),
    make("ul", {}, ...previews.map(entry)), make("pre", { tabindex: "0" }, JSON.stringify([item], null, 2)));
}

byId("tools").append(...Object.entries(kinds).map(([one, { key, name }]) => {
  const button = make("button", { type: "button", "data-kind": one, "aria-pressed": "false" }, `${name} (${key})`);
  button.addEventListener("click", () => choose(one));
  return button;
}));
choose("content");
byId("who").addEventListener("submit", tried(async () => {
  [set, person] = [byId("set").value, byId("person").value];
  await listPages();
  byId("work").hidden = false;
  const first = pages.findIndex(({ done }) => !done);
  await open(Math.max(0, first));
  frame.focus();
}));
byId("make").addEventListener("submit", tried(async () => {
  say("Reading the archive …");
  await ask(`/api/sets/${byId("name").value}`, { method: "POST", body: byId("archive").files[0] });
  await listSets();
  say("The set is made.");
}));
byId("none").addEventListener("change", ({ target }) => { marks.none(target.value); changed(); });
byId("undo").addEventListener("click", () => { marks.undo(); changed(); });
byId("confirm").addEventListener("click", tried(confirm));
byId("compare").addEventListener("click", tried(compare));
byId("learn").addEventListener("click", tried(learn));
addEventListener("keydown", (event) => {
  if (!marks || event.target.matches("input, select, button, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
  press(event.key);
});
tried(listSets)();
