// The page on which people annotate.

import { ask, download, make, send } from "./api.js";
import { showFrame } from "./frame.js";
import { Marks, kinds } from "./marks.js";
import { paintOf, roles, startOf } from "./roles.js";

const byId = (id) => document.getElementById(id);
let [set, person, pages, current, facts, frame, marks, paths, cursor] = ["", "", [], -1, null, null, null, new Map(), -1];
let kind = "content";
// What the person speaks of: `content` (and the next link), or `roles`. Of the blocks, `block` is the current one.
let mode = "content";
let block = 0;
// Whether pages are shown as their sites show them.
let isDressed = false;
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
  const done = pages.filter(isDone).length;
  [byId("done").max, byId("done").value] = [pages.length, done];
  byId("done-words").textContent = `${done} of ${pages.length} annotated by ${person}${mode === "roles" ? " (roles)" : ""}`;
  const entry = (line, at) => {
    const { url, title, words, doubt } = line;
    const go = make("button", { type: "button", class: "plain", "aria-current": at === current ? "true" : "false" }, make("bdi", {}, title ?? url));
    go.addEventListener("click", tried(() => open(at)));
    return make("li", {}, `${at + 1}. `, go, make("small", {}, url.replace(/^https?:\/\//, "")), make("small", { dir: "auto" }, words), ` ${isDone(line) ? "done" : `doubt ${doubt.toFixed(2)}`}`);
  };
  byId("queue").replaceChildren(...pages.map(entry));
}

/** Whether the person has said of a page what the mode is about. */
const isDone = (line) => (mode === "roles" ? line.roles_done : line.done);

async function open(at) {
  await saving;
  [current, block] = [at, 0];
  byId("frame").setAttribute("aria-busy", "true");
  facts = await send(`/api/sets/${set}/page`, { person, url: pages[at].url });
  paths = new Map(facts.paths);
  const numbers = new Map(facts.paths.map(([node, path]) => [path, node]));
  const state = facts.saved ? Marks.of(facts.saved, numbers, facts.text_blocks) : Marks.empty();
  const hasDraft = !byId("empty").checked;
  if (!state.said.roles) state.roles = hasDraft ? draftRoles() : facts.text_blocks.map(() => null);
  if (!state.said.content && hasDraft) {
    Object.assign(state, { next: facts.next?.node ?? null, reason: facts.next ? "" : "last", content: facts.content.nodes, without: facts.content.without });
  }
  marks = new Marks(state, new Map());
  cursor = -1;
  byId("sides").hidden = true;
  // What changes the page's height comes before the frame, so that nothing moves under the pointer later.
  await listPages();
  frame = showFrame(byId("frame"), facts.frame, on);
  draw();
  say(`Page ${at + 1} of ${pages.length}: ${facts.title ?? facts.url}${isDone(pages[at]) ? " (annotated before)" : ""}`);
}

/** Shows the page as its site does: with its style sheets and pictures, which the server fetches. */
async function dress() {
  const own = frame;
  const isWanted = () => isDressed && own.isShown();
  const { images, sheets, missing } = await send(`/api/sets/${set}/style`, { url: pages[current].url });
  if (!isWanted()) return;
  own.dress(sheets);
  let lost = 0;
  const waiting = [...images];
  const fetchPictures = async () => {
    while (waiting.length > 0 && isWanted()) {
      const [node, url] = waiting.shift();
      const image = await ask(`/api/image?url=${encodeURIComponent(url)}`).then((answer) => answer.blob()).catch(() => { lost += 1; });
      if (image && isWanted()) own.picture(node, await image.arrayBuffer(), image.type);
    }
  };
  await Promise.all([1, 2, 3, 4].map(fetchPictures));
  if (isWanted() && missing + lost > 0) say(`The site’s look is not whole: ${missing} of ${sheets.length + missing} style sheets and ${lost} of ${images.length} pictures could not be had.`);
}

async function toggleDress() {
  isDressed = !isDressed;
  byId("site-style").setAttribute("aria-pressed", String(isDressed));
  if (!isDressed) { frame?.dress(null); draw(); return; }
  say("The site is asked for its style sheets and pictures …");
  await dress();
  draw();
  if (byId("status").textContent.startsWith("The site is asked")) say("The page is shown as its site shows it, without its scripts.");
}

const draftRoles = () => facts.text_blocks.map(({ role }) => role);

/** Shows the tools of a mode, and what is said in it. */
async function speakOf(next) {
  mode = next;
  for (const button of byId("modes").querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  for (const id of ["tools", "none-label", "marks", "content-keys"]) byId(id).hidden = mode !== "content";
  for (const id of ["role-tools", "take-draft", "roles", "role-keys"]) byId(id).hidden = mode !== "roles";
  if (!marks) return;
  await saving;
  await listPages();
  draw();
  frame.moves(mode === "content");
  say(mode === "roles" ? `Roles. ${wordsOf(block)}` : "Content and next link.");
}

function draw() {
  if (mode === "roles") { drawRoles(); return; }
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

function drawRoles() {
  const { text_blocks: blocks } = facts;
  const { roles: named } = marks.state;
  frame.paint(paintOf(named, blocks, block));
  for (const button of byId("role-tools").children) button.setAttribute("aria-pressed", String(button.dataset.role === named[block]));
  const open = named.filter((role) => role === null).length;
  byId("blocks-words").textContent = `Blocks: ${blocks.length - open} of ${blocks.length} have a role`;
  const isFocused = byId("blocks").contains(document.activeElement);
  const entry = (one, at) => {
    const go = make("button", { type: "button", class: "plain", "aria-current": at === block ? "true" : "false" }, make("b", {}, named[at] ?? "?"), " ", make("bdi", {}, startOf(one)));
    go.addEventListener("click", () => goTo(at));
    return make("li", {}, go);
  };
  byId("blocks").replaceChildren(...blocks.map(entry));
  const here = byId("blocks").children[block];
  if (!here) return;
  if (isFocused) here.firstElementChild.focus({ preventScroll: true });
  // Only the list scrolls, not the page.
  const list = byId("blocks");
  list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
}

const wordsOf = (at) => {
  const one = facts.text_blocks[at];
  return one ? `Block ${at + 1} of ${facts.text_blocks.length}: ${marks.state.roles[at] ?? "no role yet"}. ${startOf(one)}` : "This page has no text.";
};

function goTo(at) {
  block = Math.max(0, Math.min(at, facts.text_blocks.length - 1));
  drawRoles();
  frame.show(facts.text_blocks[block]?.texts[0]);
  say(wordsOf(block));
}

/** Says the role of the current block, and goes on to the next one. */
function name(role) {
  if (facts.text_blocks.length === 0) return;
  const at = block;
  marks.change((state) => { state.roles[at] = role; });
  block = Math.min(at + 1, facts.text_blocks.length - 1);
  frame.show(facts.text_blocks[block].texts[0]);
  changed(false, `Saved: ${role}. ${wordsOf(block)}`);
}

/** Saves after every change, one save at a time. A page without any mark is saved only if that is meant so. */
function changed(isMeant = false, words = "Saved.") {
  const { said } = marks.state;
  if (mode === "roles") said.roles = true;
  else said.content = isMeant || marks.all().length > 0;
  draw();
  if (mode === "content" && !said.content) {
    say("Nothing is marked now. Confirm the page to save it empty.");
    return saving;
  }
  const { url } = pages[current];
  const annotation = marks.annotation(paths, facts.text_blocks, !byId("empty").checked);
  saving = saving.then(() => send(`/api/sets/${set}/labels`, { person, url, annotation }))
    .then(() => say(words))
    .catch((error) => say(`Not saved: ${error.message}`, true));
  return saving;
}

function on({ kind: what, node, nodes, text, key, parents }) {
  if (what === "ready") {
    marks.parents = new Map(parents);
    draw();
    frame.moves(mode === "content");
    if (isDressed) tried(dress)();
    // The focus moves before the page counts as ready, and only if nobody has gone on to something else.
    if (document.activeElement === document.body || byId("who").contains(document.activeElement) || document.activeElement === byId("confirm")) frame.focus();
    byId("frame").setAttribute("aria-busy", "false");
    return;
  }
  if (byId("frame").getAttribute("aria-busy") === "true") return;
  if (what === "key") press(key);
  if (mode === "roles") {
    const at = what === "click" ? facts.text_blocks.findIndex(({ texts }) => texts.includes(text)) : -1;
    if (at >= 0) goTo(at);
    return;
  }
  if (what === "at") cursor = node;
  if (what === "click") { marks.mark(kind, linkAt(node)); changed(); }
  if (what === "drag") { marks.sweep(kind, smallest(nodes)); changed(); }
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

const steps = { j: 1, ArrowDown: 1, ArrowRight: 1, k: -1, ArrowUp: -1, ArrowLeft: -1 };

function press(key) {
  if (key === "u") { marks.undo(); changed(); return; }
  if (key === "v") { tried(() => speakOf(mode === "roles" ? "content" : "roles"))(); return; }
  if (key === "Enter") { tried(confirm)(); return; }
  if (mode === "roles") {
    const role = Object.keys(roles).find((one) => roles[one].key === key);
    if (role) name(role);
    else if (steps[key]) goTo(block + steps[key]);
    return;
  }
  const chosen = Object.keys(kinds).find((one) => kinds[one].key === key);
  if (chosen) choose(chosen);
  else if (key === " " && cursor >= 0) { marks.mark(kind, linkAt(cursor)); changed(); }
  else if (key === "0") { marks.none("last"); changed(); }
}

/** Asks whether something is meant so. */
async function isSure(title, words, yes) {
  const dialog = byId("sure");
  [byId("sure-title").textContent, byId("sure-words").textContent, byId("sure-yes").textContent] = [title, words, yes];
  dialog.returnValue = "no";
  dialog.showModal();
  await new Promise((closed) => { dialog.addEventListener("close", closed, { once: true }); });
  return dialog.returnValue === "yes";
}

/** Asks about what is missing on the page. Why it has no next link may come from the draft. */
async function isWhole() {
  if (mode === "content") return marks.all().length > 0 || isSure("Nothing is marked on this page", "Save it as a page that has no content and no next link?", "Save it empty");
  const open = marks.state.roles.filter((role) => role === null).length;
  if (open === 0) return true;
  if (!await isSure(`${open} ${open === 1 ? "block has" : "blocks have"} no role yet`, "Save them as the site’s: menus, notices, and the like?", "Save them as the site’s")) return false;
  marks.change((state) => { state.roles = state.roles.map((role) => role ?? "site"); });
  return true;
}

/** Asks before what the person has said is replaced. */
const mayReplace = (what) => isSure(`Replace ${what}?`, "What you said of this page is replaced. Undo (u) brings it back.", "Replace it");

async function takeDraft() {
  if (marks.state.said.roles && !await mayReplace("your roles")) return;
  marks.change((state) => { state.roles = draftRoles(); });
  changed();
}

async function confirm() {
  if (byId("sure").open || !await isWhole()) return;
  await changed(true);
  const after = pages.findIndex((line, at) => !isDone(line) && at !== current);
  await listPages();
  if (after < 0) say("All pages of this set are annotated.");
  else await open(after);
}

const shown = (value) => (value == null ? "–" : value.toFixed(3));

async function compare() {
  const { confirmed, rows, disagreements } = await (await ask(`/api/sets/${set}/agreement`)).json();
  const head = ["Who", confirmed ? "Against" : "Against (nothing is settled)", "Pages", "Precision", "Recall", "F", "Perfect", "Same next", "κ of links", "Blocks with roles", "Same role", "κ of roles"];
  const row = ({ person: who, against, agreement: a }) => make("tr", {}, ...[who, against, String(a.pages), ...[a.precision, a.recall, a.f, a.perfect, a.same_next, a.kappa].map(shown), String(a.role_blocks), shown(a.same_role), shown(a.role_kappa)].map((cell) => make("td", {}, cell)));
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
    const of = Marks.of(saved, numbers, facts.text_blocks);
    const take = make("button", { type: "button" }, `Take ${who}’s`);
    take.addEventListener("click", tried(() => takeOf(of)));
    const look = make("button", { type: "button", class: "quiet" }, "Show");
    look.addEventListener("click", () => frame.paint(mode === "roles" ? paintOf(of.roles, facts.text_blocks, -1) : new Marks(of, marks.parents).paint()));
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
  const marked = sides.every(({ of }) => of.said.content) ? Object.entries(kinds).map(row) : [];
  const differing = facts.text_blocks.map((one, at) => [one, at]).filter(([, at]) => new Set(sides.map(({ of }) => of.roles[at]).filter((role) => role !== null)).size > 1);
  const rowOfBlock = ([one, at]) => {
    const go = make("button", { type: "button", class: "plain" }, startOf(one));
    go.addEventListener("click", tried(async () => { if (mode !== "roles") await speakOf("roles"); goTo(at); }));
    return make("tr", { class: "differs" }, make("th", { scope: "row" }, go), ...sides.map(({ of }) => make("td", {}, of.roles[at] ?? "–")));
  };
  byId("sides").replaceChildren(make("table", { class: "numbers" },
    make("thead", {}, make("tr", {}, make("td", {}), ...sides.map(({ who, take, look }) => make("th", { scope: "col" }, `${who} `, take, " ", look)))),
    make("tbody", {}, ...marked, ...differing.map(rowOfBlock))));
  byId("sides").hidden = false;
}

/** Takes what another person said; of what that person did not speak, the own stays. */
async function takeOf(other) {
  const { said } = marks.state;
  if ((said.content || said.roles) && !await mayReplace("what you said")) return;
  const { roles: named, said: { content, roles: hasRoles }, ...rest } = structuredClone(other);
  marks.change((state) => {
    if (content) Object.assign(state, rest);
    if (hasRoles) state.roles = named;
    state.said = { content: state.said.content || content, roles: state.said.roles || hasRoles };
  });
  changed();
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
byId("role-tools").append(...Object.entries(roles).map(([role, { key, means }]) => {
  const button = make("button", { type: "button", "data-role": role, "aria-pressed": "false", title: means }, `${role} (${key})`);
  button.addEventListener("click", () => name(role));
  return button;
}));
byId("meanings").append(...Object.entries(roles).flatMap(([role, { means }]) => [make("dt", {}, role), make("dd", {}, means)]));
for (const button of byId("modes").querySelectorAll("button")) button.addEventListener("click", tried(() => speakOf(button.dataset.mode)));
byId("site-style").addEventListener("click", tried(toggleDress));
byId("take-draft").addEventListener("click", tried(takeDraft));
choose("content");
speakOf("content");
byId("who").addEventListener("submit", tried(async () => {
  [set, person] = [byId("set").value, byId("person").value];
  await listPages();
  byId("work").hidden = false;
  const first = pages.findIndex((line) => !isDone(line));
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
  if (!marks || byId("sure").open || event.target.matches("input, select, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
  // A button has keys of its own. In the list of blocks, arrow keys go from one to the next; elsewhere they scroll.
  const isArrow = event.key.startsWith("Arrow");
  const isInList = byId("blocks").contains(event.target);
  if (event.target.matches("button") && (mode === "content" || ["Enter", " "].includes(event.key))) return;
  if (mode === "roles" && isArrow && !isInList) return;
  if (isArrow && isInList) event.preventDefault();
  press(event.key);
});
tried(listSets)();
