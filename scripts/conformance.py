"""Evaluates XPath with libxml2 (through lxml) and compares with what our own evaluation gave, node for node.

    conformance.py RESULT_FOLDER < lines     the lines as `crates/experiments/examples/conformance.rs` writes them
    conformance.py --expect FILE < lines     puts what libxml2 gives into FILE, for a test without it

Writes conformance.md and conformance.json. Exit code 1 where a difference has no known reason.
"""

import collections
import json
import math
import multiprocessing
import re
import sys

from lxml import etree

TOKEN = re.compile(
    r"""\s+|"[^"]*"|'[^']*'|\$?[^\W\d][\w.-]*(?::(?!:)[^\W\d][\w.-]*|:\*)?|\d+(?:\.\d*)?|\.\d+|\.\.|//|::|!=|<=|>=|."""
)
OPERAND_ENDS = {")", "]", ".", "..", "*"}
OPERATORS = {"or", "and", "div", "mod"}


def tokens(source):
    """Yields (token, kind); kind is `name`, `function`, `axis`, `operator`, `literal`, or the empty string."""
    found = TOKEN.findall(source)
    solid = [at for at, token in enumerate(found) if not token.isspace()]
    after = {a: found[b] for a, b in zip(solid, solid[1:])}
    before, result = None, []
    for at, token in enumerate(found):
        kind = ""
        if not token.isspace():
            # An operator can only follow the end of an operand.
            operand = before is not None and (before[0] in OPERAND_ENDS or before[1] in ("name", "literal"))
            if before is not None and before[0] == "*" and before[1] == "operator":
                operand = False
            if token[0] in "\"'" or token[0].isdigit() or (token[0] == "." and len(token) > 1 and token[1].isdigit()):
                kind = "literal"
            elif operand and (token in OPERATORS or token == "*"):
                kind = "operator"
            elif token[0] == "$":
                kind = "literal"
            elif token[0].isalpha() or token[0] == "_":
                following = after.get(at)
                kind = "function" if following == "(" else "axis" if following == "::" else "name"
            before = (token, kind)
        result.append((token, kind))
    return result


def lowered(source):
    """Returns the expression with the names of elements and attributes in lower case, as HTML matches them."""
    return "".join(token.lower() if kind == "name" else token for token, kind in tokens(source))


NODE_TYPES = {"text", "node", "comment", "processing-instruction"}


def rooted(source):
    """Returns the expression with the document as context node, for lxml's is the root element: a `/` before every
    relative path that stands in no predicate. `None` where that cannot be done."""
    out, predicates, start = [], 0, True
    for token, kind in tokens(source):
        if token.isspace():
            out.append(token)
            continue
        if token == "[":
            predicates += 1
        if predicates == 0 and start:
            step = kind in ("name", "axis") or token in (".", "..", "@", "*")
            step = step or (kind == "function" and token in NODE_TYPES)
            if step:
                out.append("/")
            elif kind == "function" and re.search(re.escape(token) + r"\s*\(\s*\)", source) and token not in (
                "true", "false", "position", "last",
            ):
                return None
        out.append(token)
        if token == "]":
            predicates -= 1
        start = kind == "operator" or token in ("(", ",", "|", "+", "-", "=", "!=", "<", ">", "<=", ">=")
    return "".join(out)


class Oracle:
    """libxml2, and the expressions that it has compiled."""

    def __init__(self):
        self.compiled = {}

    def compile(self, source):
        if source not in self.compiled:
            try:
                context = rooted(source)
                self.compiled[source] = etree.XPath(source if context is None else context)
            except etree.XPathError as error:
                self.compiled[source] = str(error) or "invalid expression"
        return self.compiled[source]

    def evaluate(self, source, tree, places):
        xpath = self.compile(source)
        if isinstance(xpath, str):
            return {"error": xpath}
        try:
            value = xpath(tree)
        except etree.XPathError as error:
            return {"error": str(error)}
        if isinstance(value, bool):
            return {"boolean": value}
        if isinstance(value, float):
            return {"number": value}
        if isinstance(value, str):
            return {"string": str(value)}
        nodes = [places.of(node) for node in value]
        # The order of lxml's list is libxml2's, which is the document's for all but a few expressions.
        return {"nodes": sorted(nodes, key=order)} if nodes else None


def order(place):
    owner, _, index = place.partition("@")
    return int(owner), int(index) if index else -1


class Places:
    """Nodes of a tree by their place in document order."""

    def __init__(self, root):
        self.elements, self.texts, self.tails, self.nodes = {}, {}, {}, []
        before = list(root.itersiblings(preceding=True))[::-1]
        for node in before:
            self.add(node)
        self.walk(root)
        for node in root.itersiblings():
            self.add(node)

    def add(self, node):
        self.elements[node] = len(self.nodes)
        if isinstance(node, etree._Comment):
            self.nodes.append(["c", len(node.text or "")])
        else:
            self.nodes.append(["e", len(node.attrib)])

    def text(self, node, text, places):
        if text:
            places[node] = len(self.nodes)
            self.nodes.append(["t", len(text)])

    def walk(self, root):
        for event, node in etree.iterwalk(root, events=("start", "end", "comment")):
            if event != "end":
                self.add(node)
            if event == "start":
                self.text(node, node.text, self.texts)
            elif node is not root:
                self.text(node, node.tail, self.tails)

    def of(self, node):
        if isinstance(node, etree._Element):
            return str(self.elements[node])
        owner = node.getparent()
        if node.is_attribute:
            return f"{self.elements[owner]}@{list(owner.attrib).index(node.attrname)}"
        return str((self.texts if node.is_text else self.tails)[owner])


def same(ours, theirs):
    if (ours is None) != (theirs is None):
        return False
    if ours is None:
        return True
    if "error" in ours or "error" in theirs:
        return "error" in ours and "error" in theirs
    if ours.keys() != theirs.keys():
        return False
    if "number" in ours:
        a, b = float(ours["number"]), theirs["number"]
        return a == b or (math.isnan(a) and math.isnan(b))
    return ours == theirs


def reason(source, known, ours, theirs, oracle, tree, places):
    """Says why results differ, where a reason is known."""
    ours_error = (ours or {}).get("error")
    if known and re.search("at most .* are read|nest deeper|operators", known):
        return "deeper than our bounds"
    if known and "bound to no namespace" in known and not (theirs or {}).get("error"):
        return "unknown prefix that libxml2 never comes to"
    if ours_error and "too much work" in ours_error:
        return "more work than our bound"
    if lowered(source) != source and same(ours, oracle.evaluate(lowered(source), tree, places)):
        return "names in upper case"
    if ours and theirs and "string" in ours and "string" in theirs:
        try:
            if math.isclose(float(ours["string"]), float(theirs["string"]), rel_tol=1e-14):
                return "digits of numbers"
        except ValueError:
            pass
    if ours and theirs and ours.get("number") == "NaN" and re.search(r"\de[+-]?\d", source):
        return "exponents"
    if ours_error and ("unknown function" in ours_error or "unbound variable" in ours_error):
        return "unknown function or variable that libxml2 never comes to"
    return "unexplained"


class OtherTree(Exception):
    """libxml2 reads a page as another tree."""


def read(page):
    parser = etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(page["xml"].encode(), parser)
    # Of two elements with one ID the first counts, as in HTML.
    faults = [error.message for error in parser.error_log if error.type_name != "DTD_ID_REDEFINED"]
    places = Places(root)
    if places.nodes != page["nodes"] or faults:
        at = next((i for i, (a, b) in enumerate(zip(places.nodes, page["nodes"])) if a != b), -1)
        raise OtherTree(f"{faults[:1]} node {at} of {len(page['nodes'])}")
    return root.getroottree(), places


def compare(line):
    page = json.loads(line)
    try:
        tree, places = read(page)
    except OtherTree as why:
        return {"url": page["url"], "broken": str(why)}
    counts, differences = collections.Counter(), []
    for number in range(len(EXPRESSIONS)) if page["all"] else page["asked"]:
        source, known = EXPRESSIONS[number]["source"], EXPRESSIONS[number]["error"]
        ours = {"error": known} if known else page["results"].get(str(number))
        theirs = ORACLE.evaluate(source, tree, places)
        counts["evaluations"] += 1
        counts["with nodes or values"] += theirs is not None and "error" not in theirs
        counts["refused by both"] += bool((ours or {}).get("error") and (theirs or {}).get("error"))
        if same(ours, theirs):
            counts["equal"] += 1
        else:
            why = reason(source, known, ours, theirs, ORACLE, tree, places)
            differences.append((why, number, str(ours)[:80], str(theirs)[:80]))
    return {"url": page["url"], "set": page["set"], "all": page["all"], "counts": counts,
            "differences": differences, "micros": page["micros"], "budget": page["budget"],
            "steps": page["steps"], "most steps": page["most_steps"] or 0}


def start(expressions):
    global EXPRESSIONS, ORACLE
    EXPRESSIONS, ORACLE = expressions, Oracle()


REASONS = {
    "names in upper case": "HTML matches names of elements and attributes without case, as browsers do; libxml2 reads the "
    "page as XML. With the names in lower case the results are equal.",
    "unknown prefix that libxml2 never comes to": "We refuse a prefix that is bound to no namespace when the expression "
    "is parsed, libxml2 when it comes to it. Browsers refuse it at once.",
    "unknown function or variable that libxml2 never comes to": "As above.",
    "more work than our bound": "All expressions of a page share a budget.",
    "deeper than our bounds": "Length, nesting and operators of an expression are bounded.",
    "digits of numbers": "XPath 1.0 wants as many digits as tell a number from others, libxml2 writes 15.",
    "exponents": "XPath 1.0 knows no exponents, libxml2 reads them.",
    "unexplained": "To be looked into.",
}


def excerpt(source):
    return source if len(source) <= 60 else source[:57] + "…"


def report(folder, expressions, totals, sets, differences, broken, speed, work):
    version = ".".join(map(str, etree.LIBXML_VERSION))
    refused = [e for e in expressions if e["error"]]
    figures = {
        "libxml2": version,
        "lxml": etree.__version__,
        "expressions": len(expressions),
        "expressions refused by us": len(refused),
        **dict(sorted(totals.items())),
        "steps": work,
        "pages that libxml2 reads as another tree": len(broken),
        "sets": {name: {scope: dict(sorted(row.items())) for scope, row in rows.items()} for name, rows in sets.items()},
        "differences": {
            why: {"evaluations": found["evaluations"], "expressions": len(found["expressions"])}
            for why, found in sorted(differences.items())
        },
    }
    with open(f"{folder}/conformance.json", "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=2, ensure_ascii=False)
        file.write("\n")

    def number(value):
        return f"{value:,}"

    lines = [
        "# XPath: our results and those of libxml2",
        "",
        f"Written by `scripts/conformance DATA`; libxml2 {version} through lxml {etree.__version__}. Every expression of "
        "the rules (`nextLink`, `pageElement`, `insertBefore` of two Wedata dumps and of our own items, "
        f"{number(len(expressions))} distinct ones) on a sample of pages by a fixed seed, and on every page the expressions "
        "of the items whose `url` matches. Results are compared node for node; pages are handed over as XML that libxml2 "
        "reads as the same tree, which is checked. Figures without page text: `conformance.json`.",
        "",
        "| evaluations | equal | with nodes or a value | refused by both | different |",
        "| --: | --: | --: | --: | --: |",
        f"| {number(totals['evaluations'])} | {number(totals['equal'])} | {number(totals['with nodes or values'])} | "
        f"{number(totals['refused by both'])} | {number(totals['evaluations'] - totals['equal'])} |",
        "",
        "| set | expressions | pages | evaluations | with nodes or a value | equal |",
        "| --- | --- | --: | --: | --: | --: |",
    ]
    for name, rows in sorted(sets.items()):
        for scope, row in sorted(rows.items()):
            lines.append(
                f"| {name} | {scope} | {row['pages']} | {number(row['evaluations'])} | "
                f"{number(row['with nodes or values'])} | {number(row['equal'])} |"
            )
    lines += [
        "",
        f"The costliest evaluation takes {number(work['of one expression'])} steps, those of the items of one page together at most "
        f"{number(work['of the items of a page'])}. The budget of a page is {number(work['of the budget'])} steps.",
        "",
        "## Differences",
        "",
    ]
    if not differences:
        lines.append("None.")
    for why, found in sorted(differences.items()):
        lines += [
            f"**{why[0].upper() + why[1:]}**: {number(found['evaluations'])} evaluations, {len(found['expressions'])} "
            f"expressions. {REASONS[why]}",
            "",
        ]
        for index in sorted(found["expressions"])[:12]:
            expression = expressions[index]
            lines.append(f"- {expression['in']}: `{excerpt(expression['source'])}`")
        if len(found["expressions"]) > 12:
            lines.append(f"- and {len(found['expressions']) - 12} more")
        lines.append("")
    lines += ["## What we refuse", ""]
    for expression in refused:
        lines.append(f"- {expression['in']}: {expression['error']}")
    pages, micros, evaluations = speed
    lines += [
        "",
        "## What cannot be compared",
        "",
        "The document node (libxml2's binding returns none), the doctype (no node of XPath), characters that XML forbids "
        "(U+FFFD on both sides), a second hyphen in comments, spaces at the ends and in runs of `id` (tabs on both sides: "
        "a DTD would fold them), and names that are no XML names, which no expression can say. Relative expressions are "
        "made absolute for libxml2, since its binding evaluates from the root element and browsers do from the document.",
        "",
    ]
    if broken:
        lines += [f"{len(broken)} pages are left out, since libxml2 reads them as another tree.", ""]
    with open(f"{folder}/conformance.md", "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    print(f"{evaluations} evaluations of ours on {pages} pages took {micros / 1e6:.1f} s", file=sys.stderr)


def expect(path):
    """Puts what libxml2 gives for the expressions of a file into it."""
    expressions = [e["source"] for e in json.loads(sys.stdin.readline())["expressions"]]
    oracle, expected = Oracle(), {}
    for line in sys.stdin:
        page = json.loads(line)
        tree, places = read(page)
        found = expected[page["url"]] = {}
        for source in expressions:
            value = oracle.evaluate(source, tree, places)
            if value is not None:
                # The words of an error are libxml2's.
                found[source] = {"error": True} if "error" in value else plain(value)
    version = ".".join(map(str, etree.LIBXML_VERSION))
    with open(path, "w", encoding="utf-8") as file:
        # One result a line, so that a diff shows what changed.
        line = lambda value: json.dumps(value, ensure_ascii=False)
        listed = ",\n  ".join(map(line, expressions))
        pages = ",\n  ".join(
            f"{line(url)}: {{\n   " + ",\n   ".join(f"{line(s)}: {line(v)}" for s, v in found.items()) + "\n  }"
            for url, found in expected.items()
        )
        file.write(f'{{\n "libxml2": {line(version)},\n "expressions": [\n  {listed}\n ],\n "expected": {{\n  {pages}\n }}\n}}\n')


def plain(value):
    """Writes a number as text, since JSON has no NaN and no infinity."""
    return {"number": str(value["number"])} if "number" in value else value


def main():
    if sys.argv[1] == "--expect":
        return expect(sys.argv[2])
    expressions = json.loads(sys.stdin.readline())["expressions"]
    totals, sets, differences, broken = collections.Counter(), {}, {}, []
    speed = [0, 0, 0]
    work = {"of one expression": 0, "of the items of a page": 0, "of the budget": 0}
    with multiprocessing.Pool(2, start, (expressions,)) as pool:
        for page in pool.imap_unordered(compare, sys.stdin, chunksize=4):
            if "broken" in page:
                broken.append(page)
                continue
            scope = "all" if page["all"] else "of its items"
            row = sets.setdefault(page["set"], {}).setdefault(scope, collections.Counter())
            for counter in (totals, row):
                counter["pages"] += 1
                counter.update(page["counts"])
            speed = [speed[0] + 1, speed[1] + page["micros"], speed[2] + page["counts"]["evaluations"]]
            work["of the budget"] = page["budget"]
            work["of one expression"] = max(work["of one expression"], page["most steps"])
            if not page["all"]:
                work["of the items of a page"] = max(work["of the items of a page"], page["steps"])
            for why, number, ours, theirs in page["differences"]:
                found = differences.setdefault(why, {"evaluations": 0, "expressions": {}})
                found["evaluations"] += 1
                found["expressions"].setdefault(number, (page["url"], ours, theirs))
    for page in broken:
        print(f"{page['url']}: another tree: {page['broken']}", file=sys.stderr)
    for why, found in sorted(differences.items()):
        print(f"{why}: {found['evaluations']}, {len(found['expressions'])} expressions", file=sys.stderr)
    unexplained = differences.get("unexplained", {"expressions": {}})["expressions"]
    for number, (url, ours, theirs) in list(unexplained.items())[:40]:
        source = expressions[number]["source"]
        print(f"  {source}\n    {url}\n    ours {ours}\n    theirs {theirs}", file=sys.stderr)
    report(sys.argv[1], expressions, totals, sets, differences, broken, speed, work)
    print(f"{totals['evaluations']} evaluations, {totals['equal']} equal", file=sys.stderr)
    sys.exit(1 if unexplained or broken else 0)


if __name__ == "__main__":
    main()
