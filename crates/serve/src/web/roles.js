// The roles of a page's text blocks.

/** Every role with its key, and what it means. */
export const roles = {
  title: { key: "t", means: "the headline" },
  meta: { key: "m", means: "authors, dates and sections, around the headline" },
  lead: { key: "l", means: "the standfirst: the article in a sentence or two, before its text" },
  body: { key: "b", means: "the text, with its headings, lists and tables" },
  caption: { key: "c", means: "words below a picture, and who took it" },
  related: { key: "r", means: "teasers of and links to other articles" },
  share: { key: "s", means: "links to share, to subscribe, to follow, to print" },
  author: { key: "a", means: "words about the author, at the end" },
  tags: { key: "g", means: "tags and categories" },
  comments: { key: "o", means: "comments of readers" },
  site: { key: "x", means: "all else: menus, notices, headers and footers of the site" },
};

/** Returns what an annotation says of each block. The n-th entry of an element is about the n-th block of it. */
export function rolesOf(said, blocks) {
  const left = new Map();
  for (const { at, role } of said) left.set(at, [...(left.get(at) ?? []), role]);
  return blocks.map(({ at }) => left.get(at)?.shift() ?? null);
}

/** Returns the same as an annotation has it. */
export const saidOf = (named, blocks) => blocks.map(({ at }, place) => ({ at, role: named[place] }));

/** Returns what to paint: every text of a block, and its role before the first one. */
export function paintOf(named, blocks, current) {
  return blocks.flatMap(({ texts }, place) => texts.map((node, nth) => ({
    node, paint: `role role-${named[place] ?? "none"}${place === current ? " current" : ""}`, mark: nth === 0 ? named[place] ?? "?" : null,
  })));
}

/** The first words of a block. */
export const startOf = ({ text }) => (text.length > 70 ? `${text.slice(0, 70)} …` : text);
