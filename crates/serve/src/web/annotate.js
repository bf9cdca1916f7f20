// The page on which people annotate.

import { ask, download, make, send } from "./api.js";
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
  byId("delete").hidden = sets.length === 0;
  warn("These files are damaged, and left out:", sets.flatMap(({ name, damaged = [] }) => damaged.map((file) => `${name}/${file}`)));
  if (sets.length === 0) say("There is no set yet: make one of an archive.");
}

/** Names what is damaged. */
function warn(words, problems) {
  byId("problems").hidden = problems.length === 0;
  byId("problems").replaceChildren(make("p", {}, words), make("ul", {}, ...problems.map((problem) => make("li", {}, problem))));
}

async function listPages() {
  ({ pages } = await (await ask(`/api/sets/${set}?person=${person}`)).json());
  const done = pages.filter((page) => page.done).length;
  [byId("done").max, byId("done").value] = [pages.length, done];
  byId("done-words").textContent = `${done} of ${pages.length} annotated by ${person}`;
  const entry = ({ url, title, words, done: isDone, doubt }, at) => {
    const go = make("button", { type: "button", class: "plain", "aria-current": at === current ? "true" : "false" }, make("bdi", {}, title ?? url));
    go.addEventListener("click", tried(() => open(at)));
    return make("li", {}, `${at + 1}. `, go, make("small", {}, url.replace(/^https?:\/\//, "")), make("small", { dir: "auto" }, words), ` ${isDone ? "done" : `doubt ${doubt.toFixed(2)}`}`);
  };
  byId("queue").replaceChildren(...pages.map(entry));
}

async function open(at) {
  await saving;
  current = at;
  byId("frame").setAttribute("aria-busy", "true");
  facts = await send(`/api/sets/${set}/page`, { person, url: pages[at].url });
  paths = new Map(facts.paths);
  const numbers = new Map(facts.paths.map(([node, path]) => [path, node]));
  const state = facts.saved ? Marks.of(facts.saved, numbers) : Marks.empty();
  if (!facts.saved && !byId("empty").checked) {
    Object.assign(state, { next: facts.next?.node ?? null, reason: facts.next ? "" : "last", content: facts.content.nodes, without: facts.content.without });
  }
  marks = new Marks(state, new Map());
  cursor = -1;
  byId("sides").hidden = true;
  // What changes the page's height comes before the frame, so that nothing moves under the pointer later.
  await listPages();
  frame = showFrame(byId("frame"), facts.frame, on);
  draw();
  const { done } = pages[at];
  say(`Page ${at + 1} of ${pages.length}: ${facts.title ?? facts.url}${done ? " (annotated before)" : ""}`);
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

/** Saves after every change, one save at a time. A page without any mark is saved only if that is meant so. */
function changed(isMeant = false) {
  draw();
  if (marks.all().length === 0 && !isMeant) {
    say("Nothing is marked now. Confirm the page to save it empty.");
    return saving;
  }
  const { url } = pages[current];
  const annotation = marks.annotation(paths, !byId("empty").checked);
  saving = saving.then(() => send(`/api/sets/${set}/labels`, { person, url, annotation }))
    .then(() => say("Saved."))
    .catch((error) => say(`Not saved: ${error.message}`, true));
  return saving;
}

function on({ kind: what, node, nodes, key, parents }) {
  if (what === "ready") {
    marks.parents = new Map(parents);
    draw();
    // The focus moves before the page counts as ready, and only if nobody has gone on to something else.
    if (document.activeElement === document.body || byId("who").contains(document.activeElement) || document.activeElement === byId("confirm")) frame.focus();
    byId("frame").setAttribute("aria-busy", "false");
    return;
  }
  if (byId("frame").getAttribute("aria-busy") === "true") return;
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

/** Asks whether a page without any mark is meant so. Why it has no next link may come from the draft. */
async function isSure() {
  if (marks.all().length > 0) return true;
  const dialog = byId("sure");
  dialog.returnValue = "no";
  dialog.showModal();
  await new Promise((closed) => { dialog.addEventListener("close", closed, { once: true }); });
  return dialog.returnValue === "yes";
}

async function confirm() {
  if (byId("sure").open || !await isSure()) return;
  await changed(true);
  const after = pages.findIndex(({ done }, at) => !done && at !== current);
  await listPages();
  if (after < 0) say("All pages of this set are annotated.");
  else await open(after);
}

const shown = (value) => (value == null ? "–" : value.toFixed(3));

async function compare() {
  const { confirmed, rows, disagreements } = await (await ask(`/api/sets/${set}/agreement`)).json();
  const head = ["Who", confirmed ? "Against" : "Against (nothing is settled)", "Pages", "Precision", "Recall", "F", "Perfect", "Same next", "κ of links"];
  const row = ({ person: who, against, agreement: a }) => make("tr", {}, ...[who, against, String(a.pages), ...[a.precision, a.recall, a.f, a.perfect, a.same_next, a.kappa].map(shown)].map((cell) => make("td", {}, cell)));
  const table = make("table", { class: "numbers" }, make("thead", {}, make("tr", {}, ...head.map((cell) => make("th", { scope: "col" }, cell)))), make("tbody", {}, ...rows.map(row)));
  const settle = ({ url, title, people, settled }) => {
    const go = make("button", { type: "button", class: "plain" }, title ?? url);
    go.addEventListener("click", tried(async () => { person = "settled"; byId("person").value = person; await listPages(); await open(pages.findIndex((page) => page.url === url)); await showSides(url, people); }));
    return make("li", {}, go, ` ${people.join(", ")} differ${settled ? "; settled" : ""}`);
  };
  byId("agreement").replaceChildren(
    rows.length === 0 ? make("p", {}, "Two people have to annotate the same pages first.") : table,
    make("h3", {}, `Disagreements: ${disagreements.length}`), make("p", {}, "Open one to settle it, as the person “settled”."), make("ul", {}, ...disagreements.map(settle)));
}

/** Shows the labellings of two people side by side. One of them can be taken as it is. */
async function showSides(url, people) {
  const numbers = new Map(facts.paths.map(([node, path]) => [path, node]));
  const side = async (who) => {
    const { saved } = await send(`/api/sets/${set}/page`, { person: who, url });
    const of = Marks.of(saved, numbers);
    const take = make("button", { type: "button" }, `Take ${who}’s`);
    take.addEventListener("click", () => { marks.change((state) => Object.assign(state, structuredClone(of))); changed(); });
    const look = make("button", { type: "button", class: "quiet" }, "Show");
    look.addEventListener("click", () => frame.paint(new Marks(of, marks.parents).paint()));
    return { who, of, take, look };
  };
  const sides = await Promise.all(people.map(side));
  const href = new Map(facts.hrefs);
  const cell = (kind, { of }) => {
    const nodes = [of[kind]].flat().filter((node) => node !== null);
    if (kind === "next" && nodes.length === 0) return of.reason ? `none: ${of.reason}` : "none";
    return nodes.map((node) => (kind === "next" ? href.get(node) : null) ?? paths.get(node)).join("\n") || "–";
  };
  const row = ([kind, { name }]) => {
    const cells = sides.map((one) => cell(kind, one));
    const differs = new Set(cells).size > 1;
    return make("tr", { class: differs ? "differs" : "" }, make("th", { scope: "row" }, name), ...cells.map((words) => make("td", {}, words)));
  };
  byId("sides").replaceChildren(make("table", { class: "numbers" },
    make("thead", {}, make("tr", {}, make("td", {}), ...sides.map(({ who, take, look }) => make("th", { scope: "col" }, `${who} `, take, " ", look)))),
    make("tbody", {}, ...Object.entries(kinds).map(row))));
  byId("sides").hidden = false;
}

async function learn() {
  const { host } = new URL(pages[current].url);
  const { item, taught, agree, previews } = await send(`/api/sets/${set}/rule`, { person, host: host.replace(/:\d+$/, "") });
  const entry = ({ url, next, content, text }) => make("li", {}, make("b", {}, url), make("br"), `next: ${next ?? "none"}; ${content} element(s): ${text} …`);
  byId("rule").replaceChildren(
    make("p", {}, `Learned from ${taught} pages; the rule says the same on ${agree} of them. On other pages of the site:`),
    make("ul", {}, ...previews.map(entry)), useOf(item));
}

/** Shows a rule, and how to use it. */
function useOf(item) {
  const json = JSON.stringify([item], null, 2);
  const copy = make("button", { type: "button" }, "Copy it");
  copy.addEventListener("click", tried(async () => { await navigator.clipboard.writeText(json); say("The rule is copied."); }));
  const file = make("a", { href: URL.createObjectURL(new Blob([json], { type: "application/json" })), download: "siteinfo.json" }, "Save it as siteinfo.json");
  return make("div", {}, make("p", { class: "row" }, copy, file), make("p", {}, "Use it with ", make("code", {}, "tsugi join --rules siteinfo.json …"), ", and with the same option of ", make("code", {}, "tsugi serve"), " for everything that is read here."), make("pre", { tabindex: "0" }, json));
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
}));
byId("make").addEventListener("submit", tried(async () => {
  say("Reading the archive …");
  const { problems = [] } = await (await ask(`/api/sets/${byId("name").value}`, { method: "POST", body: byId("archive").files[0] })).json();
  await listSets();
  if (problems.length > 0) warn("The archive is damaged. The set has the pages that could be read:", problems);
  say("The set is made.");
}));
byId("none").addEventListener("change", ({ target }) => { marks.none(target.value); changed(); });
byId("undo").addEventListener("click", () => { marks.undo(); changed(); });
byId("confirm").addEventListener("click", tried(confirm));
byId("export").addEventListener("click", tried(() => download(`/api/sets/${set}/labels/${person}`)));
byId("delete").addEventListener("click", tried(async () => {
  const name = byId("set").value;
  if (!globalThis.confirm(`Delete the set ${name} with everybody’s labels?`)) return;
  await ask(`/api/sets/${name}`, { method: "DELETE" });
  byId("work").hidden = true;
  marks = null;
  say("The set is deleted.");
  await listSets();
}));
byId("compare").addEventListener("click", tried(compare));
byId("learn").addEventListener("click", tried(learn));
addEventListener("keydown", (event) => {
  if (!marks || byId("sure").open || event.target.matches("input, select, button, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
  press(event.key);
});
tried(listSets)();
