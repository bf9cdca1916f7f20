/** What the extension's own pages share. */

import { word } from "./bar.ts";

/** Returns an element of this page. */
export function get<E extends HTMLElement = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`there is no #${id}`);
  return element as E;
}

/** Shows an element, or hides it. */
export function show(id: string, isShown: boolean): void {
  get(id).hidden = !isShown;
}

/** Returns the tab that a page of ours is about: the one that its address names, or the one in front. */
export async function tabOf(): Promise<chrome.tabs.Tab | undefined> {
  const named = Number(new URL(location.href).searchParams.get("tab"));
  if (named) return await chrome.tabs.get(named);
  return (await chrome.tabs.query({ active: true, currentWindow: true }))[0];
}

/** Writes the words of the reader's language into a page: texts, and labels for those who cannot see a picture. */
export function translate(): void {
  // Those of the words, which are English where the reader's language is not among ours.
  document.documentElement.lang = word("lang");
  document.documentElement.dir = word("dir");
  for (const element of document.querySelectorAll<HTMLElement>("[data-word]")) element.textContent = word(element.dataset["word"] ?? "");
  for (const element of document.querySelectorAll<HTMLElement>("[data-label]")) {
    const label = word(element.dataset["label"] ?? "");
    element.setAttribute("aria-label", label);
    element.title = label;
  }
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
