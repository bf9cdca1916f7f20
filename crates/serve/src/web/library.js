// The articles that were read: shelves, search, and what can be done with an entry.

import { ask, make, send } from "./api.js";
import { day, hostOf, isNowhere } from "./article.js";

const byId = (id) => document.getElementById(id);
let shelf = "open";
let searches = 0;

/** Shows the articles of the shelf that have the words in the field. An answer that a later search has overtaken is not shown. */
export async function list(say) {
  searches += 1;
  const own = searches;
  try {
    const words = byId("search").value.trim();
    const { documents } = await (await ask(`/api/history?shelf=${shelf}&q=${encodeURIComponent(words)}`)).json();
    if (own !== searches) return;
    byId("history").replaceChildren(...documents.map((document) => entry(document, say)));
    byId("empty").hidden = documents.length > 0;
    byId("empty").replaceChildren(...(documents.length > 0 ? [] : nothing(words)));
  } catch (error) { say(error.message, true); }
}

function entry({ id, title, url, site, read: when, complete, minutes, mark }, say) {
  const name = title ?? url;
  const open = make("a", { href: `/read?url=${encodeURIComponent(url)}`, class: "title" }, make("bdi", {}, name));
  const left = Math.max(1, Math.round((minutes || 1) * (1 - mark.progress)));
  const how = mark.finished ? "read" : mark.progress > 0.01 ? `${left} min left` : minutes ? `${minutes} min` : null;
  const facts = [isNowhere(url) ? "A saved page" : site ?? hostOf(url), how, day(when), complete ? null : "pages are missing"].filter(Boolean);
  const act = (words, label, work, isDanger) => {
    const button = make("button", { type: "button", class: isDanger ? "quiet danger" : "quiet", "aria-label": `${label} ${name}` }, words);
    button.addEventListener("click", async () => { try { await work(); } catch (error) { say(error.message, true); } await list(say); });
    return button;
  };
  const change = (value) => () => send(`/api/history/${id}/mark`, value);
  return make("li", { class: mark.finished ? "entry finished" : "entry" },
    make("div", { class: "what" }, open, make("small", {}, facts.join(" · "))),
    make("div", { class: "acts" },
      mark.finished ? act("Mark as unread", "Mark as unread:", change({ finished: false, progress: 0, block: 0 })) : act("Mark as read", "Mark as read:", change({ finished: true })),
      mark.archived ? act("Put back", "Put back", change({ archived: false })) : act("Archive", "Archive", change({ archived: true })),
      act("Delete", "Delete", () => ask(`/api/history/${id}`, { method: "DELETE" }), true)),
    mark.progress > 0.01 && !mark.finished ? make("progress", { max: 1, value: mark.progress, "aria-label": `${Math.round(100 * mark.progress)} % of ${name}` }) : null);
}

/** Says what could stand here, and how it gets here. */
function nothing(words) {
  if (words) return [make("p", {}, "No article has these words.")];
  if (shelf === "unread") return [make("p", {}, "Nothing is left unread.")];
  if (shelf === "archived") return [make("p", {}, "The archive is empty. What you archive goes from the list, and stays to be found.")];
  return [make("p", {}, "Nothing is here yet. Paste an address above: tsugi fetches every page of the article, and keeps it to be read again without the web.")];
}

/** Makes the shelves and the search work. */
export function start(say) {
  const send = `javascript:location.href='${location.origin}/read?url='+encodeURIComponent(location.href)`;
  byId("send").replaceChildren("To send a page here while you browse, drag this to the bookmarks bar: ", make("a", { href: send, class: "bookmarklet" }, "Read with tsugi"));
  const tabs = [...document.querySelectorAll("[data-shelf]")];
  for (const tab of tabs) {
    tab.addEventListener("click", () => {
      ({ shelf } = tab.dataset);
      for (const one of tabs) one.setAttribute("aria-pressed", String(one === tab));
      list(say);
    });
  }
  byId("search").addEventListener("input", () => list(say));
  list(say);
}
