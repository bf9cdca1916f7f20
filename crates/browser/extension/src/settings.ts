/** What a reader chose. Choices are synced; rules and labels stay on this device. */

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

export interface Settings {
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
}

export const DEFAULTS: Settings = {
  pages: true, chapters: false, minScore: 0, maxPages: 50, delay: 2, address: true, robots: true, always: [], never: [],
};

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
  const items: unknown = JSON.parse(json);
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
