/** A rule in the formats of other clients. */

import type { Rule } from "./settings.ts";

/** A dump of one item, as Wedata has it: AutoPagerize, weAutoPagerize, Pagetual, Infy Scroll. */
export function asWedata(rule: Rule): string {
  return `${JSON.stringify([{ name: rule.name, data: rule.data }], null, 2)}\n`;
}

/** A site config of FiveFilters, graby and wallabag. They parse with libxml2, which inserts no `tbody`. */
export function asFiveFilters(rule: Rule): string {
  const line = (field: string): string => (rule.data[field] ?? "").replace(/[\r\n]/g, " ").replaceAll("/tbody/", "//");
  const example = rule.data["exampleUrl"] ? `test_url: ${line("exampleUrl")}\n` : "";
  return `body: ${line("pageElement")}\nnext_page_link: ${line("nextLink")}\n${example}`;
}

/** A rule of Super_preloader and its heirs. */
export function asSuperPreloader(rule: Rule): string {
  const { url, nextLink, pageElement, exampleUrl } = rule.data;
  const siteExample = exampleUrl ? { siteExample: exampleUrl } : {};
  return `${JSON.stringify({ siteName: rule.name, url, ...siteExample, nextLink, autopager: { pageElement } }, null, 2)}\n`;
}
