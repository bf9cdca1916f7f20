// Asks the server. The token came in the address at start; it leaves the address bar and stays in this tab.

const found = new URLSearchParams(location.hash.slice(1)).get("token");
if (found) {
  sessionStorage.setItem("token", found);
  history.replaceState(null, "", location.pathname + location.search);
}

/** Sends a request with the token; throws what the server says is wrong. */
export async function ask(path, options = {}) {
  const headers = { "X-Tsugi-Token": sessionStorage.getItem("token") ?? "", ...options.headers };
  const answer = await fetch(path, { ...options, headers });
  if (!answer.ok) {
    const said = await answer.json().catch(() => ({}));
    if (answer.status === 401) throw new Error("Open the address that tsugi printed at its start: it holds the token.");
    throw new Error(said.message ?? `the server answered with status ${answer.status}`);
  }
  return answer;
}

/** Sends JSON, and returns the JSON of the answer, if there is any. */
export async function send(path, value, method = "POST") {
  const answer = await ask(path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });
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
