/** The page of settings. */

import { word } from "./bar.ts";
import { asFiveFilters, asSuperPreloader, asWedata } from "./formats.ts";
import { fileName, get, save, translate } from "./page.ts";
import { change, keep, list, local, type Rule, type Settings, settings, wedata } from "./settings.ts";

/** Where Wedata's items of AutoPagerize are. */
const WEDATA = "http://wedata.net/databases/AutoPagerize/items_all.json";
/** The largest dump, in bytes. */
const LARGEST = 8 << 20;

function button(text: string, press: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.textContent = text;
  made.onclick = press;
  return made;
}

async function bind(): Promise<void> {
  const chosen = await settings();
  for (const name of ["pages", "chapters", "address", "robots"] as const) {
    const input = get<HTMLInputElement>(name);
    input.checked = chosen[name];
    input.onchange = () => void change({ [name]: input.checked });
  }
  for (const name of ["maxPages", "minScore", "delay"] as const) {
    const input = get<HTMLInputElement>(name);
    input.value = String(chosen[name]);
    input.onchange = () => {
      const value = Math.min(Number(input.max), Math.max(Number(input.min), Number(input.value) || 0));
      input.value = String(value);
      void change({ [name]: value });
    };
  }
}

function showSites({ always, never }: Settings): void {
  const entry = (host: string, how: string): HTMLLIElement => {
    const item = document.createElement("li");
    item.append(`${host}: ${word(how)} `, button(word("o_remove"), () => void list(host, null).then(show)));
    return item;
  };
  get("sites").replaceChildren(...always.map((host) => entry(host, "do_always")), ...never.map((host) => entry(host, "do_never")));
}

function ruleEntry(rule: Rule, own: Rule[]): HTMLLIElement {
  const item = document.createElement("li");
  const text = document.createElement("textarea");
  text.value = JSON.stringify(rule.data, null, 2);
  text.setAttribute("aria-label", rule.name);
  const others = own.filter((other) => other !== rule);
  const name = fileName(rule.name);
  const store = (): void => {
    try {
      const [kept] = wedata(JSON.stringify([{ name: rule.name, data: JSON.parse(text.value) }]));
      if (!kept) throw new Error(word("bad_rule"));
      void keep({ own: [...others, kept] }).then(show);
    } catch (error) {
      get("imported").textContent = String(error);
    }
  };
  item.append(
    rule.name, text,
    button(word("o_save"), store),
    button("Wedata", () => save(`${name}.json`, asWedata(rule), "application/json")),
    button("FiveFilters", () => save(`${name}.txt`, asFiveFilters(rule), "text/plain")),
    button("Super_preloader", () => save(`${name}-super-preloader.json`, asSuperPreloader(rule), "application/json")),
    button(word("o_remove"), () => void keep({ own: others }).then(show)),
  );
  return item;
}

async function take(text: string): Promise<void> {
  try {
    if (text.length > LARGEST) throw new Error(word("too_large"));
    const imported = wedata(text);
    await keep({ imported });
    await show();
  } catch (error) {
    get("imported").textContent = String(error);
  }
}

async function show(): Promise<void> {
  showSites(await settings());
  const { own, imported, labels } = await local();
  get("own").replaceChildren(...own.map((rule) => ruleEntry(rule, own)));
  get("imported").textContent = word("n_imported", imported.length);
  get("labels").textContent = word("n_labels", labels.length);
}

translate();
void bind().then(show);
get<HTMLInputElement>("import").onchange = (event) => {
  const [file] = (event.target as HTMLInputElement).files ?? [];
  if (file) void file.text().then(take);
};
get("wedata").onclick = () => {
  void chrome.permissions.request({ origins: ["http://wedata.net/*"] }).then(async (granted) => {
    if (granted) await take(await (await fetch(WEDATA, { signal: AbortSignal.timeout(60_000) })).text());
  });
};
get("forget").onclick = () => void keep({ imported: [] }).then(show);
get("everywhere").onclick = () => void chrome.permissions.request({ origins: ["*://*/*"] });
get("exportLabels").onclick = () => {
  void local().then(({ labels }) => save("labels.jsonl", labels.map((label) => `${JSON.stringify(label)}\n`).join(""), "application/jsonl"));
};
get("forgetLabels").onclick = () => void keep({ labels: [] }).then(show);
