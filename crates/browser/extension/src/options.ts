/** The page of settings. */

import { percent, word } from "./bar.ts";
import { asFiveFilters, asSuperPreloader, asWedata } from "./formats.ts";
import { pressed, shown } from "./keys.ts";
import { fileName, get, save, show, translate } from "./page.ts";
import { ACTIONS, backup, BOUNDS, change, DEFAULTS, hostOf, keep, list, local, restored, type Rule, type Settings, settings, wedata } from "./settings.ts";

/** Where Wedata's items of AutoPagerize are. */
const WEDATA = "http://wedata.net/databases/AutoPagerize/items_all.json";
const EVERYWHERE = { origins: ["*://*/*"] };
/** The largest file, in bytes. */
const LARGEST = 8 << 20;
/** How sure a link must be, in percent, besides what the models say. */
const SURE = [50, 90, 98];

function button(text: string, press: () => void, kind = ""): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = kind;
  made.textContent = text;
  made.onclick = press;
  return made;
}

function text(tag: string, content: string, kind = ""): HTMLElement {
  const made = document.createElement(tag);
  made.className = kind;
  made.textContent = content;
  return made;
}

function drawChoices(chosen: Settings): void {
  for (const name of ["pages", "chapters", "address", "robots"] as const) {
    const input = get<HTMLInputElement>(name);
    input.checked = chosen[name];
    input.onchange = () => void change({ [name]: input.checked });
  }
  for (const name of ["maxPages", "delay"] as const) {
    const input = get<HTMLInputElement>(name);
    const [least, most] = BOUNDS[name];
    input.value = String(chosen[name]);
    input.onchange = () => {
      const value = Math.min(most, Math.max(least, Number(input.value) || 0));
      input.value = String(value);
      void change({ [name]: value });
    };
  }
  const sure = get<HTMLSelectElement>("minScore");
  const values = [...new Set([0, ...SURE, chosen.minScore])].sort((one, other) => one - other);
  sure.replaceChildren(...values.map((value) => new Option(value === 0 ? word("sure_usual") : word("sure_least", percent(value / 100)), String(value), false, value === chosen.minScore)));
  sure.onchange = () => void change({ minScore: Number(sure.value) });
}

function drawLines({ separator, colour }: Settings): void {
  for (const input of document.querySelectorAll<HTMLInputElement>("#separator input")) {
    input.checked = input.value === separator;
    input.onchange = () => void change({ separator: input.value as Settings["separator"] });
  }
  const input = get<HTMLInputElement>("colour");
  input.value = colour || "#2a7fb0";
  const paint = (value: string): void => {
    show("noColour", value !== "");
    if (value) document.documentElement.style.setProperty("--line", value);
    else document.documentElement.style.removeProperty("--line");
  };
  paint(colour);
  input.oninput = () => paint(input.value);
  input.onchange = () => void change({ colour: input.value });
  get("noColour").onclick = () => void change({ colour: "" }).then(draw);
}

async function drawSites({ always, never }: Settings): Promise<void> {
  const { origins = [] } = await chrome.permissions.getAll();
  const everywhere = origins.some((origin) => origin === "*://*/*" || origin === "<all_urls>");
  get<HTMLInputElement>("everywhere").checked = everywhere;
  const allowed = new Map(await Promise.all(always.map(async (host) => [host, await chrome.permissions.contains({ origins: [`*://${host}/*`] })] as const)));
  const entry = (host: string, isOn: boolean): HTMLLIElement => {
    const item = document.createElement("li");
    item.append(text("span", host, "what"), text("span", word(isOn ? "do_always" : "do_never"), "tag"));
    // A list that came from a file has no permissions yet.
    if (isOn && !allowed.get(host)) item.append(button(word("o_allow"), () => void chrome.permissions.request({ origins: [`*://${host}/*`] }).then(draw)));
    const remove = button(word("o_remove"), () => void list(host, null).then(draw), "plain");
    remove.setAttribute("aria-label", `${word("o_remove")}: ${host}`);
    item.append(remove);
    return item;
  };
  get("sites").replaceChildren(...always.map((host) => entry(host, true)), ...never.map((host) => entry(host, false)));
}

/** Adds the site that was typed to a list. */
async function addSite(to: "always" | "never"): Promise<void> {
  const input = get<HTMLInputElement>("site");
  const host = hostOf(input.value);
  if (host === null) {
    get("siteNote").textContent = word("bad_site");
    input.focus();
    return;
  }
  // First, since it must follow a click.
  if (to === "always" && !(await chrome.permissions.request({ origins: [`*://${host}/*`] }))) {
    get("siteNote").textContent = word("not_allowed", host);
    return;
  }
  await list(host, to);
  input.value = "";
  get("siteNote").textContent = "";
  await draw();
}

function drawKeys({ keys }: Settings): void {
  const entry = (action: (typeof ACTIONS)[number]): HTMLLIElement => {
    const item = document.createElement("li");
    const set = (name: string): void => {
      // One key does one thing.
      const others = Object.fromEntries(ACTIONS.map((other) => [other, name !== "" && keys[other] === name ? "" : keys[other]]));
      void change({ keys: { ...keys, ...others, [action]: name } }).then(draw);
    };
    const key = button(keys[action] ? shown(keys[action]) : word("no_key"), () => {
      key.textContent = word("press_key");
      key.onblur = () => void draw();
      key.onkeydown = (event) => {
        if (event.key === "Tab") return;
        event.preventDefault();
        if (event.key === "Escape") key.blur();
        else if (event.key === "Backspace" || event.key === "Delete") set("");
        else if (pressed(event)) set(pressed(event));
      };
    });
    key.setAttribute("aria-label", `${word(`key_${action}`)}: ${keys[action] ? shown(keys[action]) : word("no_key")}`);
    key.dataset["key"] = action;
    item.append(text("span", word(`key_${action}`), "what"), key);
    return item;
  };
  get("keys").replaceChildren(...ACTIONS.map(entry));
}

function ruleEntry(rule: Rule, own: Rule[], isNew = false): HTMLLIElement {
  const item = document.createElement("li");
  item.className = "rule";
  const details = document.createElement("details");
  details.open = isNew;
  const fields = new Map<string, HTMLInputElement>();
  const others = own.filter((other) => other !== rule);
  const note = text("p", "", "note");
  note.setAttribute("role", "status");
  details.append(text("summary", rule.name || word("o_newRule")));
  for (const [field, name] of [["name", "f_name"], ["url", "f_url"], ["nextLink", "f_nextLink"], ["pageElement", "f_pageElement"], ["exampleUrl", "f_exampleUrl"]] as const) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.spellcheck = false;
    input.dir = "ltr";
    input.name = field;
    input.value = field === "name" ? rule.name : (rule.data[field] ?? "");
    fields.set(field, input);
    label.append(word(name), input);
    details.append(label);
  }
  const store = (): void => {
    const value = (field: string): string => fields.get(field)?.value.trim() ?? "";
    const data = Object.fromEntries(["url", "nextLink", "pageElement", "exampleUrl"].map((field) => [field, value(field)]).filter(([, content]) => content));
    const [kept] = wedata(JSON.stringify([{ name: value("name"), data: { ...rule.data, ...data } }]));
    const isWritten = value("url") && value("nextLink") && value("pageElement");
    if (!kept || !isWritten) {
      note.textContent = word("bad_rule");
      return;
    }
    void keep({ own: [...others, kept] }).then(draw);
  };
  const name = fileName(rule.name);
  const files = text("div", "", "buttons");
  files.append(
    text("span", word("save_for"), "tag"),
    button("Wedata", () => save(`${name}.json`, asWedata(rule), "application/json")),
    button("FiveFilters", () => save(`${name}.txt`, asFiveFilters(rule), "text/plain")),
    button("Super_preloader", () => save(`${name}-super-preloader.json`, asSuperPreloader(rule), "application/json")),
  );
  const buttons = text("div", "", "buttons");
  buttons.append(button(word("o_save"), store, "main"), button(word("o_remove"), () => void keep({ own: others }).then(draw)));
  details.append(note, buttons, ...(isNew ? [] : [files]));
  item.append(details);
  return item;
}

async function take(content: string): Promise<void> {
  try {
    if (content.length > LARGEST) throw new Error(word("too_large"));
    await keep({ imported: wedata(content) });
    await draw();
  } catch (error) {
    get("imported").textContent = `${word("bad_file")} (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Shows what a file would replace, and replaces it when the reader agrees. */
function restore(content: string): void {
  show("confirm", false);
  get("backupNote").textContent = "";
  try {
    if (content.length > LARGEST) throw new Error(word("too_large"));
    const found = restored(content);
    const { own, imported } = found.local;
    get("replaces").textContent = word("replaces", found.settings.always.length + found.settings.never.length, own.length + imported.length);
    show("confirm", true);
    get("replace").onclick = () => {
      const put = async (): Promise<void> => {
        await change(found.settings);
        await keep(found.local);
        show("confirm", false);
        get("backupNote").textContent = word("restored");
        await draw();
      };
      // A browser syncs so many sites, and no more.
      void put().catch((error: unknown) => (get("backupNote").textContent = `${word("bad_file")} (${String(error)})`));
    };
  } catch (error) {
    get("backupNote").textContent = `${word("bad_file")} (${error instanceof Error ? error.message : String(error)})`;
  }
}

async function draw(): Promise<void> {
  const chosen = await settings();
  drawChoices(chosen);
  drawLines(chosen);
  drawKeys(chosen);
  await drawSites(chosen);
  const { own, imported, labels } = await local();
  get("own").replaceChildren(...own.map((rule) => ruleEntry(rule, own)));
  get("newRule").onclick = () => get("own").append(ruleEntry({ name: "", data: {} }, own, true));
  get("imported").textContent = word("n_imported", imported.length);
  get<HTMLButtonElement>("forget").disabled = imported.length === 0;
  get("labels").textContent = word("n_labels", labels.length);
  for (const id of ["exportLabels", "forgetLabels"]) get<HTMLButtonElement>(id).disabled = labels.length === 0;
}

/** Lets a button delete when it is pressed twice. */
function onSure(id: string, press: () => void): void {
  const made = get<HTMLButtonElement>(id);
  const usual = made.textContent;
  made.onblur = () => {
    made.textContent = usual;
    delete made.dataset["sure"];
  };
  made.onclick = () => {
    if (made.dataset["sure"] === undefined) {
      made.dataset["sure"] = "";
      made.textContent = word("o_really");
      return;
    }
    made.blur();
    press();
  };
}

/** Reads the file of an input, and empties the input, so that the same file may be chosen again. */
function onFile(id: string, read: (content: string) => void): void {
  const input = get<HTMLInputElement>(id);
  input.onchange = () => {
    const [file] = input.files ?? [];
    if (!file) return;
    void file.text().then(read).finally(() => (input.value = ""));
  };
}

translate();
void draw().then(() => document.querySelector(location.hash || "body")?.scrollIntoView());
onFile("import", (content) => void take(content));
onFile("importAll", restore);
get<HTMLFormElement>("add").onsubmit = (event) => {
  event.preventDefault();
  void addSite((event.submitter as HTMLButtonElement | null)?.value === "never" ? "never" : "always");
};
get("wedata").onclick = () => {
  void chrome.permissions.request({ origins: ["http://wedata.net/*"] }).then(async (granted) => {
    if (granted) await take(await (await fetch(WEDATA, { signal: AbortSignal.timeout(60_000) })).text());
  }).catch((error: unknown) => (get("imported").textContent = `${word("bad_file")} (${String(error)})`));
};
onSure("forget", () => void keep({ imported: [] }).then(draw));
get<HTMLInputElement>("everywhere").onchange = () => {
  const isOn = get<HTMLInputElement>("everywhere").checked;
  void (isOn ? chrome.permissions.request(EVERYWHERE) : chrome.permissions.remove(EVERYWHERE)).catch(() => false).then(draw);
};
get("usualKeys").onclick = () => void change({ keys: DEFAULTS.keys }).then(draw);
get("exportAll").onclick = () => void backup().then((content) => save("tsugi-settings.json", content, "application/json"));
get("keepAll").onclick = () => show("confirm", false);
get("exportLabels").onclick = () => {
  void local().then(({ labels }) => save("labels.jsonl", labels.map((label) => `${JSON.stringify(label)}\n`).join(""), "application/jsonl"));
};
onSure("forgetLabels", () => void keep({ labels: [] }).then(draw));
