// Theme and text size, kept in this browser.

const root = document.documentElement;
const sizes = [1, 1.125, 1.25, 1.5, 1.75];

function recall(name, otherwise) {
  try { return localStorage.getItem(name) ?? otherwise; } catch { return otherwise; }
}

function keep(name, value) {
  try { localStorage.setItem(name, value); } catch { /* this browser keeps nothing */ }
}

export function setTheme(dark) {
  root.dataset.theme = dark ? "dark" : "light";
  document.getElementById("theme")?.setAttribute("aria-pressed", String(dark));
  keep("theme", dark ? "dark" : "light");
}

export function toggleTheme() {
  setTheme(root.dataset.theme !== "dark");
}

let size = Number(recall("size", 1));

export function resize(by) {
  size = Math.min(sizes.length - 1, Math.max(0, size + by));
  root.style.setProperty("--size", `${sizes[size]}rem`);
  keep("size", size);
}

const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
setTheme(recall("theme", system) === "dark");
resize(0);
document.getElementById("theme")?.addEventListener("click", toggleTheme);
document.getElementById("smaller")?.addEventListener("click", () => resize(-1));
document.getElementById("larger")?.addEventListener("click", () => resize(1));
