/** Expressions for elements that a reader points at, which hold on the other pages of the site, too. */

/** Returns the elements of the page that an expression finds, without what is ours. */
export function matches(expression: string): Element[] {
  const found: Element[] = [];
  try {
    const result = document.evaluate(expression, document, null, XPathResult.ORDERED_NODE_ITERATOR_TYPE, null);
    for (let node = result.iterateNext(); node; node = result.iterateNext()) if (node instanceof Element && !node.closest("[data-tsugi-page]")) found.push(node);
  } catch {
    // No expression: a name that XPath does not have.
  }
  return found;
}

/** Returns a text in quotes; `null` if it has both kinds. */
function quoted(text: string): string | null {
  if (!text.includes('"')) return `"${text}"`;
  return text.includes("'") ? null : `'${text}'`;
}

function name(element: Element): string {
  return /^[a-z][a-z0-9]*$/.test(element.localName) ? element.localName : "*";
}

/** Returns expressions by id and by classes; names that are numbered belong to one page. */
function byName(element: Element): string[] {
  const isGeneral = (value: string): boolean => value !== "" && !/\d{2,}|["']/.test(value);
  const ids = isGeneral(element.id) ? [`//${name(element)}[@id="${element.id}"]`] : [];
  const classes = [...element.classList].filter(isGeneral).map((value) => `//${name(element)}[contains(concat(" ", normalize-space(@class), " "), " ${value} ")]`);
  return [...ids, ...classes];
}

/** Returns the steps from the page to an element. */
function path(element: Element): string {
  const steps: string[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    const same = [...(at.parentElement?.children ?? [at])].filter((other) => other.localName === at?.localName);
    steps.unshift(`${name(at)}${same.length > 1 ? `[${same.indexOf(at) + 1}]` : ""}`);
  }
  return `/${steps.join("/")}`;
}

/** Returns an expression for a link: it finds one address. */
export function nextLink(link: HTMLAnchorElement): string {
  const isIt = (expression: string): boolean => {
    const found = matches(expression);
    return found.includes(link) && found.every((other) => (other as HTMLAnchorElement).href === link.href);
  };
  const text = quoted((link.textContent ?? "").replace(/\s+/g, " ").trim());
  const byText = text !== null && text.length > 2 && !/^.\d+.$/.test(text) ? [`//a[normalize-space()=${text}]`] : [];
  const above: string[] = [];
  for (let at = link.parentElement; at && above.length < 12; at = at.parentElement) above.push(...byName(at).flatMap((outer) => [`${outer}/a`, ...byText.map((inner) => `${outer}${inner}`)]));
  const rel = link.relList.contains("next") ? ['//a[@rel="next"]'] : [];
  return [...rel, ...byName(link), ...byText, ...above].find(isIt) ?? path(link);
}

/** Returns an expression for content: with the elements of its kind beside it, as the posts of a thread. */
export function content(element: Element): string {
  const isIt = (expression: string): boolean => {
    const found = matches(expression);
    // Of one kind: all in one element.
    return found.includes(element) && found.every((other) => other.parentElement === element.parentElement);
  };
  const plain = [`//${name(element)}`];
  const tried = [...byName(element), ...(/^(main|article)$/.test(element.localName) ? plain : [])];
  const beside: string[] = [];
  for (let at = element.parentElement; at && beside.length < 12; at = at.parentElement) beside.push(...byName(at).map((outer) => (at === element.parentElement ? `${outer}/${name(element)}` : `${outer}//${name(element)}`)));
  return [...tried, ...beside].find(isIt) ?? path(element);
}
