/** The window below the button. Opening it is the click that lets the extension read this one page. */

import { ending, pages, percent, word } from "./bar.ts";
import { ask, askPage, type State, type ToContent } from "./messages.ts";
import { get, show, tabOf, translate } from "./page.ts";
import { keep, list, local, settings } from "./settings.ts";

async function state(tab: number): Promise<State | null> {
  try {
    return (await askPage(tab, "state")) ?? null;
  } catch {
    return null;
  }
}

/** What the page is, in one line. */
function said(state: State): string {
  if (state.isRunning) return word("all_running", state.pages);
  if (state.pages > 1 && state.ended) return `${pages(state.pages)}. ${ending(state.ended.reason, state.ended.detail)}`;
  if (state.pages > 1) return `${pages(state.pages)}. ${word("state_next")}`;
  if (state.chapter !== null) return word("state_chapter");
  if (state.next !== null) return word("state_next");
  return state.hasMore ? word("state_more") : word("state_none");
}

function draw(state: State | null, isOff: boolean): void {
  get("state").textContent = isOff ? word("state_off") : state ? said(state) : word("state_unreadable");
  get("state").title = state?.score == null || state.next === null ? "" : word("sure", percent(state.score));
  const there = state !== null && !isOff;
  const goesOn = there && state.next !== null && state.ended === null;
  get<HTMLButtonElement>("read").disabled = !there;
  show("all", goesOn && !state.isRunning);
  show("stop", there && state.isRunning);
  show("more", there && state.hasMore);
  show("earlier", there && state.hasEarlier);
  show("wrong", there && (state.pages > 1 || state.next !== null));
  show("progress", there && state.isRunning);
  show("rules", there);
}

async function start(): Promise<void> {
  translate();
  get("options").onclick = () => void chrome.runtime.openOptionsPage();
  const tab = await tabOf();
  const host = tab?.url && /^https?:/.test(tab.url) ? new URL(tab.url).hostname : "";
  if (tab?.id === undefined || host === "") {
    draw(null, false);
    show("site", false);
    return;
  }
  const id = tab.id;
  get("host").textContent = host;
  const chosen = await settings();
  let isOff = chosen.never.includes(host);
  const refresh = async (): Promise<void> => draw(isOff ? null : await state(id), isOff);
  /** Begins on the page, if nothing has. */
  const begin = async (): Promise<void> => {
    if (isOff || (await state(id)) !== null) return;
    try {
      await chrome.scripting.executeScript({ target: { tabId: id }, files: ["content.js"] });
    } catch {
      // The browser's own pages, and its shops.
    }
  };
  const press = (name: keyof ToContent) => () => void askPage(id, name).then(refresh);
  for (const name of ["all", "stop", "more", "wrong", "earlier"] as const) get(name).onclick = press(name);
  get("pick").onclick = () => void chrome.scripting.executeScript({ target: { tabId: id }, files: ["picker.js"] }).then(() => window.close());
  get("read").onclick = () => void chrome.tabs.create({ url: chrome.runtime.getURL(`reader.html?tab=${id}`) });
  get("rule").onclick = () => void learn(id);

  const everywhere = await chrome.permissions.contains({ origins: ["*://*/*"] });
  const allowed = await chrome.permissions.contains({ origins: [`*://${host}/*`] });
  const on = get<HTMLInputElement>("on");
  on.checked = !isOff && allowed && (everywhere || chosen.always.includes(host));
  const explain = (): void => {
    get("how").textContent = word(on.checked ? "site_on" : isOff ? "site_off" : "site_once");
  };
  explain();
  on.onchange = () => {
    const turn = async (): Promise<void> => {
      if (on.checked) {
        // First, since it must follow a click.
        const granted = allowed || (await chrome.permissions.request({ origins: [`*://${host}/*`] }));
        on.checked = granted;
        if (granted) await list(host, everywhere ? null : "always");
        isOff = isOff && !granted;
        await begin();
      } else {
        if (await state(id)) await askPage(id, "stop");
        await list(host, "never");
        isOff = true;
      }
      explain();
      await refresh();
    };
    void turn();
  };
  await begin();
  await refresh();
  setInterval(() => void refresh(), 500);
}

async function learn(tab: number): Promise<void> {
  const { answers } = await askPage(tab, "pages");
  const learned = await ask("learn", { pages: answers.filter((answer) => "bytes" in answer) });
  if ("error" in learned) {
    get("note").textContent = `${word("learn_failed")} ${learned.error}`;
    return;
  }
  const { own } = await local();
  await keep({ own: [...own.filter((rule) => rule.name !== learned.item.name), learned.item] });
  await chrome.tabs.create({ url: chrome.runtime.getURL("options.html#h-rules") });
}

void start();
