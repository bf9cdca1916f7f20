// Runs inside the frame, where the page of somebody else is shown. It is the only script there. It knows nothing of the
// parent but what messages say, and tells it where the pointer and the keyboard are.
(() => {
  "use strict";
  const all = new Map([...document.querySelectorAll("[data-n]")].map((element) => [Number(element.dataset.n), element]));
  const texts = new Map([...document.querySelectorAll("[data-t]")].map((element) => [Number(element.dataset.t), element]));
  const number = (element) => Number(element.closest("[data-n]")?.dataset.n ?? -1);
  /** The text at a place, or the first one in it. */
  const textAt = (element) => Number((element.closest("[data-t]") ?? element.querySelector("[data-t]"))?.dataset.t ?? -1);
  const tell = (kind, more = {}) => parent.postMessage({ kind, ...more }, "*");
  let cursor = null;
  let pressed = null;
  let swept = [];
  // Whether the arrow keys move among elements here. Otherwise they are told like other keys.
  let moves = true;

  function point(element, scroll) {
    cursor?.classList.remove("cursor");
    cursor = element;
    if (!cursor) return;
    cursor.classList.add("cursor");
    if (scroll) cursor.scrollIntoView({ block: "nearest" });
    tell("at", { node: number(cursor), text: cursor.textContent.trim().slice(0, 200) });
  }

  function paint(marks) {
    for (const element of document.querySelectorAll("[data-paint], [data-mark], [data-tint]")) {
      delete element.dataset.paint;
      delete element.dataset.mark;
      delete element.dataset.tint;
      element.style.removeProperty("background-color");
    }
    for (const { node, paint: how, mark, tint } of marks) {
      const element = all.get(node) ?? texts.get(node);
      if (!element) continue;
      if (how) element.dataset.paint = `${element.dataset.paint ?? ""} ${how}`.trim();
      if (mark) element.dataset.mark = mark;
      if (tint !== undefined) {
        element.dataset.tint = tint;
        element.style.setProperty("background-color", `rgb(${Math.round(255 - 90 * tint)} ${Math.round(235 + 10 * tint)} ${Math.round(225 - 20 * tint)})`);
      }
    }
  }

  /** Returns the next element on one side. Texts are none. */
  function beside(at, side) {
    let found = at[side];
    while (found && !found.dataset.n) found = found[side];
    return found;
  }

  const ways = {
    ArrowUp: (at) => at.parentElement?.closest("[data-n]"),
    ArrowDown: (at) => at.querySelector("[data-n]"),
    ArrowLeft: (at) => beside(at, "previousElementSibling"),
    ArrowRight: (at) => beside(at, "nextElementSibling"),
  };

  // Names of elements that are here. A site's style sheet knows them without `t-`.
  const names = new Set([...all.values()].map((element) => element.localName));
  const ofType = (type) => (type === "html" ? ":root" : names.has(`t-${type}`) ? `t-${type}` : "t-none");
  // In a selector: what is no name of an element, and then such names. The browser has written it, so it is well formed.
  const parts = /"(?:[^"\\]|\\.)*"|\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]|:(?:nth-[\w-]+|lang|dir)\([^)]*\)|[.#:]+(?:[\w\u0080-\uffff-]|\\.)+|[a-z\u0080-\uffff](?:[\w\u0080-\uffff-]|\\.)*/gi;
  const renamed = (selector) => selector.replace(parts, (part) => (/^[a-z\u0080-\uffff]/i.test(part) ? ofType(part.toLowerCase()) : part));

  /** Takes addresses out of a style, which could load nothing anyway, and what would lie upon the page. */
  function clean(style) {
    for (const property of [...style]) {
      const value = style.getPropertyValue(property);
      if (/url\(|src\(|image-set\(/i.test(value) || (property === "position" && /fixed|sticky/.test(value))) style.removeProperty(property);
    }
  }

  function adapt(holder) {
    for (let at = holder.cssRules.length - 1; at >= 0; at -= 1) {
      const rule = holder.cssRules[at];
      if (rule instanceof CSSFontFaceRule) { holder.deleteRule(at); continue; }
      if (rule instanceof CSSStyleRule) rule.selectorText = renamed(rule.selectorText);
      if (rule.style) clean(rule.style);
      if (rule.cssRules) adapt(rule);
    }
  }

  /** Reads a style sheet of the site with the browser's parser. `@import` does nothing in such a sheet. */
  function sheetOf({ text, media }) {
    const sheet = new CSSStyleSheet({ media });
    sheet.replaceSync(text);
    adapt(sheet);
    return sheet;
  }

  /** Shows the page as its site does, or plainly if there are no style sheets. */
  function dress(sheets) {
    document.adoptedStyleSheets = sheets ? sheets.map(sheetOf) : [];
    for (const element of all.values()) {
      const place = element.localName === "t-html" ? document.documentElement : element;
      for (const name of ["class", "id"]) {
        if (sheets && element.dataset[name]) place.setAttribute(name, element.dataset[name]);
        else place.removeAttribute(name);
      }
      place.removeAttribute("style");
      if (sheets && element.dataset.style) { place.style.cssText = element.dataset.style; clean(place.style); }
    }
    cursor?.classList.add("cursor");
    document.body.toggleAttribute("data-dressed", Boolean(sheets));
    if (sheets) return;
    for (const image of document.querySelectorAll("t-img > img")) { URL.revokeObjectURL(image.src); image.replaceWith(image.alt); }
  }

  function picture(element, bytes, type) {
    if (element?.localName !== "t-img") return;
    const image = document.createElement("img");
    image.alt = element.textContent;
    image.src = URL.createObjectURL(new Blob([bytes], { type }));
    element.replaceChildren(image);
  }

  addEventListener("message", (event) => {
    if (event.source !== parent) return;
    const { kind, marks, node, move, sheets, bytes, type } = event.data ?? {};
    if (kind === "paint" && Array.isArray(marks)) paint(marks);
    if (kind === "point") point(all.get(node) ?? null, true);
    if (kind === "show") texts.get(node)?.scrollIntoView({ block: "center" });
    if (kind === "dress") dress(sheets);
    if (kind === "picture") picture(all.get(node), bytes, type);
    if (kind === "moves") { moves = move; if (!moves) point(null, false); }
  });
  addEventListener("pointerdown", (event) => { pressed = event.target; swept = []; });
  addEventListener("pointerover", (event) => {
    if (pressed && event.buttons === 1) swept.push(number(event.target));
    else tell("over", { node: number(event.target) });
  });
  addEventListener("pointerup", (event) => {
    const dragged = pressed && event.target !== pressed && swept.length > 0;
    if (dragged) tell("drag", { nodes: [number(pressed), ...swept] });
    else {
      if (moves) point(event.target.closest("[data-n]"), false);
      tell("click", { node: number(event.target), text: textAt(event.target) });
    }
    pressed = null;
    getSelection()?.removeAllRanges();
    event.preventDefault();
  });
  addEventListener("click", (event) => event.preventDefault(), true);
  addEventListener("keydown", (event) => {
    const move = moves ? ways[event.key] : null;
    if (move) {
      event.preventDefault();
      point((cursor && move(cursor)) || cursor || all.get(Math.min(...all.keys())) || null, true);
    } else if (!event.ctrlKey && !event.metaKey && !event.altKey && event.key !== "Tab") {
      event.preventDefault();
      tell("key", { key: event.key, node: cursor ? number(cursor) : -1 });
    }
  });
  // What a second click takes is the parent, so the parent of every element has to be known outside.
  const parents = [...all].map(([at, element]) => [at, element.parentElement ? number(element.parentElement) : -1]);
  tell("ready", { parents });
})();
