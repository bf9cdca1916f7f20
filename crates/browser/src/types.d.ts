/** A link to a next page. */
export interface Next {
  url: string;
  /** `page`: the next page of this article, list or thread; `chapter`: the next chapter of a book or manual. */
  relation: "page" | "chapter";
  /** In [0, 1]. */
  score: number;
  /** What found it: the models, a rule, or the page's markup. */
  by: "model" | "rule" | "rel";
}

/** What `tsugi scan` says about a page. */
export interface Scan {
  url: string;
  next: Next | null;
  /** If there is no `next`: the location path of a button or form that leads to a next page. */
  unfollowable?: string;
  content: { nodes: string[]; without?: string[]; text: string; by: string; score: number } | null;
  comments?: string;
  title: string | null;
  lang: string | null;
  error: string | null;
}

/** One reason for or against a score, in words, and its weight in log-odds. */
export interface Reason {
  what: string;
  weight: number;
}

/** The candidates for the next page with their scores and reasons, and the longest blocks of text with theirs. */
export interface Explanation {
  threshold: number;
  candidates: number;
  links: { url: string; score: number; relation: "page" | "chapter"; path: string; text: string; reasons: Reason[] }[];
  blocks: { score: number; path: string; text: string; reasons: Reason[] }[];
}

/** Whether one page continues another, and why. */
export interface Verdict {
  score: number;
  holds: boolean;
  /** The strongest first. */
  reasons: Reason[];
}

/** An element of a page: where it is, and by what it is found if it has moved. */
export interface Mark {
  /** Its location path in the parsed page: `/html[1]/body[1]/main[1]`. */
  path: string;
  tag: string;
  id: string | null;
  /** The first characters of its text, white space folded, and the number of all. */
  text: string;
  characters: number;
}

/** What an extension needs to know about the page it is on. */
export interface Look {
  /** The best candidate for the next page, however unsure. */
  best: (Next & { accepted: boolean; link: Mark }) | null;
  /** The lowest score of a link that models find. */
  threshold: number;
  content: { nodes: Mark[]; score: number; by: string; rule: string | null };
  /** Addresses that may be the page before, the likeliest first. */
  previous: string[];
  /** Why this page is not the first, in words. */
  earlier: string | null;
  /** A button or form that leads to a next page. */
  unfollowable: Mark | null;
  doubt: string | null;
  lang: string | null;
}

/** How far to follow, and what to keep. */
export interface FollowOptions {
  /** The most pages; 100 if not said. */
  maxPages?: number;
  /** The lowest score of a link to follow; the models' own threshold if not said. */
  minScore?: number;
  /** The only relation to follow. */
  relation?: "page" | "chapter";
}

/** Why no page follows. `no-next`, `low-score`, `not-a-continuation`, `loop`, `max-pages`, `max-time`, `fetch-failed`, `robots`, `off-site`, `interrupted`, `one-page`. */
export interface Stopped {
  reason: string;
  at: string;
  detail: string;
  /** Whether no next page is missing. */
  complete: boolean;
}

/** Text, or an element that may be created as it is: its name, its attributes, what is in it. */
export type Tree = string | [tag: string, attributes: Record<string, string>, children: Tree[]];

/** What a page adds below the page before. */
export interface Appended {
  url: string;
  /** The score of the link that led here. */
  score: number;
  by: string;
  verdict: Verdict | null;
  title: string | null;
  lang: string | null;
  /** `rows`: one table, whose rows belong into the table of the page before. `items`: one list, whose items belong into its list. */
  kind: "blocks" | "rows" | "items";
  /** Nothing but elements and attributes of an allow-list: no script, style, form, frame or event handler. */
  tree: Tree[];
}

/** A rule learned for a site, in the formats of its readers. */
export interface Learned {
  /** The item, as Wedata has it: for AutoPagerize, Pagetual, Infy Scroll, weAutoPagerize and this extension. */
  item: { name: string; data: Record<string, string> };
  /** With CSS selectors. */
  css: { name: string; url: string; nextLink: string | null; pageElement: string | null; exampleUrl: string | null };
  /** A site config for FiveFilters, graby and wallabag. */
  fiveFilters: string;
  pages: { url: string; agrees: boolean }[];
}
