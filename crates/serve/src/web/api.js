// Asks the server. The token came in the address at start, or was pasted; this browser keeps it, for all its tabs.

const found = new URLSearchParams(location.hash.slice(1)).get("token");
if (found) {
  keepToken(found);
  history.replaceState(null, "", location.pathname + location.search);
}

/** Keeps the token: in this browser, or in this tab if the browser keeps nothing. */
function keepToken(token) {
  for (const place of [() => localStorage, () => sessionStorage]) {
    try { place().setItem("token", token.trim()); return; } catch { /* the next place */ }
  }
}

function token() {
  try { return localStorage.getItem("token") ?? ""; } catch { /* it keeps nothing */ }
  try { return sessionStorage.getItem("token") ?? ""; } catch { return ""; }
}

/** Asks for the token, above whatever the page shows. */
function showLogin() {
  if (document.getElementById("login")) return;
  const field = make("input", { id: "token", autocomplete: "off", required: true });
  const form = make("form", { id: "login", class: "panel" },
    make("h2", {}, "This browser does not know the token yet"),
    make("p", {}, "tsugi printed an address when it started. Open that address once, or paste the token from its end. This browser keeps it."),
    make("div", { class: "row" }, make("label", { class: "grow" }, "Token ", field), make("button", { type: "submit", class: "main" }, "Go on")));
  form.addEventListener("submit", (event) => { event.preventDefault(); keepToken(field.value); location.reload(); });
  document.querySelector("header.bar").after(form);
}

/** What the server says is wrong. `message` is for people, `detail` for those who look for the cause. */
export class Refused extends Error {
  constructor({ message, detail, error }, status) {
    super(message ?? "the server did not understand the request");
    this.detail = detail;
    this.word = error;
    this.status = status;
  }
}

/** Sends a request with the token; throws what the server says is wrong. */
export async function ask(path, options = {}) {
  const headers = { "X-Tsugi-Token": token(), ...options.headers };
  const answer = await fetch(path, { ...options, headers }).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Refused({ message: "tsugi does not run any more; start it again", detail: error.message, error: "gone" }, 0);
  });
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  if (answer.status === 401) showLogin();
  throw new Refused(answer.status === 401 ? { message: "this browser does not know the token", error: "token" } : said, answer.status);
}

/** Sends JSON, and returns the JSON of the answer, if there is any. */
export async function send(path, value, method = "POST", more = {}) {
  const answer = await ask(path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(value), ...more });
  return answer.status === 204 ? null : answer.json();
}

/** Reads server-sent events of an answer: calls `on(name, data)` for each. */
export async function events(answer, on) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n");
      const field = (name) => lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, "")).join("\n");
      const data = field("data");
      if (data) on(field("event"), JSON.parse(data));
    }
  }
}

/** Saves what the server sends as a file, under the name that it gives. */
export async function download(path) {
  const answer = await ask(path);
  const named = /filename\*=UTF-8''([^;]+)|filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "");
  const address = URL.createObjectURL(await answer.blob());
  make("a", { href: address, download: named ? decodeURIComponent(named[1] ?? named[2]) : "article" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Makes an element: attributes, and children that are elements or text. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}
