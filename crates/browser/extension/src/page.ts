/** What the extension's own pages share. */

import { word } from "./bar.ts";

/** Returns an element of this page. */
export function get<E extends HTMLElement = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`there is no #${id}`);
  return element as E;
}

/** Writes the words of the reader's language into a page. */
export function translate(): void {
  document.documentElement.lang = chrome.i18n.getUILanguage();
  for (const element of document.querySelectorAll<HTMLElement>("[data-word]")) element.textContent = word(element.dataset["word"] ?? "");
}

/** Saves a file, as a download. */
export function save(name: string, content: BlobPart, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Returns a title as the name of a file. */
export function fileName(title: string): string {
  return title.replace(/[\p{Cc}/\\:*?"<>|]+/gu, " ").replace(/\s+/g, " ").trim().slice(0, 80) || "article";
}
