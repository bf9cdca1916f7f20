// Where reading is: kept while somebody scrolls, and found again when the article is opened.

import { send } from "./api.js";

const article = document.getElementById("article");
const bar = document.getElementById("progress");
let id = null;
let waiting = 0;
let sent = "";
let blockShown = 0;
let width = innerWidth;

const BLOCKS = "p, li, dt, dd, h1, h2, h3, h4, h5, h6, pre, blockquote, table, figure, img, video, .article-head";

/** Returns the smallest blocks of the text, whatever is around them. */
const blocks = () => [...article.querySelectorAll(BLOCKS)].filter((one) => !one.closest(".page-mark, .unsure") && !one.querySelector(BLOCKS));

/** Returns the height of what covers the top of the text. */
const covered = () => document.querySelector(".bar").getBoundingClientRect().bottom;

/** Returns the number of the block at the top of the window. */
function blockHere() {
  const top = covered();
  return Math.max(0, blocks().findIndex((one) => one.getBoundingClientRect().bottom > top + 4));
}

/** Returns how much of the article has been above the end of the window, and whether it fits in whole. */
function far() {
  const top = covered();
  const { top: start, bottom: end } = article.getBoundingClientRect();
  const room = end - start - (innerHeight - top);
  return { fits: room <= 0, progress: room <= 0 ? 1 : Math.min(1, Math.max(0, (top - start) / room)) };
}

function goTo(block) {
  const to = blocks()[block];
  if (to) scrollTo({ top: to.getBoundingClientRect().top + scrollY - covered() - 12, behavior: "instant" });
  return Boolean(to);
}

function draw() {
  const { progress } = far();
  bar.firstElementChild.style.inlineSize = `${100 * progress}%`;
  bar.setAttribute("aria-valuenow", Math.round(100 * progress));
  return progress;
}

async function keep(more = {}) {
  if (!id) return;
  const { fits, progress } = far();
  blockShown = blockHere();
  const mark = { block: blockShown, progress, ...(progress > 0.97 && (fits || scrollY > 0) ? { finished: true } : {}) };
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
// The text flows anew where a window turns or grows wider; what was at its top stays there. Bars of a browser that come and go change
// its height alone.
addEventListener("resize", () => {
  if (innerWidth === width) return;
  width = innerWidth;
  if (id && blockShown > 0) goTo(blockShown);
});
addEventListener("pagehide", () => { keep({ keepalive: true }); });

/** Follows an article from now on. Goes where reading stopped; returns whether that is below the beginning. */
export function follow(reading, goes) {
  id = reading.id;
  bar.hidden = false;
  const { block, finished } = reading.mark ?? {};
  blockShown = goes && !finished && block > 0 && goTo(block) ? block : 0;
  draw();
  return blockShown > 0;
}

export function leave() {
  id = null;
  bar.hidden = true;
}
