/**
 * Gives what was appended the classes that its like has on the page, so that the site's styles fit.
 *
 * The engine's trees have no classes. Pages of a site are made from one template, so an element looks like the elements of the same name at
 * the same place.
 */

/** Blocks that the engine writes as `div`. */
const AS_DIV = new Set(["main", "form", "fieldset", "center", "search", "hgroup"]);

/** Returns the name that the engine gives to an element of the page. */
export function written(element: Element): string {
  return AS_DIV.has(element.localName) ? "div" : element.localName;
}

/** Returns the class that most elements have; empty if none is had by half of them. */
function usual(elements: Element[]): string {
  const counts = new Map<string, number>();
  for (const { className } of elements) if (typeof className === "string") counts.set(className, (counts.get(className) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most && most[1] * 2 >= elements.length ? most[0] : "";
}

/** Gives `copies`, which stand beside each other, the classes of `models`, which do so too. */
export function dress(copies: Element[], models: Element[]): void {
  for (const tag of new Set(copies.map((copy) => copy.localName))) {
    const same = copies.filter((copy) => copy.localName === tag);
    const like = models.filter((model) => written(model) === tag);
    if (like.length === 0) continue;
    // As many as there: each like the one at its place. Otherwise all like most.
    const common = usual(like);
    const pattern = like.find((model) => model.className === common);
    for (const [at, copy] of same.entries()) {
      const model = same.length === like.length ? like[at] : pattern;
      if (!model) continue;
      if (typeof model.className === "string" && model.className) copy.className = model.className;
      dress([...copy.children], [...model.children]);
    }
  }
}
