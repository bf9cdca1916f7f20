// Colours, size, width and letters, kept in this browser, and the menu that sets them on every page.

import { make } from "./api.js";

const root = document.documentElement;
const sizes = [1, 1.125, 1.25, 1.375, 1.5, 1.75];
const themes = { light: "Light", sepia: "Sepia", dark: "Dark" };
const widths = { narrow: "Narrow", medium: "Medium", wide: "Wide" };
const letters = { serif: "Serif", sans: "Sans" };

function recall(name, otherwise) {
  try { return localStorage.getItem(name) ?? otherwise; } catch { return otherwise; }
}

function keep(name, value) {
  try { localStorage.setItem(name, value); } catch { /* this browser keeps nothing */ }
}

/** Sets one of the choices, and shows it in the menu. */
function choose(what, value) {
  root.dataset[what] = value;
  keep(what, value);
  for (const button of document.querySelectorAll(`[data-sets="${what}"]`)) button.setAttribute("aria-pressed", String(button.value === value));
}

let size = Math.min(sizes.length - 1, Math.max(0, Number(recall("size", 1)) || 0));

export function resize(by) {
  size = Math.min(sizes.length - 1, Math.max(0, size + by));
  root.style.setProperty("--size", `${sizes[size]}rem`);
  keep("size", size);
}

/** Goes on to the next colours. */
export function nextTheme() {
  const names = Object.keys(themes);
  choose("theme", names[(names.indexOf(root.dataset.theme) + 1) % names.length]);
}

function group(what, label, names) {
  const button = ([value, name]) => {
    const one = make("button", { type: "button", value, "data-sets": what, "aria-pressed": "false" }, name);
    one.addEventListener("click", () => choose(what, value));
    return one;
  };
  return make("div", { class: "choice", role: "group", "aria-label": label }, make("span", {}, label), ...Object.entries(names).map(button));
}

/** Puts the menu into a page. Pages without an article have colours only. */
function showMenu(place) {
  const sheet = make("div", { class: "sheet" }, group("theme", "Colours", themes));
  if (document.getElementById("article")) {
    const step = (name, label, by) => {
      const button = make("button", { type: "button", "aria-label": label }, name);
      button.addEventListener("click", () => resize(by));
      return button;
    };
    sheet.append(
      make("div", { class: "choice", role: "group", "aria-label": "Size" }, make("span", {}, "Size"), step("A−", "A− smaller text", -1), step("A+", "A+ larger text", 1)),
      group("width", "Width", widths), group("letters", "Letters", letters));
  }
  place.append(make("details", { class: "menu" }, make("summary", { "aria-label": "Aa, appearance" }, "Aa"), sheet));
}

/** Menus close when something else is used. */
function closeOthers({ target }) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(target)) menu.open = false;
}

const place = document.getElementById("appearance");
if (place) showMenu(place);
choose("theme", recall("theme", matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
choose("width", recall("width", "medium"));
choose("letters", recall("letters", "serif"));
resize(0);
addEventListener("click", closeOthers);
addEventListener("keydown", (event) => { if (event.key === "Escape") closeOthers({ target: null }); });
