// Where reading is: kept while somebody scrolls, and found again when the article is opened.

import { send } from "./api.js";

const article = document.getElementById("article");
const bar = document.getElementById("progress");
let id = null;
let waiting = 0;
let sent = "";

const blocks = () => [...article.querySelectorAll(".part > :not(.page-mark, .unsure), .article-head")];

/** Returns the height of what covers the top of the text. */
const covered = () => document.querySelector(".bar").getBoundingClientRect().bottom;

function here() {
  const top = covered();
  const all = blocks();
  const block = Math.max(0, all.findIndex((one) => one.getBoundingClientRect().bottom > top + 4));
  const { top: start, bottom: end } = article.getBoundingClientRect();
  const room = end - start - (innerHeight - top);
  const progress = room <= 0 ? 1 : Math.min(1, Math.max(0, (top - start) / room));
  return { block, progress };
}

function draw() {
  const { progress } = here();
  bar.firstElementChild.style.inlineSize = `${100 * progress}%`;
  bar.setAttribute("aria-valuenow", Math.round(100 * progress));
  return progress;
}

async function keep(more = {}) {
  if (!id) return;
  const { block, progress } = here();
  const mark = { block, progress, ...(progress > 0.97 && scrollY > 0 ? { finished: true } : {}) };
  const words = JSON.stringify([id, mark]);
  if (words === sent) return;
  sent = words;
  // What cannot be kept now is kept at the next stop.
  await send(`/api/history/${id}/mark`, mark, "POST", more).catch(() => { sent = ""; });
}

addEventListener("scroll", () => {
  if (article.childElementCount === 0) return;
  draw();
  clearTimeout(waiting);
  waiting = setTimeout(keep, 700);
}, { passive: true });
addEventListener("pagehide", () => { keep({ keepalive: true }); });

/** Follows an article from now on. Goes where reading stopped; returns whether that is below the beginning. */
export function follow(reading, goes) {
  id = reading.id;
  bar.hidden = false;
  const { block, progress, finished } = reading.mark ?? {};
  const target = goes && !finished && progress > 0.01 ? blocks()[block] : null;
  if (target) scrollTo({ top: target.getBoundingClientRect().top + scrollY - covered() - 12, behavior: "instant" });
  draw();
  return Boolean(target);
}

export function leave() {
  id = null;
  bar.hidden = true;
}
