/** What a reader chose. Choices are synced; rules and labels stay on this device. */

import { isKey } from "./keys.ts";

/** A learned or imported rule, as Wedata has it. */
export interface Rule {
  name: string;
  data: Record<string, string>;
}

/** A label for data sets: which link is no next link. */
export interface Label {
  url: string;
  site: string;
  next: null;
  trap: string;
  next_reason: "reader";
  labels: ["next"];
}

/** How the line between pages looks. */
export interface Looks {
  separator: "bar" | "line" | "hidden";
  /** `#rrggbb`; empty for the colour of the extension. */
  colour: string;
}

/** What keys do. */
export const ACTIONS = ["next", "previous", "all", "stop"] as const;
export type Keys = Record<(typeof ACTIONS)[number], string>;

export interface Settings extends Looks {
  /** Follow the next pages of an article, a list or a thread. */
  pages: boolean;
  /** Follow the next chapters of a book or manual. */
  chapters: boolean;
  /** The lowest score of a link to follow, in percent; 0 for the models' own. */
  minScore: number;
  maxPages: number;
  /** Seconds between requests. */
  delay: number;
  /** Whether the address follows the page in view. */
  address: boolean;
  robots: boolean;
  /** Hosts on which pages go on by themselves, and hosts on which they never do. */
  always: string[];
  never: string[];
  /** Names of keys, as `pressed` gives them; empty for none. */
  keys: Keys;
}

export const DEFAULTS: Settings = {
  pages: true, chapters: false, minScore: 0, maxPages: 50, delay: 2, address: true, robots: true, always: [], never: [], separator: "bar", colour: "",
  keys: { next: "Alt+Shift+KeyN", previous: "Alt+Shift+KeyP", all: "Alt+Shift+KeyA", stop: "Alt+Shift+KeyS" },
};

/** The bounds of numbers that a reader may choose. */
export const BOUNDS = { maxPages: [1, 500], minScore: [0, 100], delay: [0, 60] } as const;

export async function settings(): Promise<Settings> {
  return await chrome.storage.sync.get<Settings>({ ...DEFAULTS });
}

export async function change(changed: Partial<Settings>): Promise<void> {
  await chrome.storage.sync.set(changed);
}

/** What stays on this device. */
export interface Local {
  /** Rules of the reader, and imported ones. */
  own: Rule[];
  imported: Rule[];
  labels: Label[];
}

export async function local(): Promise<Local> {
  return await chrome.storage.local.get<Local>({ own: [], imported: [], labels: [] });
}

export async function keep(changed: Partial<Local>): Promise<void> {
  await chrome.storage.local.set(changed);
}

/** Moves a host to one of the lists, or off both. */
export async function list(host: string, to: "always" | "never" | null): Promise<void> {
  const { always, never } = await settings();
  const without = (hosts: string[]): string[] => hosts.filter((other) => other !== host);
  await change({
    always: to === "always" ? [...without(always), host] : without(always),
    never: to === "never" ? [...without(never), host] : without(never),
  });
}

/** The most rules, and the most characters of an expression. */
const MOST_RULES = 10_000;
const LONGEST = 4_096;

/** Returns the usable items of a Wedata dump: data of known fields only. */
export function wedata(json: string): Rule[] {
  return rulesOf(JSON.parse(json));
}

function rulesOf(items: unknown): Rule[] {
  if (!Array.isArray(items)) throw new Error("no array of items");
  const rules: Rule[] = [];
  for (const item of items.slice(0, MOST_RULES)) {
    const data = (item as { data?: unknown } | null)?.data;
    if (typeof data !== "object" || data === null) continue;
    const kept: Record<string, string> = {};
    for (const field of ["url", "nextLink", "pageElement", "insertBefore", "exampleUrl"]) {
      const value = (data as Record<string, unknown>)[field];
      if (typeof value === "string" && value.length <= LONGEST) kept[field] = value;
    }
    if (kept["url"] && kept["nextLink"] && kept["pageElement"]) {
      const { name } = item as { name?: unknown };
      // An object could refuse to become a text.
      rules.push({ name: typeof name === "string" || typeof name === "number" ? String(name).slice(0, 200) : "", data: kept });
    }
  }
  return rules;
}

/** Returns the host of what a reader typed: a host, or an address on it. `null` if it is neither. */
export function hostOf(typed: string): string | null {
  const text = typed.trim();
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const { protocol, hostname } = new URL(address);
  return /^https?:$/.test(protocol) && /^[\w.-]+$/.test(hostname) ? hostname : null;
}

/** All that a reader chose, in one file. */
export async function backup(): Promise<string> {
  return `${JSON.stringify({ tsugi: 1, settings: await settings(), ...(await local()) }, null, 2)}\n`;
}

/** Returns what a file of {@link backup} holds: known fields within their bounds, and nothing else. */
export function restored(json: string): { settings: Settings; local: Local } {
  const file = JSON.parse(json) as { tsugi?: unknown; settings?: Record<string, unknown>; own?: unknown; imported?: unknown; labels?: unknown } | null;
  if (file?.tsugi !== 1) throw new Error("no backup of tsugi");
  const chosen = file.settings ?? {};
  const made: Settings = structuredClone(DEFAULTS);
  for (const name of ["pages", "chapters", "address", "robots"] as const) if (typeof chosen[name] === "boolean") made[name] = chosen[name];
  for (const name of ["maxPages", "minScore", "delay"] as const) {
    const value = chosen[name];
    if (typeof value === "number" && Number.isFinite(value)) made[name] = Math.min(BOUNDS[name][1], Math.max(BOUNDS[name][0], value));
  }
  for (const name of ["always", "never"] as const) {
    const hosts = chosen[name];
    if (Array.isArray(hosts)) made[name] = [...new Set(hosts.slice(0, MOST_RULES).filter((host) => typeof host === "string" && hostOf(host) === host) as string[])];
  }
  if (chosen["separator"] === "bar" || chosen["separator"] === "line" || chosen["separator"] === "hidden") made.separator = chosen["separator"];
  if (typeof chosen["colour"] === "string" && /^(#[0-9a-f]{6})?$/i.test(chosen["colour"])) made.colour = chosen["colour"];
  const keys = (chosen["keys"] ?? {}) as Record<string, unknown>;
  for (const name of ACTIONS) if (isKey(keys[name])) made.keys[name] = keys[name];
  const labels = Array.isArray(file.labels) ? file.labels.slice(0, MOST_RULES).map(labelOf).filter((label) => label !== null) : [];
  return { settings: made, local: { own: rulesOf(file.own ?? []), imported: rulesOf(file.imported ?? []), labels } };
}

function labelOf(label: unknown): Label | null {
  const { url, site, trap } = (label ?? {}) as Record<string, unknown>;
  if (typeof url !== "string" || typeof site !== "string" || typeof trap !== "string") return null;
  return { url: url.slice(0, LONGEST), site: site.slice(0, LONGEST), next: null, trap: trap.slice(0, LONGEST), next_reason: "reader", labels: ["next"] };
}
