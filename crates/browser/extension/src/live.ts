/** The page as it stands, with and without what is ours. */

import { toBase64 } from "./bytes.ts";
import type { Stored } from "./messages.ts";

const OURS_ON_PAGE = "tsugi-status, tsugi-separator, tsugi-page, tsugi-picker, [data-tsugi-page]";

/** The page as it stands, without what is ours. */
export function live(): Stored {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  for (const ours of copy.querySelectorAll(OURS_ON_PAGE)) ours.remove();
  const html = `${document.doctype ? "<!DOCTYPE html>" : ""}${copy.outerHTML}`;
  return { url: location.href, contentType: "text/html; charset=utf-8", bytes: toBase64(new TextEncoder().encode(html)) };
}

/** Takes all that is ours off the page. */
export function clear(): void {
  for (const ours of document.querySelectorAll(OURS_ON_PAGE)) ours.remove();
}
