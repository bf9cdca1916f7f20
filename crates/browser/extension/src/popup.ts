/** The window below the button. Opening it is the click that lets the extension read this one page. */

import { word } from "./bar.ts";
import { ask, askPage, type State } from "./messages.ts";
import { get, translate } from "./page.ts";
import { keep, list, local, settings } from "./settings.ts";

/** The page that the popup is about. Tests name it in the address. */
async function tabOf(): Promise<chrome.tabs.Tab | undefined> {
  const named = Number(new URL(location.href).searchParams.get("tab"));
  if (named) return await chrome.tabs.get(named);
  return (await chrome.tabs.query({ active: true, currentWindow: true }))[0];
}

async function state(tab: number): Promise<State | null> {
  try {
    return await askPage(tab, "state");
  } catch {
    return null;
  }
}

function shown(state: State | null): string {
  if (state === null) return word("state_unreadable");
  const score = state.score === null ? "" : ` (${Math.round(state.score * 100)} %)`;
  if (state.pages > 1) return word("state_pages", state.pages) + score;
  return (state.next ? word("state_next") : word("state_none")) + score;
}

async function show(tab: number): Promise<void> {
  const now = await state(tab);
  get("state").textContent = shown(now);
  get("more").hidden = !now?.more;
  for (const id of ["all", "stop", "wrong"]) get<HTMLButtonElement>(id).disabled = !now?.next && (now?.pages ?? 1) === 1;
}

async function start(): Promise<void> {
  translate();
  const tab = await tabOf();
  if (tab?.id === undefined) return;
  const id = tab.id;
  const host = tab.url ? new URL(tab.url).hostname : "";
  get("host").textContent = host;
  if ((await state(id)) === null) {
    try {
      await chrome.scripting.executeScript({ target: { tabId: id }, files: ["content.js"] });
    } catch {
      // The browser's own pages.
    }
  }
  const { always, never } = await settings();
  get("neither").hidden = ![...always, ...never].includes(host);
  get("all").onclick = () => void askPage(id, "all");
  get("stop").onclick = () => void askPage(id, "stop");
  get("more").onclick = () => void askPage(id, "more");
  get("wrong").onclick = () => void askPage(id, "wrong");
  get("read").onclick = () => void chrome.tabs.create({ url: chrome.runtime.getURL(`reader.html?tab=${id}`) });
  get("options").onclick = () => void chrome.runtime.openOptionsPage();
  get("never").onclick = () => void list(host, "never").then(() => askPage(id, "stop"));
  get("neither").onclick = () => void list(host, null);
  get("always").onclick = () => {
    // First, since it must follow a click.
    void chrome.permissions.request({ origins: [`*://${host}/*`] }).then((granted) => (granted ? list(host, "always") : undefined));
  };
  get("rule").onclick = () => void learn(id);
  await show(id);
  setInterval(() => void show(id), 500);
}

async function learn(tab: number): Promise<void> {
  const { answers } = await askPage(tab, "pages");
  const learned = await ask("learn", { pages: answers.filter((answer) => "bytes" in answer) });
  if ("error" in learned) {
    get("state").textContent = learned.error;
    return;
  }
  const { own } = await local();
  await keep({ own: [...own.filter((rule) => rule.name !== learned.item.name), learned.item] });
  await chrome.runtime.openOptionsPage();
}

void start();
