// The page that explains.

import { make, send } from "./api.js";
import { showFrame } from "./frame.js";

const byId = (id) => document.getElementById(id);
const percent = (score) => `${(100 * score).toFixed(1)} %`;
let facts = null;
let frame = null;
let parents = new Map();

function say(text, isError = false) {
  byId("status").textContent = text;
  byId("status").classList.toggle("error", isError);
}

function reasons(list) {
  const amount = (weight) => `${weight < 0 ? "−" : "+"}${Math.abs(weight).toFixed(2)}`;
  const entry = ({ what, weight }) => make("li", {}, `${weight < 0 ? "against" : "for"}: ${what} (${amount(weight)})`);
  return make("ul", { class: "reasons" }, ...list.map(entry));
}

function marks() {
  const tints = facts.blocks.map(({ node, score }) => ({ node, tint: score }));
  const links = facts.links.map(({ node, score }, rank) => ({ node, paint: "link", mark: `${rank + 1}: ${score.toFixed(3)}` }));
  const next = facts.next ? [{ node: facts.next.node, paint: "next" }] : [];
  return [...tints, ...links, ...next];
}

/** Says what is known about an element: the nearest candidate around it. */
function about(node) {
  for (let at = node; at !== undefined && at >= 0; at = parents.get(at)) {
    const link = facts.links.find((candidate) => candidate.node === at);
    const block = facts.blocks.find((candidate) => candidate.node === at);
    if (link) return [make("p", {}, `Link with score ${link.score.toFixed(3)}: `, make("code", {}, link.url)), reasons(link.reasons)];
    if (block) return [make("p", {}, `Text block, content with a probability of ${percent(block.score)}.`), reasons(block.reasons)];
  }
  return [make("p", {}, "No candidate is here.")];
}

function on({ kind, node, parents: known }) {
  if (kind === "ready") { parents = new Map(known); frame.paint(marks()); }
  if (kind === "over" || kind === "at") byId("here").replaceChildren(...about(node));
}

function showLinks() {
  const { next, links, link_count: count, threshold } = facts;
  const entry = ({ node, url, score, reasons: why }) => {
    const go = make("button", { type: "button", class: "plain" }, `${score.toFixed(3)}  ${url}`);
    go.addEventListener("click", () => frame.point(node));
    return make("li", {}, go, make("details", {}, make("summary", {}, "Why"), reasons(why)));
  };
  const answer = next ? `The next page is ${next.url} (${next.relation}, by ${next.by}, score ${next.score.toFixed(3)}).` : "There is no next page.";
  byId("links").replaceChildren(make("p", {}, `${answer} ${count} candidates; a next link needs a score of ${threshold.toFixed(3)}. The best:`), make("ol", {}, ...links.map(entry)));
}

function showContent() {
  const { nodes, score, by } = facts.content;
  const doubt = facts.doubt ? make("p", { class: "unsure" }, `Doubt: ${facts.doubt}`) : null;
  const text = `${nodes.length} element${nodes.length === 1 ? "" : "s"}, by ${by}, score ${score.toFixed(3)}. The greener a block, the likelier it is content.`;
  byId("content").replaceChildren(make("p", {}, text), ...(doubt ? [doubt] : []));
}

function showPair() {
  const pair = facts.pair;
  if (!pair) { byId("pair").replaceChildren(make("p", {}, "There is no next page to compare with.")); return; }
  if (pair.failed) { byId("pair").replaceChildren(make("p", {}, `The next page could not be fetched: ${pair.failed}`)); return; }
  const verdict = pair.score == null ? "No model judged." : `${pair.continues ? "Yes" : "No"}, with a probability of ${percent(pair.score)}.`;
  const row = (title, url) => make("td", {}, make("b", {}, title ?? "(no title)"), make("br"), url ?? "");
  const table = make("table", {}, make("tbody", {}, make("tr", {}, row(facts.title, facts.url), row(pair.title, facts.next?.url))));
  byId("pair").replaceChildren(make("p", {}, verdict), table, reasons(pair.reasons ?? []));
}

async function explain(url) {
  byId("url").value = url;
  say("Fetching …");
  try {
    facts = await send("/api/explain", { url });
    frame = showFrame(byId("frame"), facts.frame, on);
    showLinks();
    showContent();
    showPair();
    say(`${facts.title ?? facts.url}`);
  } catch (error) { say(`Not explained: ${error.message}`, true); }
}

const asked = new URLSearchParams(location.search).get("url");
if (asked) explain(asked);
