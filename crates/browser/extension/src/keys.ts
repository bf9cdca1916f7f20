/** Keys that a reader may choose: a key with Control, Alt or the like, so that writing stays writing. */

/** Returns the name of what was pressed: `Alt+Shift+KeyN`; empty for keys that no choice has. */
export function pressed(event: Pick<KeyboardEvent, "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">): string {
  const { code, altKey, ctrlKey, metaKey, shiftKey } = event;
  const isAlone = /^F\d+$/.test(code);
  if (!/^(Key[A-Z]|Digit\d|F\d+|Arrow(Up|Down|Left|Right)|Page(Up|Down)|Comma|Period|Slash|Semicolon|Bracket(Left|Right)|Minus|Equal)$/.test(code)) return "";
  if (!(altKey || ctrlKey || metaKey || isAlone)) return "";
  return [...(ctrlKey ? ["Ctrl"] : []), ...(altKey ? ["Alt"] : []), ...(metaKey ? ["Meta"] : []), ...(shiftKey ? ["Shift"] : []), code].join("+");
}

/** Whether a text may be the name of a key. */
export function isKey(name: unknown): name is string {
  return typeof name === "string" && (name === "" || /^(Ctrl\+)?(Alt\+)?(Meta\+)?(Shift\+)?[A-Z][A-Za-z0-9]{1,12}$/.test(name));
}

/** Returns a name as it is on the keys: `Alt + Shift + N`. */
export function shown(name: string): string {
  return name.split("+").map((part) => part.replace(/^(Key|Digit)/, "")).join(" + ");
}
