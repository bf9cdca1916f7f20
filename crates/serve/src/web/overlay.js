// Runs inside the frame, where the page of somebody else is shown. It is the only script there. It knows nothing of the
// parent but what messages say, and tells it where the pointer and the keyboard are.
(() => {
  "use strict";
  const all = new Map([...document.querySelectorAll("[data-n]")].map((element) => [Number(element.dataset.n), element]));
  const number = (element) => Number(element.closest("[data-n]")?.dataset.n ?? -1);
  const tell = (kind, more = {}) => parent.postMessage({ kind, ...more }, "*");
  let cursor = null;
  let pressed = null;
  let swept = [];

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
      const element = all.get(node);
      if (!element) continue;
      if (how) element.dataset.paint = `${element.dataset.paint ?? ""} ${how}`.trim();
      if (mark) element.dataset.mark = mark;
      if (tint !== undefined) {
        element.dataset.tint = tint;
        element.style.setProperty("background-color", `rgb(${Math.round(255 - 90 * tint)} ${Math.round(235 + 10 * tint)} ${Math.round(225 - 20 * tint)})`);
      }
    }
  }

  const moves = {
    ArrowUp: (at) => at.parentElement?.closest("[data-n]"),
    ArrowDown: (at) => at.querySelector("[data-n]"),
    ArrowLeft: (at) => at.previousElementSibling,
    ArrowRight: (at) => at.nextElementSibling,
  };

  addEventListener("message", (event) => {
    if (event.source !== parent) return;
    const { kind, marks, node } = event.data ?? {};
    if (kind === "paint" && Array.isArray(marks)) paint(marks);
    if (kind === "point") point(all.get(node) ?? null, true);
  });
  addEventListener("pointerdown", (event) => { pressed = event.target; swept = []; });
  addEventListener("pointerover", (event) => {
    if (pressed && event.buttons === 1) swept.push(number(event.target));
    else tell("over", { node: number(event.target) });
  });
  addEventListener("pointerup", (event) => {
    const dragged = pressed && event.target !== pressed && swept.length > 0;
    if (dragged) tell("drag", { nodes: [number(pressed), ...swept] });
    else { point(event.target.closest("[data-n]"), false); tell("click", { node: number(event.target) }); }
    pressed = null;
    getSelection()?.removeAllRanges();
    event.preventDefault();
  });
  addEventListener("click", (event) => event.preventDefault(), true);
  addEventListener("keydown", (event) => {
    const move = moves[event.key];
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
