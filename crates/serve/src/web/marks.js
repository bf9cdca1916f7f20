// What is said of a page, with every earlier state for undo. Marks are kept as numbers of elements, roles by block.

import { rolesOf, saidOf } from "./roles.js";

export const kinds = {
  next: { key: "n", name: "Next link" }, content: { key: "c", name: "Content" }, without: { key: "x", name: "Not content" },
  comments: { key: "m", name: "Comments" }, title: { key: "t", name: "Title" }, date: { key: "e", name: "Date" }, author: { key: "a", name: "Author" },
};

const many = ["content", "without", "comments"];
const paints = { next: "next", content: "in", without: "out", comments: "comments", title: "title", date: "date", author: "author" };

/** What is marked on one page. `parents` says which element is around which. */
export class Marks {
  constructor(state, parents) {
    this.state = state;
    this.parents = parents;
    this.before = [];
  }

  /** `roles` has an entry for each block; `said` tells of what the person has spoken. */
  static empty() {
    return { next: null, reason: "", content: [], without: [], comments: [], title: null, date: null, author: null, roles: [], said: { content: false, roles: false } };
  }

  change(change) {
    this.before.push(structuredClone(this.state));
    change(this.state);
  }

  undo() {
    if (this.before.length > 0) this.state = this.before.pop();
  }

  isWithin(node, outer) {
    for (let at = node; at !== undefined && at >= 0; at = this.parents.get(at)) if (at === outer) return true;
    return false;
  }

  /** Marks an element; once more takes its parent instead, where several can be marked. */
  mark(kind, node) {
    if (node < 0) return;
    this.change((state) => {
      if (!many.includes(kind)) {
        state[kind] = state[kind] === node ? null : node;
        if (kind === "next") state.reason = "";
        return;
      }
      const list = state[kind];
      const last = list.at(-1);
      const again = last !== undefined && this.isWithin(node, last);
      const target = again ? this.parents.get(last) ?? -1 : node;
      this.add(list, again && target < 0 ? last : target);
    });
  }

  /** Marks several elements at once. */
  sweep(kind, nodes) {
    if (!many.includes(kind)) { this.mark(kind, nodes[0]); return; }
    this.change((state) => nodes.filter((node) => node >= 0).forEach((node) => this.add(state[kind], node)));
  }

  /** Keeps outermost elements only. */
  add(list, node) {
    if (list.some((outer) => this.isWithin(node, outer))) return;
    const kept = list.filter((inner) => !this.isWithin(inner, node));
    list.splice(0, list.length, ...kept, node);
  }

  remove(kind, node) {
    this.change((state) => {
      if (many.includes(kind)) state[kind] = state[kind].filter((one) => one !== node);
      else state[kind] = null;
    });
  }

  none(reason) {
    this.change((state) => { state.reason = reason; if (reason) state.next = null; });
  }

  /** Returns [kind, element] of everything that is marked. */
  all() {
    return Object.keys(kinds).flatMap((kind) => [this.state[kind]].flat().filter((node) => node !== null).map((node) => [kind, node]));
  }

  paint() {
    return this.all().map(([kind, node]) => ({ node, paint: paints[kind], mark: kinds[kind].name }));
  }

  /** Returns the annotation, with paths in place of numbers. What the person has not spoken of is left out. */
  annotation(paths, blocks, draft) {
    const path = (node) => (node === null ? null : paths.get(node) ?? null);
    const list = (nodes) => nodes.map(path).filter((one) => one !== null);
    const { said, roles } = this.state;
    const { next, reason, content, without, comments, title, date, author } = said.content ? this.state : Marks.empty();
    return {
      next: path(next), next_reason: next === null && reason ? reason : null, content: list(content), without: list(without),
      comments: list(comments), title: path(title), date: path(date), author: path(author), draft,
      blocks: said.roles ? saidOf(roles, blocks) : [], roles_only: !said.content,
    };
  }

  /** Returns the state that an annotation describes. */
  static of(annotation, numbers, blocks) {
    const number = (path) => (path == null ? null : numbers.get(path) ?? null);
    const list = (paths) => paths.map(number).filter((one) => one !== null);
    const { next, next_reason: reason, content, without, comments, title, date, author } = annotation;
    return {
      next: number(next), reason: reason ?? "", content: list(content), without: list(without), comments: list(comments),
      title: number(title), date: number(date), author: number(author), roles: rolesOf(annotation.blocks, blocks),
      said: { content: !annotation.roles_only, roles: annotation.blocks.length > 0 },
    };
  }
}
