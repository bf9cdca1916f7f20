"""Makes hostile articles, lets tsugi write them as Markdown, and renders that.

Usage: render.py TSUGI FRAGMENTS.json OUT.json

OUT is a list of [kind of article, fragment, Markdown, {renderer: HTML}]; open.mjs adds the renderers in JavaScript.
"""

import html
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import commonmark
import markdown
import mistune

WORDS = "The river ran high that spring, and the people of the valley watched it from the bridge by the old mill. " * 6


def article(body, head=""):
    return (
        f"<!doctype html><html><head><title>The river</title>{head}</head><body><main><h1>The river</h1>"
        f"<p>{WORDS}</p>{body}<p>{WORDS}</p></main></body></html>"
    )


def articles(fragment):
    """Yields each way to put a fragment into an article."""
    text = html.escape(fragment)
    tex = fragment.replace("</script", "</scrip t")
    letters = "".join(f"<i>{html.escape(c)}</i>" if at % 2 else html.escape(c) for at, c in enumerate(fragment[:200]))
    yield "markup", article(fragment)
    yield "text", article(f"<p>Before {text} after</p><p>{text}</p>")
    yield "code", article(f"<pre>{text}</pre><p><code>{text}</code> and <b>{text}</b> <code>`{text}</code></p>")
    yield "code with blank lines", article(f"<pre>x\n\n{text}\n\ny</pre>")
    yield "list", article(f"<ul><li>one<pre>{text}\n\nx</pre></li><li>{text}</li></ul>")
    yield "quotation", article(f"<blockquote><p>{text}</p><pre>{text}\n\n{text}</pre></blockquote>")
    yield "attributes", article(
        f'<p><img src="/a.png" alt="{text}"> <abbr title="{text}">x</abbr> <a href="/x" title="{text}">{text}</a></p>'
    )
    yield "tables", article(
        f"<table><tr><th>{text}<th>b<tr><td>c<td><code>{text}</code></table>"
        f"<table><tr><td rowspan=2>{text}<td><ul><li>{text}</ul><tr><td>y</table>"
    )
    yield "headings", article(
        f'<h2>{text}</h2><h3 id="x">{text} {{onclick=alert(1)}}</h3><p>w</p><p>{{: onclick=alert(1)}}</p>'
        f"<dl><dt>{text}<dd>{text}</dl>"
    )
    yield "formulas", article(f'<p>x <script type="math/tex">{tex}</script> \\({text}\\)</p>')
    yield "letters", article(f"<p>{letters}</p>")
    yield "metadata", article("", f'<meta property=og:title content="{text}"><meta name=author content="{text}">')


#: Beginnings of markup, and what would make it live if it came right behind them.
BEGINNINGS = ["<p title=\"", "<p title='", "<p", "<div x=\"\n\n", "<img alt=`", "</p x=\"", "<!--", "<![CDATA[", "<?"]
ENDS = ["\"><img src=x onerror=alert(1)>", "'><svg onload=alert(1)>", "onclick=alert(1) x>", "--><script>alert(1)</script>"]


def pairs():
    """Yields articles with a fragment in two pieces, in every two places that keep code apart."""
    places = {
        "block": "<pre>{}</pre>",
        "list": "<ul><li>Begin with <pre>{}</pre></li></ul>",
        "quotation": "<blockquote><p>So:</p><pre>{}</pre></blockquote>",
        "span": "<p>Then write <code>{}</code> and wait for wind.</p>",
        "text": "<p>Then write {} and wait for wind.</p>",
        "cell": "<table><tr><td><code>{}</code><td>b</table>",
    }
    for beginning in BEGINNINGS:
        for end in ENDS:
            for first, before in places.items():
                for second, after in places.items():
                    body = before.format(html.escape(beginning)) + after.format(html.escape(end))
                    yield f"{first}, then {second}", f"{beginning} … {end}", article(body)


def python_markdown(extensions):
    renderer = markdown.Markdown(extensions=extensions)
    return lambda text: renderer.reset().convert(text)


PLUGINS = ["strikethrough", "footnotes", "table", "url", "task_lists", "def_list", "abbr", "math"]
RENDERERS = {
    "Python-Markdown": python_markdown([]),
    "Python-Markdown (MkDocs)": python_markdown(["toc", "tables", "fenced_code"]),
    "Python-Markdown (Pelican)": python_markdown(["extra", "codehilite", "toc", "meta"]),
    "mistune": mistune.html,
    "mistune with plugins": mistune.create_markdown(escape=False, plugins=PLUGINS),
    "commonmark.py": commonmark.commonmark,
}


def main(tsugi, fragments, out):
    with open(fragments, encoding="utf-8") as file:
        cases = [(kind, fragment, page) for fragment in json.load(file) for kind, page in articles(fragment)]
    cases += pairs()

    def extract(case):
        command = [tsugi, "extract", "-q", "-f", "md", "--url", "https://article.example/", "-"]
        done = subprocess.run(command, input=case[2].encode("utf-8", "surrogatepass"), capture_output=True)
        # Control characters make some fragments binary data, which is refused.
        if done.returncode not in (0, 1) and b"binary data" not in done.stderr:
            sys.exit(f"{case[0]}: {case[1]!r}: exit code {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode()

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        written = list(threads.map(extract, cases))
    rows = {}
    for (kind, fragment, _), text in zip(cases, written):
        if text and text not in rows:
            rows[text] = [kind, fragment, text, {name: render(text) for name, render in RENDERERS.items()}]
    with open(out, "w", encoding="utf-8") as file:
        json.dump(list(rows.values()), file)
    print(f"{len(cases)} articles, {len(rows)} different texts")


main(*sys.argv[1:])
