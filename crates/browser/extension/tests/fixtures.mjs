// Made-up pages.

const WORDS = "river mill stone water wheel miller flour grain bridge valley summer winter morning harvest timber village market road garden orchard".split(" ");

/** A paragraph that no other page has. */
export function prose(seed, sentences = 6) {
  const word = (at) => WORDS[(seed * 7 + at * at * 3 + at * seed) % WORDS.length];
  const sentence = (at) => `The ${word(at)} of the ${word(at + 1)} stood by the old ${word(at + 2)} for ${seed * 13 + at} years, and nobody in the ${word(at + 3)} knew why.`;
  return Array.from({ length: sentences }, (_, at) => sentence(at + seed)).join(" ");
}

export function pager(number, last, address) {
  const link = (at, text, rel = "") => `<a href="${address(at)}"${rel}>${text}</a>`;
  const numbers = Array.from({ length: last }, (_, at) => (at + 1 === number ? `<b class="current">${number}</b>` : link(at + 1, at + 1)));
  const before = number > 1 ? link(number - 1, "« Previous page", ' rel="prev"') : "";
  const after = number < last ? link(number + 1, "Next page »", ' rel="next"') : "";
  return `<nav class="pagination">${before} ${numbers.join(" ")} ${after}</nav>`;
}

/** A page of an article. */
export function article(number, last, { address = (at) => `${at}`, title = "The tide mill", head = "", extra = "", top = "", content } = {}) {
  const paragraphs = Array.from({ length: 9 }, (_, at) => `<p>${prose(number * 20 + at)}</p>`).join("\n");
  return `<!DOCTYPE html><html lang="en"><head><title>${title}${number > 1 ? ` - page ${number}` : ""}</title>${head}
<style>body{font:17px/1.6 Georgia,serif;margin:0;background:#fdfcf8;color:#222}header,footer,nav{font-family:sans-serif;padding:.5em 1.5em;background:#e7e2d4}
.story{max-width:42em;margin:1em auto;padding:0 1.5em}.story p{text-align:justify}a{color:#14507a}@media(prefers-color-scheme:dark){body{background:#181a1b;color:#ddd}header,footer,nav{background:#2a2d2e}a{color:#8cc4ee}}</style></head>
<body><header><a href="/">The Valley Magazine</a> <a href="/news">News</a> <a href="/about">About</a></header>
${top}<main><article class="story"><h1>${title}</h1>${content ?? paragraphs}${extra}</article></main>
${pager(number, last, address)}
<footer><a href="/imprint">Imprint</a> <a href="/contact">Contact</a> © The Valley Magazine</footer></body></html>`;
}

/** A page of a thread: posts of equal class. */
export function thread(number, last) {
  const post = (at) => `<div class="post" id="p${at}"><div class="author">reader${at % 7}</div><div class="message"><p>${prose(at + 300, 3)}</p></div></div>`;
  const posts = Array.from({ length: 8 }, (_, at) => post((number - 1) * 8 + at + 1)).join("\n");
  return `<!DOCTYPE html><html lang="en"><head><title>Which stone for the wheel? - Page ${number} - Mill forum</title>
<style>body{font:15px/1.5 sans-serif;margin:0;background:#fff;color:#222}header,nav{background:#dde6ee;padding:.5em 1em}.post{display:block;border:1px solid #bcd;margin:.8em;padding:.6em}
.author{font-weight:bold}@media(prefers-color-scheme:dark){body{background:#181a1b;color:#ddd}header,nav{background:#26313a}a{color:#8cc4ee}}</style></head>
<body><header><a href="/forum">Mill forum</a> › <a href="/forum/stones">Stones</a></header><h1>Which stone for the wheel?</h1>
<div id="posts">${posts}</div>${pager(number, last, (at) => `/forum/thread?page=${at}`)}</body></html>`;
}

/** A page of a blog: the newest posts. */
export function blog(number, last) {
  const post = (at) => `<article class="post"><h2><a href="/posts/${at}">Post ${at}: the ${WORDS[at % WORDS.length]}</a></h2><p class="date">2025-0${1 + (at % 9)}-1${at % 10}</p><p>${prose(at + 500, 3)}</p><a href="/posts/${at}">Read more</a></article>`;
  const posts = Array.from({ length: 6 }, (_, at) => post((number - 1) * 6 + at + 1)).join("\n");
  const [newer, older] = [number > 1 ? `<a class="newer" href="/blog/page/${number - 1}/">← Newer posts</a>` : "", number < last ? `<a class="older" href="/blog/page/${number + 1}/">Older posts →</a>` : ""];
  return `<!DOCTYPE html><html lang="en"><head><title>The mill blog${number > 1 ? ` | Page ${number}` : ""}</title>
<style>body{font:16px/1.6 sans-serif;margin:0 auto;max-width:46em;background:#fff;color:#222}.post{border-bottom:1px solid #ccc;padding:.4em 1em}.date{color:#777}
@media(prefers-color-scheme:dark){body{background:#181a1b;color:#ddd}a{color:#8cc4ee}}</style></head>
<body><header><h1><a href="/blog/">The mill blog</a></h1></header><main id="posts">${posts}</main><div class="nav-links">${newer} ${older}</div></body></html>`;
}

/** A chapter of a manual. */
export function manual(number, last) {
  const name = (at) => `Chapter ${at}: the ${WORDS[(at * 3) % WORDS.length]}`;
  const toc = Array.from({ length: last }, (_, at) => `<li><a href="/manual/${at + 1}.html">${name(at + 1)}</a></li>`).join("");
  const [before, after] = [number > 1 ? `<a rel="prev" href="/manual/${number - 1}.html">Previous: ${name(number - 1)}</a>` : "", number < last ? `<a rel="next" href="/manual/${number + 1}.html">Next: ${name(number + 1)}</a>` : ""];
  const sections = [1, 2, 3].map((at) => `<h2>${number}.${at} The ${WORDS[(at + number) % WORDS.length]}</h2><p>${prose(number * 50 + at)}</p><pre><code>mill --set ${at} --stone ${number}</code></pre><p>${prose(number * 50 + at + 9)}</p>`).join("");
  return `<!DOCTYPE html><html lang="en"><head><title>${name(number)} — Mill manual</title>
<style>body{font:16px/1.6 sans-serif;margin:0;display:grid;grid-template-columns:15em 1fr;background:#fff;color:#222}aside{background:#f0f0f0;padding:1em}main{padding:1em 2em;max-width:44em}pre{background:#eee;padding:.5em}
@media(prefers-color-scheme:dark){body{background:#181a1b;color:#ddd}aside,pre{background:#26292a}a{color:#8cc4ee}}</style></head>
<body><aside><ul>${toc}</ul></aside><main class="document"><h1>${name(number)}</h1>${sections}<nav class="prevnext">${before} ${after}</nav></main></body></html>`;
}
