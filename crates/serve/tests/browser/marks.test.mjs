// What is marked, without a browser.

import { test } from "node:test";
import assert from "node:assert/strict";
import { Marks } from "../../src/web/marks.js";
import { paintOf } from "../../src/web/roles.js";

// 1 holds 2 and 5; 2 holds 3 and 4.
const parents = new Map([[1, -1], [2, 1], [3, 2], [4, 2], [5, 1]]);
const fresh = () => new Marks(Marks.empty(), parents);

test("a second click takes the parent, and outermost elements are kept", () => {
  const marks = fresh();
  marks.mark("content", 3);
  marks.mark("content", 5);
  assert.deepEqual(marks.state.content, [3, 5]);
  marks.mark("content", 5);
  assert.deepEqual(marks.state.content, [1], "the parent of 5 holds 3, too");
  marks.mark("content", 4);
  assert.deepEqual(marks.state.content, [1], "the root has no parent");
});

test("dragging takes several, a click elsewhere one more", () => {
  const marks = fresh();
  marks.sweep("content", [3, 4, -1]);
  assert.deepEqual(marks.state.content, [3, 4]);
  marks.sweep("next", [5, 4]);
  assert.equal(marks.state.next, 5);
});

test("one link is next, or a reason says why there is none", () => {
  const marks = fresh();
  marks.mark("next", 3);
  marks.none("last");
  assert.deepEqual([marks.state.next, marks.state.reason], [null, "last"]);
  marks.mark("next", 4);
  assert.deepEqual([marks.state.next, marks.state.reason], [4, ""]);
  marks.mark("next", 4);
  assert.equal(marks.state.next, null, "the same once more is none");
});

test("every change can be undone", () => {
  const marks = fresh();
  marks.mark("content", 3);
  marks.remove("content", 3);
  marks.none("last");
  for (let count = 0; count < 5; count += 1) marks.undo();
  assert.deepEqual(marks.state, Marks.empty());
});

test("an annotation is read back as it was", () => {
  const paths = new Map([[1, "/a"], [2, "/a/b"], [3, "/a/b/c"]]);
  const numbers = new Map([...paths].map(([node, path]) => [path, node]));
  const marks = fresh();
  marks.mark("content", 2);
  marks.mark("next", 3);
  marks.mark("title", 1);
  marks.state.said.content = true;
  const annotation = marks.annotation(paths, [], true);
  assert.equal(annotation.draft, true);
  assert.deepEqual(Marks.of(annotation, numbers, []), marks.state);
});

test("roles are kept beside marks, and of several blocks of one element the order tells which is which", () => {
  const paths = new Map([[2, "/a/b"]]);
  const numbers = new Map([["/a/b", 2]]);
  const blocks = [{ at: "/a", texts: [7] }, { at: "/a/b", texts: [8, 9] }, { at: "/a", texts: [10] }];
  const marks = fresh();
  marks.mark("content", 2);
  marks.state.roles = ["title", null, "tags"];
  marks.state.said.roles = true;
  const rolesOnly = marks.annotation(paths, blocks, false);
  assert.deepEqual(rolesOnly.blocks, [{ at: "/a", role: "title" }, { at: "/a/b", role: null }, { at: "/a", role: "tags" }]);
  assert.deepEqual([rolesOnly.content, rolesOnly.roles_only], [[], true], "a draft that nobody confirmed is not saved");
  marks.state.said.content = true;
  const both = marks.annotation(paths, blocks, false);
  assert.deepEqual([both.content, both.roles_only], [["/a/b"], false]);
  assert.deepEqual(Marks.of(both, numbers, blocks), marks.state);
  // After an update of tsugi a page may have other blocks.
  assert.deepEqual(Marks.of(both, numbers, [{ at: "/a/x" }, { at: "/a" }]).roles, [null, "title"]);
  assert.deepEqual(paintOf(marks.state.roles, blocks, 2).map(({ node, mark }) => [node, mark]), [[7, "title"], [8, "?"], [9, null], [10, "tags"]]);
});
