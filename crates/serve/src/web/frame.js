// A frame with a page of somebody else: what is painted there, and what happens there.

/** Shows a page that the server keeps. `on(message)` is called for every message of its overlay, and of nobody else. */
export function showFrame(holder, name, on) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = "The page as fetched, without its images, styles and scripts";
  frame.src = `/frame/${name}`;
  const hear = (event) => {
    if (!frame.isConnected) { removeEventListener("message", hear); return; }
    if (event.source === frame.contentWindow && event.data && typeof event.data.kind === "string") on(event.data);
  };
  addEventListener("message", hear);
  holder.replaceChildren(frame);
  const send = (message) => frame.contentWindow?.postMessage(message, "*");
  return { paint: (marks) => send({ kind: "paint", marks }), point: (node) => send({ kind: "point", node }), focus: () => frame.focus({ preventScroll: true }) };
}
