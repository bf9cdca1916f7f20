// A frame with a page of somebody else: what is painted there, and what happens there.

/** Shows a page that the server keeps. `on(message)` is called for every message of its overlay, and of nobody else. */
export function showFrame(holder, name, on) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  const plain = "The page as fetched, without its images, styles and scripts";
  frame.title = plain;
  frame.src = `/frame/${name}`;
  const hear = (event) => {
    if (!frame.isConnected) { removeEventListener("message", hear); return; }
    if (event.source === frame.contentWindow && event.data && typeof event.data.kind === "string") on(event.data);
  };
  addEventListener("message", hear);
  holder.replaceChildren(frame);
  const send = (message) => frame.contentWindow?.postMessage(message, "*");
  return {
    paint: (marks) => send({ kind: "paint", marks }), point: (node) => send({ kind: "point", node }), show: (node) => send({ kind: "show", node }),
    /** Shows the page as its site does, without its scripts; plainly without style sheets. */
    dress: (sheets) => { frame.title = sheets ? "The page as its site shows it, without its scripts" : plain; send({ kind: "dress", sheets }); },
    picture: (node, bytes, type) => send({ kind: "picture", node, bytes, type }), isShown: () => frame.isConnected,
    moves: (move) => send({ kind: "moves", move }), focus: () => frame.focus({ preventScroll: true }),
  };
}
