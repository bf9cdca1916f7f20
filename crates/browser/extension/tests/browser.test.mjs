// The extension in Chromium, or with TSUGI_BROWSER=firefox in Firefox, on made-up pages with traps. scripts/browser-tests builds it first.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bars, choose, parts, press, readTo, saved, sleep, text, until } from "./driving.mjs";
import { article, manual, pager, prose, thread } from "./fixtures.mjs";
import { serve } from "./server.mjs";

const { name: browserName, start } = await import(`./${process.env.TSUGI_BROWSER ?? "chromium"}.mjs`);
const isChromium = browserName === "chromium";
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const STRICT = { "content-security-policy": "default-src 'none'; script-src 'none'; connect-src 'none'; style-src 'none'; img-src *; require-trusted-types-for 'script'; trusted-types 'none'" };
const byPath = (url) => Number(url.pathname.split("/").pop()) || 1;

/** Sites of the tests, by host. */
const SITES = {
  "article.test": (url) => ({ body: article(byPath(url), 5) }),
  "strict.test": (url) => ({ headers: STRICT, body: article(byPath(url), 3) }),
  "plain.test": () => ({ body: article(1, 1) }),
  "base.test": (url) => ({
    body: article(byPath(url), 2, {
      address: (at) => `/story/${at}`,
      head: byPath(url) === 2 ? '<base href="https://base.test/deep/folder/">' : "",
      extra: byPath(url) === 2 ? '<p>See <a id="relative" href="notes.html">the notes on the mill</a>, which are long.</p><p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="wheel.gif" width="300" height="200" alt="The wheel"></p>' : "",
    }),
  }),
  "lazy.test": (url) => ({
    body: article(byPath(url), 2, {
      extra: [
        '<p>One <img class="lazy" src="/blank.gif" data-original="/a.gif" width="300" height="200" alt="a"></p>',
        '<p>Two <img srcset="/small.gif 300w, /b.gif 900w" width="300" height="200" alt="b"></p>',
        '<p>Three <img class="lazy" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="c"><noscript><img src="/c.gif" width="300" height="200" alt="c"></noscript></p>',
      ].join(byPath(url) === 2 ? "" : "<!-- -->"),
    }),
  }),
  "redirect.test": (url) => {
    if (url.pathname === "/story/2") return { status: 302, headers: { location: "/story/second" } };
    return { body: article(url.pathname === "/story/second" ? 2 : byPath(url), 3, { address: (at) => `/story/${at}` }) };
  },
  "away.test": (url) => (byPath(url) === 2 ? { status: 302, headers: { location: "https://plain.test/" } } : { body: article(1, 2) }),
  "loop.test": (url) => ({ body: byPath(url) === 1 ? article(1, 2) : article(2, 2).replace("</nav>", '<a href="1" rel="next">Next page »</a></nav>') }),
  "past.test": (url) => ({ body: byPath(url) === 1 ? article(1, 2) : article(2, 1, { content: "" }) }),
  "repeat.test": (url) => ({ body: byPath(url) === 1 ? article(1, 2) : article(1, 2).replace(pager(1, 2, (at) => `${at}`), pager(2, 2, (at) => `${at}`)) }),
  "paywall.test": (url) => (byPath(url) === 1 ? { body: article(1, 3) } : { status: 402, body: article(2, 3) }),
  "robots.test": (url) => {
    if (url.pathname === "/robots.txt") return { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /story/2" };
    return { body: article(byPath(url), 3, { address: (at) => `/story/${at}` }) };
  },
  "ids.test": (url) => ({
    body: article(byPath(url), 3, { extra: `<p>As the miller said<a href="#fn1"><sup>1</sup></a>, it was so.</p><p id="fn1">Note of page ${byPath(url)}: ${prose(byPath(url) + 900, 1)}</p>` }),
  }),
  "sticky.test": (url) => ({
    body: article(byPath(url), 3, { top: '<div style="position:sticky;top:0" class="sticky"><a href="/">Home</a> <a href="/subscribe">Subscribe to The Valley Magazine today</a></div>' }),
  }),
  "frames.test": (url) => (url.pathname === "/frame" ? { body: article(1, 3, { address: (at) => `/story/${at}` }) } : { body: '<!DOCTYPE html><title>x</title><h1>A page of frames</h1><iframe src="/frame" width="800" height="2000"></iframe>' }),
  "long.test": (url) => ({ body: article(byPath(url), 60) }),
  "spa.test": (url) => ({
    body: article(byPath(url), 3, {
      address: (at) => `/story/${at}`,
      head: `<script>function other(){history.pushState(null,"","/other/1");document.querySelector("h1").textContent="Another story";for(const a of document.querySelectorAll(".pagination a"))a.href=a.getAttribute("href").replace("/story/","/other/");}</script>`,
    }),
  }),
  "moved.test": (url) => ({
    body: article(byPath(url), 2, { head: byPath(url) === 1 ? `<script>addEventListener("DOMContentLoaded",()=>{const box=document.createElement("section");const main=document.querySelector("main");main.before(box);box.append(main);});let n=0;const t=setInterval(()=>{const d=document.createElement("div");d.textContent="ad";document.body.prepend(d);if(++n>20)clearInterval(t)},20)</script>` : "" }),
  }),
  "own.test": (url) => ({
    body: article(byPath(url), 5, { head: `<script>addEventListener("scroll",()=>{const s=document.querySelector("main");if(s.children.length<3){const d=document.createElement("article");d.className="story";d.textContent=${JSON.stringify(prose(777))};s.append(d)}})</script>` }),
  }),
  "more.test": () => ({ body: `<!DOCTYPE html><html lang=en><title>News</title><main><h1>News</h1>${Array.from({ length: 8 }, (_, at) => `<article><h2><a href="/n${at}">News ${at}</a></h2><p>${prose(at)}</p></article>`).join("")}</main><div class="pagination"><button type="button" class="load-more" onclick="document.title='pressed'">Load more</button></div>` }),
  "table.test": (url) => {
    const rows = Array.from({ length: 25 }, (_, at) => `<tr class="row"><td>${byPath(url) * 100 + at}</td><td>${prose(byPath(url) * 30 + at, 1)}</td><td>1${at}.5</td></tr>`).join("");
    const page = `<table class="list"><thead><tr><th>No</th><th>What was found</th><th>Weight</th></tr></thead><tbody>${rows}</tbody></table>`;
    return { body: article(byPath(url), 3, { title: "Register of mill stones", content: page }) };
  },
  "hostile.test": (url) => ({
    body: article(byPath(url), 2, {
      extra: byPath(url) === 2 ? `<p onclick="document.title='run'">Click <a href="javascript:document.title='run'">here</a> <img src="/none" onerror="document.title='run'" alt="x"></p><script>document.title='run'</script><iframe srcdoc="<script>top.document.title='run'</script>"></iframe><svg><script>document.title='run'</script></svg><form action="/x"><button>go</button></form>` : "",
    }),
  }),
  "rich.test": (url) => ({
    body: article(byPath(url), 2, {
      head: "<style>.story video{width:320px;height:180px}.embed{position:relative;padding-bottom:40%}.embed iframe{position:absolute;inset:0;width:100%;height:100%;border:0}.chart{width:200px;height:90px}.story button{padding:4px 20px}.widget{height:33px;background:#ccc}</style>",
      extra: `<odd_name><p>Part ${byPath(url)} is in an element of its own: ${prose(byPath(url) + 800, 2)}</p></odd_name><video class="film" src="/film.mp4" autoplay></video><p>The film shows part ${byPath(url)} of the mill: ${prose(byPath(url) + 700, 2)}</p><div class="embed"><iframe src="https://player.test/embed/${byPath(url)}"></iframe></div><svg class="chart" viewBox="0 0 20 9"><rect width="20" height="${byPath(url)}"/></svg><div class="widget"></div><button class="vote" onclick="document.title='run'">Vote</button><form action="/send"><label>Your answer <input name="a"></label><select><option>1</select><button>Send</button></form>`,
    }),
  }),
  "formulas.test": (url) => ({ body: article(byPath(url), 2, { extra: `<p>The wheel turns with <script type="math/tex">E=mc^2</script>, and part ${byPath(url)} says why: <script type="math/tex">a^2+b^2=c^2</script>. ${prose(byPath(url) + 850, 2)}</p>` }) }),
  "player.test": () => ({ body: "<!DOCTYPE html><title>player</title><p>player" }),
  "cards.test": (url) => {
    const card = (at) => `<li class="card"><a href="/item/${at}"><img src="/${at}.gif" width="160" height="90" alt="Stone ${at}"></a><h3><a href="/item/${at}">Mill stone number ${at}</a></h3><p>${prose(at, 1)}</p></li>`;
    const cards = Array.from({ length: 9 }, (_, at) => card(byPath(url) * 9 + at)).join("");
    return { body: `<!DOCTYPE html><html lang=en><title>Mill stones${byPath(url) > 1 ? ` - page ${byPath(url)}` : ""}</title><style>.cards{display:grid;grid-template-columns:repeat(3,1fr);gap:10px;padding:0;list-style:none}.card img{width:100%;height:120px;object-fit:cover}</style><header><a href="/">Shop</a></header><main><h1>Mill stones</h1><ul class="cards">${cards}</ul></main>${pager(byPath(url), 3, (at) => `${at}`)}` };
  },
  "broken.test": (url) => (byPath(url) === 3 ? { status: 500, body: "x" } : { body: article(byPath(url), 5) }),
  "slow.test": async (url) => {
    if (byPath(url) === 3) await sleep(6000);
    return { body: article(byPath(url), 5) };
  },
  "astray.test": (url) => ({ body: byPath(url) === 2 ? article(1, 1, { title: "Another story" }) : article(byPath(url), 5) }),
  "rtl.test": (url) => ({ body: article(byPath(url), 2).replace('<html lang="en">', '<html lang="ar" dir="rtl">') }),
  "wide.test": (url) => ({ body: article(byPath(url), 2, { title: "潮\u3000車\u0085 の\u200b話\u0008" }) }),
  "manual.test": (url) => ({ body: manual(Number(/\d+/.exec(url.pathname)?.[0] ?? 1), 4) }),
  "forum.test": (url) => ({ body: thread(Number(url.searchParams.get("page")) || 1, 3) }),
};
for (const [host, charset, title] of [["sjis.test", "Shift_JIS", [0x93, 0xfa, 0x96, 0x7b]], ["euc.test", "EUC-JP", [0xc6, 0xfc, 0xcb, 0xdc]]]) {
  SITES[host] = (url) => {
    const [head, tail] = article(byPath(url), 2, { extra: `<p id=word>@@ is a word that needs its charset. ${prose(byPath(url) + 60, 2)}</p>` }).replace(/[^\x00-\x7f]/g, "-").split("@@");
    return { headers: { "content-type": `text/html; charset=${charset}` }, body: Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(title), Buffer.from(tail, "latin1")]) };
  };
}

let server;
let browser;
before(async () => {
  server = await serve((url) => {
    if (url.pathname.endsWith(".mp4")) return undefined;
    if (url.pathname.endsWith(".gif")) return { headers: { "content-type": "image/gif" }, body: PIXEL };
    if (url.pathname === "/robots.txt" && url.hostname !== "robots.test") return undefined;
    return SITES[url.hostname]?.(url);
  });
  browser = await start({ server });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens a page, gives it to the test, and closes it. */
function on(name, url, run) {
  test(name, async () => {
    const page = await browser.newPage();
    try {
      await page.goto(url);
      await run(page);
    } finally {
      await page.close();
    }
  });
}

/** Whether the extension has done its work on this page. */
const settled = (page) => until(() => browser.worker.evaluate(async (url) => {
  const [tab] = await chrome.tabs.query({ url });
  return tab ? await chrome.action.getTitle({ tabId: tab.id }) : "";
}, page.url()), (title) => /next page|page:/i.test(title));

on("an article is whole, in order, and says why it ends", "https://article.test/1", async (page) => {
  assert.equal(await readTo(page, 5), 5);
  const text = await page.evaluate(() => document.querySelector("main").textContent);
  const places = [1, 2, 3, 4, 5].map((number) => text.indexOf(prose(number * 20 + 3)));
  assert.ok(places.every((place, at) => place > (places[at - 1] ?? 0)), `${places}`);
  const said = await until(() => bars(page), (all) => all.length === 5);
  // How sure it is, only a reader who asks is told.
  assert.equal(said[0], "Page 2");
  assert.match(await page.evaluate(() => document.querySelector("tsugi-separator").title), /The tide mill - page 2\nhttps:\/\/article\.test\/2\nSure to \d+ %\n/);
  assert.equal(said.at(-1), "End: the page names no next page.");
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("tsugi-page")].map((part) => [part.getAttribute("role"), part.ariaLabel, part.firstElementChild.nextElementSibling?.className])), [2, 3, 4, 5].map((number) => ["region", `Page ${number}`, "story"]));
});

on("pages over plain http go on, too", "http://article.test/1", async (page) => {
  assert.equal(await readTo(page, 5), 5);
});

on("the address follows the page in view, and a reload opens there", "https://article.test/1", async (page) => {
  await readTo(page, 4);
  await page.evaluate(() => document.querySelector('[data-tsugi-page="3"]').scrollIntoView());
  assert.equal(await until(() => page.url(), (url) => url.endsWith("/3")), "https://article.test/3");
  await page.reload();
  const said = await until(() => bars(page), (all) => all.length > 0);
  assert.equal(said[0], "There are earlier pages.");
  assert.ok((await page.evaluate(() => scrollY)) < 2000, "not where the long page was");
  await readTo(page, 2);
  assert.equal((await bars(page)).find((text) => text.startsWith("Page")), "Page 4", "numbers are those of the pages");
});

on("going away and back keeps what was appended, or begins at the same page", "https://article.test/1", async (page) => {
  await readTo(page, 3);
  await page.goto("https://plain.test/1");
  await page.evaluate(() => history.back());
  // A page that the browser had kept is not reported as a new one.
  const address = () => page.evaluate(() => location.href).catch(() => "");
  assert.match(await until(address, (url) => /^https:\/\/article/.test(url)), /^https:\/\/article\.test\//);
  assert.ok((await readTo(page, 3)) >= 2);
});

on("a policy without scripts, connections and Trusted Types is no obstacle", "https://strict.test/1", async (page) => {
  assert.equal(await readTo(page, 3), 3);
});

on("where there is no next page there is silence", "https://plain.test/1", async (page) => {
  await settled(page);
  await page.evaluate(() => scrollTo(0, 1e6));
  await sleep(300);
  assert.deepEqual([await parts(page), await bars(page)], [1, []]);
});

on("addresses are those of the second page's base, and its images are real", "https://base.test/story/1", async (page) => {
  assert.equal(await readTo(page, 2), 2);
  const found = await page.evaluate(() => [...document.querySelectorAll("tsugi-page a, tsugi-page img")].map((node) => node.href ?? node.src));
  assert.ok(found.includes("https://base.test/deep/folder/notes.html"), `${found}`);
  assert.ok(found.includes("https://base.test/deep/folder/wheel.gif"), `${found}`);
});

on("lazy images are shown", "https://lazy.test/1", async (page) => {
  assert.equal(await readTo(page, 2), 2);
  const found = await page.evaluate(() => [...document.querySelectorAll("tsugi-page img")].map((image) => image.src || image.srcset));
  for (const name of ["/a.gif", "/b.gif", "/c.gif"]) assert.ok(found.some((source) => source.includes(name)), `${name}: ${found}`);
});

on("redirects are followed", "https://redirect.test/story/1", async (page) => {
  assert.equal(await readTo(page, 3), 3);
});

for (const [name, host, pages, words] of [
  ["another site", "away.test", 1, /could not be fetched|another site/],
  ["a loop", "loop.test", 2, /leads back|repeats/],
  ["nothing on the next page", "past.test", 1, /^End: /],
  ["the same page again", "repeat.test", 1, /^End: the next page repeats/],
  ["a page to pay for", "paywall.test", 1, /could not be fetched/],
]) {
  on(`${name} is an end, which is said`, `https://${host}/1`, async (page) => {
    await readTo(page, pages + 1, 1500);
    const said = await until(() => bars(page), (all) => all.length > 0);
    assert.equal(await parts(page), pages, `${said}`);
    assert.match(said.at(-1), words);
  });
}

on("robots.txt is obeyed", "https://robots.test/story/1", async (page) => {
  await readTo(page, 2, 1500);
  assert.match((await until(() => bars(page), (all) => all.length > 0)).at(-1), /robots\.txt/);
  assert.ok(!server.asked.includes("https://robots.test/story/2"));
});

on("ids of pages do not collide, and notes lead to their own page", "https://ids.test/1", async (page) => {
  assert.equal(await readTo(page, 3), 3);
  const [twice, broken] = await page.evaluate(() => {
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    const links = [...document.querySelectorAll('[data-tsugi-page] a[href^="#"]')];
    return [ids.filter((id, at) => ids.indexOf(id) !== at), links.filter((link) => !document.getElementById(link.hash.slice(1))).length];
  });
  assert.deepEqual([twice, broken], [[], 0]);
});

on("sticky headers are not repeated", "https://sticky.test/1", async (page) => {
  assert.equal(await readTo(page, 3), 3);
  assert.equal(await page.evaluate(() => document.body.textContent.split("Subscribe to The Valley").length - 1), 1);
});

on("pages in frames are left alone", "https://frames.test/", async (page) => {
  await sleep(500);
  const inside = page.frames().at(-1);
  assert.equal(await inside.evaluate(() => document.querySelectorAll("[data-tsugi-page]").length), 0);
});

on("pages go below what scripts have moved", "https://moved.test/1", async (page) => {
  assert.equal(await readTo(page, 2), 2);
  assert.ok(await page.evaluate(() => document.querySelector("section main tsugi-page") !== null));
});

on("wide spaces and controls do not hide the content", "https://wide.test/1", async (page) => {
  assert.equal(await readTo(page, 2), 2);
});

on("scripts that go to another address begin anew", "https://spa.test/story/1", async (page) => {
  // A fast browser may have appended the third page, too.
  assert.ok((await readTo(page, 2)) >= 2);
  await page.evaluate(() => { scrollTo(0, 0); other(); });
  await until(() => parts(page), (count) => count === 1);
  await until(() => server.asked.some((url) => url === "https://spa.test/other/2"));
  await readTo(page, 2);
  assert.ok(server.asked.includes("https://spa.test/other/2"), `${server.asked.filter((url) => url.includes("spa"))}`);
});

on("a page that goes on by itself is left to it", "https://own.test/1", async (page) => {
  await settled(page);
  await readTo(page, 6, 1500);
  assert.match((await until(() => bars(page), (all) => all.length > 0)).at(-1), /by itself/);
  assert.ok((await parts(page)) <= 2);
});

on("“Load more” is pressed only when asked", "https://more.test/1", async (page) => {
  await settled(page);
  await page.evaluate(() => scrollTo(0, 1e6));
  await sleep(300);
  assert.equal(await page.title(), "News");
  await browser.worker.evaluate(async () => {
    const [tab] = await chrome.tabs.query({ url: "https://more.test/*" });
    await chrome.tabs.sendMessage(tab.id, { tsugi: "more" });
  });
  assert.equal(await until(() => page.title(), (title) => title === "pressed"), "pressed");
});

on("rows go into their table", "https://table.test/1", async (page) => {
  assert.equal(await readTo(page, 3), 3);
  const rows = await page.evaluate(() => [...document.querySelectorAll("table")].map((table) => table.querySelectorAll("tr.row, [data-tsugi-page] tr").length));
  assert.ok(rows[0] >= 75 || rows.length === 3, `${rows}`);
});

on("nothing active is appended", "https://hostile.test/1", async (page) => {
  assert.equal(await readTo(page, 2), 2);
  const left = await page.evaluate(() => {
    const all = [...document.querySelectorAll("tsugi-page *")];
    const acts = all.filter((element) => /^(script|iframe|object|embed|style|link|meta|base)$/.test(element.localName) || [...element.attributes].some(({ name, value }) => name.startsWith("on") || /^\s*javascript:/i.test(value)));
    return [acts.map((element) => element.outerHTML), document.querySelectorAll("tsugi-page form").length, document.querySelectorAll("tsugi-page form:not([inert]), tsugi-page form[action]").length];
  });
  await page.evaluate(() => document.querySelectorAll("tsugi-page :is(p, a, button, svg)").forEach((element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))));
  await sleep(100);
  assert.deepEqual([left, await page.title() === "run", new URL(page.url()).search], [[[], 1, 0], false, ""]);
});

on("what is no text comes along, and acts only when asked", "https://rich.test/1", async (page) => {
  assert.equal(await readTo(page, 2), 2);
  const found = await page.evaluate(() => {
    const [own, theirs] = [document.querySelector("main > article"), document.querySelector("tsugi-page article")];
    const size = (root, name) => {
      const { width, height } = root.querySelector(name).getBoundingClientRect();
      return [name, Math.round(width), Math.round(height)];
    };
    const names = ["video", "iframe", "svg", "button", "form", "select", ".widget"];
    return { own: names.map((name) => size(own, name)), theirs: names.map((name) => size(theirs, name)), words: ["button", "form"].map((name) => theirs.querySelector(name).textContent.trim()), inert: ["button", "form"].map((name) => theirs.querySelector(name).inert), video: theirs.querySelector("video").src, autoplay: theirs.querySelector("video").autoplay, titles: document.querySelectorAll("h1").length, odd: theirs.querySelector("odd_name")?.textContent.slice(0, 35) };
  });
  assert.deepEqual(found.theirs, found.own);
  assert.deepEqual([found.words, found.inert], [["Vote", "Your answer 1Send"], [true, true]]);
  assert.deepEqual([found.video, found.autoplay, found.titles], ["https://rich.test/film.mp4", false, 1]);
  assert.equal(found.odd, "Part 2 is in an element of its own:");
  assert.ok(!server.asked.includes("https://player.test/embed/2"), "nobody asked for the frame");
  const button = () => page.evaluate(() => document.querySelector("tsugi-page iframe").contentDocument?.querySelector("button")?.textContent);
  assert.equal(await until(button), "Load from player.test");
  await page.evaluate(() => document.querySelector("tsugi-page iframe").contentDocument.querySelector("button").click());
  await until(() => server.asked.includes("https://player.test/embed/2"));
  assert.ok(server.asked.includes("https://player.test/embed/2"));
});

on("formulas that a script would set are shown", "https://formulas.test/1", async (page) => {
  assert.equal(await readTo(page, 2), 2);
  assert.equal(await page.evaluate(() => document.querySelectorAll("tsugi-page math").length), 2);
});

on("pictures of later pages are as large as those of the first", "https://cards.test/1", async (page) => {
  assert.equal(await readTo(page, 3), 3);
  const found = await page.evaluate(() => [...document.querySelectorAll(".cards > .card")].map((card) => {
    const image = card.querySelector("img").getBoundingClientRect();
    return [Math.round(card.getBoundingClientRect().width), Math.round(image.width), Math.round(image.height)].join();
  }));
  assert.deepEqual([found.length, new Set(found).size], [27, 1], `${found}`);
  assert.match(found[0], /,120$/);
});

for (const host of ["sjis.test", "euc.test"]) {
  on(`charsets are those of the bytes: ${host}`, `https://${host}/1`, async (page) => {
    assert.equal(await readTo(page, 2), 2);
    assert.ok(await page.evaluate(() => document.querySelector("tsugi-page").textContent.includes("日本 is a word")));
  });
}

on("posts of a thread have the classes of their like", "https://forum.test/forum/thread?page=1", async (page) => {
  assert.equal(await readTo(page, 3), 3);
  assert.equal(await page.evaluate(() => document.querySelectorAll(".post > .author + .message > p").length), 24);
});

on("pages of a manual go below its text, not beside it", "https://manual.test/manual/1.html", async (page) => {
  await browser.worker.evaluate(() => chrome.storage.sync.set({ chapters: true }));
  await page.reload();
  assert.equal(await readTo(page, 4), 4);
  assert.equal(await page.evaluate(() => document.querySelectorAll("main > tsugi-page").length), 3);
  const edges = await page.evaluate(() => [...document.querySelectorAll("main h2")].map((heading) => Math.round(heading.getBoundingClientRect().left)));
  assert.equal(new Set(edges).size, 1, `all chapters have the same edge: ${edges}`);
  // Upwards, too.
  await page.goto("https://manual.test/manual/3.html");
  await until(() => bars(page), (all) => all.includes("There are earlier pages."));
  await press(page, "Load the page before");
  await until(() => bars(page), (all) => all.some((text) => text.includes("Chapter 3")));
  await browser.worker.evaluate(() => chrome.storage.sync.set({ chapters: false }));
  const chapters = await page.evaluate(() => [...document.querySelectorAll("main h1")].map((heading) => [heading.textContent.slice(0, 9), Math.round(heading.getBoundingClientRect().left)]));
  assert.deepEqual(chapters.slice(0, 2).map(([name]) => name), ["Chapter 2", "Chapter 3"]);
  assert.equal(new Set(chapters.map(([, left]) => left)).size, 1, `${chapters}`);
});

on("scripts that listen to AutoPagerize hear of new pages", "https://article.test/1", async (page) => {
  await page.evaluate(() => {
    globalThis.heard = [];
    for (const name of ["GM_AutoPagerizeNextPageLoaded", "AutoPagerize_DOMNodeInserted"]) document.addEventListener(name, (event) => heard.push([name, event.detail]));
  });
  await readTo(page, 5);
  const heard = await page.evaluate(() => heard);
  assert.ok(heard.some(([name, url]) => name === "AutoPagerize_DOMNodeInserted" && url === "https://article.test/5"), JSON.stringify(heard));
  assert.ok(heard.some(([name]) => name === "GM_AutoPagerizeNextPageLoaded"));
});

on("fifty pages leave the page usable", "https://long.test/1", async (page) => {
  await settled(page);
  await page.evaluate(() => {
    globalThis.longest = 0;
    if (PerformanceObserver.supportedEntryTypes.includes("longtask")) new PerformanceObserver((list) => { for (const task of list.getEntries()) longest = Math.max(longest, task.duration); }).observe({ type: "longtask" });
  });
  await browser.worker.evaluate(async () => {
    const [tab] = await chrome.tabs.query({ url: "https://long.test/*" });
    await chrome.tabs.sendMessage(tab.id, { tsugi: "all" });
  });
  assert.equal(await until(() => parts(page), (count) => count >= 50, 60_000), 50);
  if (isChromium) {
    const longest = await page.evaluate(() => globalThis.longest);
    const cdp = await browser.context.newCDPSession(page);
    await cdp.send("Performance.enable");
    const { metrics } = await cdp.send("Performance.getMetrics");
    const memory = metrics.find(({ name }) => name === "JSHeapUsedSize").value;
    console.log(`# 50 pages: longest task ${Math.round(longest)} ms, JavaScript heap ${Math.round(memory / 1e6)} MB`);
  }
  const said = await until(() => bars(page), (all) => /as many pages/.test(all.at(-1)));
  assert.match(said.at(-1), /as many pages as you allow/);
});

test("a worker that sleeps forgets nothing", { skip: !isChromium && "only Chromium stops it on demand" }, async () => {
  const page = await browser.newPage();
  await page.goto("https://article.test/1");
  await settled(page);
  const cdp = await browser.context.newCDPSession(page);
  await cdp.send("ServiceWorker.enable").catch(() => undefined);
  await cdp.send("ServiceWorker.stopAllWorkers").catch(() => undefined);
  await sleep(300);
  assert.equal(await readTo(page, 5, 10_000), 5);
  const own = await browser.own("popup.html");
  await sleep(500);
  await cdp.send("ServiceWorker.stopAllWorkers").catch(() => undefined);
  await sleep(500);
  const bytes = Buffer.from(article(1, 3)).toString("base64");
  const cold = await own.evaluate(async (bytes) => {
    const begin = performance.now();
    const { value } = await chrome.runtime.sendMessage({ tsugi: "look", page: { url: "https://article.test/1", contentType: "text/html", bytes } });
    return { milliseconds: Math.round(performance.now() - begin), next: value.best.url };
  }, bytes);
  assert.equal(cold.next, "https://article.test/2");
  console.log(`# a worker that was stopped answers in ${cold.milliseconds} ms`);
  await own.close();
  await page.close();
  browser.worker = browser.context.serviceWorkers()[0] ?? browser.worker;
});

/** Returns the number of the tab that shows a site. Its address may be that of any page that was appended: it follows what is in view. */
async function tabOf(url) {
  const id = await browser.worker.evaluate(async (origin) => (await chrome.tabs.query({})).findLast((tab) => tab.url?.startsWith(origin))?.id, `${new URL(url).origin}/`);
  assert.ok(id !== undefined, `no tab shows ${url}`);
  return id;
}

test("read as one article, all pages are fetched first", async () => {
  const page = await browser.newPage();
  await page.goto("https://article.test/1");
  await settled(page);
  const reader = await browser.own(`reader.html?tab=${await tabOf("https://article.test/1")}`);
  assert.equal(await until(() => text(reader, "#state"), (state) => /whole/.test(state)), "5 pages, whole");
  assert.deepEqual(await reader.evaluate(() => ["missing", "progress", "stop", "earlier"].map((id) => document.getElementById(id).hidden)), [true, true, true, true]);
  assert.ok((await text(reader, "#article")).includes(prose(103)));
  const files = {};
  for (const extension of ["md", "epub", "txt", "html", "json"]) {
    const { name, content } = await saved(reader, `#${extension}`);
    assert.equal(name, `The tide mill.${extension}`);
    files[extension] = content;
  }
  for (const extension of ["md", "txt", "html", "json"]) assert.ok(files[extension].includes(prose(103)), extension);
  assert.equal(JSON.parse(files.json).pages.length, 5);
  assert.ok(files.epub.startsWith("PK"));
  await reader.close();
  const popup = await browser.own(`popup.html?tab=${await tabOf("https://article.test/1")}`);
  assert.match(await until(() => text(popup, "#state"), (state) => /pages/.test(state)), /^5 pages\. End: /);
  await popup.evaluate(() => document.querySelector("#wrong").click());
  await until(() => bars(page), (all) => /you said/.test(all.at(-1)));
  assert.ok((await parts(page)) <= 5);
  const kept = await until(() => popup.evaluate(() => chrome.storage.local.get(null)), ({ labels }) => labels);
  assert.equal(kept.labels[0].next, null);
  assert.match(kept.labels[0].trap, /^https:\/\/article\.test\/\d$/);
  await popup.evaluate(() => chrome.storage.local.clear());
  await popup.close();
  await page.close();
});

test("a link that was called wrong teaches a rule", async () => {
  const page = await browser.newPage();
  await page.goto("https://article.test/1");
  await readTo(page, 5);
  const popup = await browser.own(`popup.html?tab=${await tabOf(page.url())}`);
  await until(() => text(popup, "#state"), (state) => /pages/.test(state));
  await popup.evaluate(() => document.querySelector("#wrong").click());
  await until(() => bars(page), (all) => /you said/.test(all.at(-1)));
  const kept = await until(() => popup.evaluate(() => chrome.storage.local.get(null)), ({ own }) => own);
  assert.equal(kept.own[0].name, "article.test");
  await popup.evaluate(() => chrome.storage.local.clear());
  await popup.close();
  await page.close();
});

test("the reading view says what is missing, and stops when told", async () => {
  for (const [url, count, words, act] of [
    ["https://broken.test/1", 2, /Later pages are missing\. Stopped: the next page could not be fetched/],
    ["https://slow.test/1", 2, /Later pages are missing\. Stopped\./, "#stop"],
    ["https://more.test/1", 1, /has a button that loads more/],
  ]) {
    const page = await browser.newPage();
    await page.goto(url);
    await settled(page);
    const reader = await browser.own(`reader.html?tab=${await tabOf(url)}`);
    if (act) {
      await until(() => text(reader, "#state"), (state) => /2 so far/.test(state));
      await reader.evaluate((id) => document.querySelector(id).click(), act);
    }
    const said = await until(() => text(reader, "#state"), (state) => /whole/.test(state));
    assert.equal(said, count === 1 ? "1 page, not whole" : `${count} pages, not whole`, url);
    assert.match(await text(reader, "#missing"), words);
    assert.ok((await text(reader, "#article")).length > 500);
    await reader.close();
    await page.close();
  }
  const page = await browser.newPage();
  await page.goto("https://plain.test/1");
  await settled(page);
  const reader = await browser.own(`reader.html?tab=${await tabOf("https://plain.test/1")}`);
  assert.equal(await until(() => text(reader, "#state"), (state) => /whole/.test(state)), "1 page, whole");
  await reader.close();
  await page.close();
});

on("earlier pages load upwards, and the place stays", "https://article.test/3", async (page) => {
  await until(() => bars(page), (all) => all.includes("There are earlier pages."));
  await readTo(page, 3);
  await page.evaluate(() => scrollTo(0, 400));
  const place = () => page.evaluate((words) => {
    const paragraph = [...document.querySelectorAll("p")].find((paragraph) => paragraph.textContent === words);
    return Math.round(paragraph.getBoundingClientRect().top);
  }, prose(64));
  const before = await place();
  await press(page, "Load the page before");
  await until(() => page.evaluate(() => document.querySelector('[data-tsugi-page="2"]') !== null));
  assert.ok(Math.abs((await place()) - before) <= 2, "the text in view has moved");
  // Then it goes on by itself, as it does below.
  await until(async () => {
    await page.evaluate(() => scrollTo(0, Math.max(0, scrollY - 300)));
    return page.evaluate(() => document.querySelector('[data-tsugi-page="1"]') !== null);
  });
  const words = await page.evaluate(() => document.querySelector("main").textContent);
  const places = [1, 2, 3, 4, 5].map((number) => words.indexOf(prose(number * 20 + 3)));
  assert.ok(places.every((place, at) => place > (places[at - 1] ?? -1)), `${places}`);
  assert.deepEqual((await bars(page)).filter((text) => text.startsWith("Page")), ["Page 2", "Page 3", "Page 4", "Page 5"]);
  await page.evaluate(() => scrollTo(0, 0));
  await until(() => page.url(), (url) => url.endsWith("/1"));
  assert.equal(page.url(), "https://article.test/1");
  const reader = await browser.own(`reader.html?tab=${await tabOf("https://article.test/1")}`);
  assert.equal(await until(() => text(reader, "#state"), (state) => /whole/.test(state)), "5 pages, whole");
  await reader.close();
});

on("a page that does not lead here is not put above", "https://astray.test/3", async (page) => {
  await until(() => bars(page), (all) => all.includes("There are earlier pages."));
  await press(page, "Load the page before");
  await until(() => server.asked.includes("https://astray.test/2"));
  await until(() => bars(page), (all) => !all.includes("There are earlier pages."));
  assert.ok(!(await bars(page)).includes("There are earlier pages."));
  assert.equal(await page.evaluate(() => document.querySelectorAll('[data-tsugi-page="2"]').length), 0);
});

test("the line between pages can be thin, coloured or not there", async () => {
  const seen = {};
  for (const [separator, colour] of [["bar", "#00aa00"], ["line", "#aa0000"], ["hidden", ""]]) {
    await browser.worker.evaluate((chosen) => chrome.storage.sync.set(chosen), { separator, colour });
    const page = await browser.newPage();
    await page.goto("https://article.test/1");
    await readTo(page, 5);
    await until(() => bars(page), (all) => separator === "hidden" || all.some((text) => text.startsWith("End")));
    seen[separator] = await page.evaluate(() => [...document.querySelectorAll("tsugi-separator")].map((bar) => {
      const { backgroundColor, borderInlineStartColor } = getComputedStyle(bar.shadowRoot.firstElementChild);
      const rule = getComputedStyle(bar.shadowRoot.firstElementChild.children[1]).borderTopColor;
      return { height: Math.round(bar.getBoundingClientRect().height), backgroundColor, borderInlineStartColor, rule };
    }));
    await page.close();
  }
  await browser.worker.evaluate(() => chrome.storage.sync.set({ separator: "bar", colour: "" }));
  assert.deepEqual([seen.bar.length, seen.line.length, seen.hidden.length], [5, 5, 0]);
  assert.equal(seen.bar[0].borderInlineStartColor, "rgb(0, 170, 0)");
  assert.equal(seen.line[0].rule, "rgb(170, 0, 0)");
  assert.ok(seen.line[0].height < seen.bar[0].height, JSON.stringify(seen));
});

on("in a page from right to left the bar begins at the right", "https://rtl.test/1", async (page) => {
  await readTo(page, 2);
  const edges = await page.evaluate(() => {
    const line = getComputedStyle(document.querySelector("tsugi-separator").shadowRoot.firstElementChild);
    return [line.borderRightWidth, line.borderLeftWidth];
  });
  assert.deepEqual(edges, ["4px", "0px"]);
});

test("the popup has one main action, and a switch for the site", async () => {
  const page = await browser.newPage();
  await page.goto("https://article.test/1");
  await settled(page);
  const popup = await browser.own(`popup.html?tab=${await tabOf("https://article.test/1")}`);
  await until(() => text(popup, "#state"));
  const seen = await popup.evaluate(() => {
    const visible = [...document.querySelectorAll("main button")].filter((button) => button.checkVisibility({ contentVisibilityAuto: true }) && !button.closest("details:not([open])"));
    return [document.querySelectorAll("button.main").length, visible.map((button) => button.textContent), document.querySelector("#host").textContent, document.querySelector("#on").checked];
  });
  assert.deepEqual(seen, [1, ["Read as one article", "Load all pages here", "Wrong next page"], "article.test", true]);
  await popup.evaluate(() => document.querySelector("#on").click());
  await until(() => text(popup, "#how"), (how) => how === "Off for this site.");
  assert.deepEqual((await popup.evaluate(() => chrome.storage.sync.get("never"))).never, ["article.test"]);
  await page.reload();
  assert.equal(await readTo(page, 2, 1000), 1);
  await popup.evaluate(() => document.querySelector("#on").click());
  await until(() => text(popup, "#how"), (how) => how === "On for this site.");
  assert.deepEqual((await popup.evaluate(() => chrome.storage.sync.get("never"))).never, []);
  assert.ok((await readTo(page, 2)) >= 2, "it begins without a reload");
  await popup.close();
  await page.close();
});

test("settings: a site is added, keys are changed, and a file takes everything along", async () => {
  const options = await browser.own("options.html");
  await until(() => text(options, "#keys"));
  const add = (site, button) => options.evaluate(([site, button]) => {
    document.querySelector("#site").value = site;
    document.querySelector(button).click();
  }, [site, button]);
  await add("no site", "#addNever");
  await until(() => text(options, "#siteNote"));
  assert.match(await text(options, "#siteNote"), /no address/);
  await add("https://never.test/some/page?x=1", "#addNever");
  await until(() => text(options, "#sites"), (sites) => sites.includes("never.test"));
  assert.deepEqual((await options.evaluate(() => chrome.storage.sync.get("never"))).never, ["never.test"]);
  // Another key, and no key.
  for (const [action, key] of [["next", { code: "KeyJ", altKey: true }], ["stop", { key: "Backspace", code: "Backspace" }]]) {
    await options.evaluate(([action, key]) => {
      const button = document.querySelector(`[data-key="${action}"]`);
      button.click();
      button.dispatchEvent(new KeyboardEvent("keydown", { ...key, bubbles: true, cancelable: true }));
    }, [action, key]);
    await until(() => options.evaluate((action) => document.querySelector(`[data-key="${action}"]`).textContent, action), (shown) => shown === "Alt + J" || shown === "No key");
  }
  const { keys } = await options.evaluate(() => chrome.storage.sync.get("keys"));
  assert.deepEqual([keys.next, keys.stop, keys.all], ["Alt+KeyJ", "", "Alt+Shift+KeyA"]);
  const page = await browser.newPage();
  await page.goto("https://article.test/1");
  await readTo(page, 5);
  await page.evaluate(() => {
    scrollTo(0, 0);
    dispatchEvent(new KeyboardEvent("keydown", { code: "KeyJ", altKey: true }));
  });
  assert.ok(await until(() => page.evaluate(() => scrollY > 100)), "the key leads to the next page");
  await page.close();

  const { name, content } = await saved(options, "#exportAll");
  assert.equal(name, "tsugi-settings.json");
  await options.evaluate(async () => {
    await chrome.storage.sync.clear();
    await chrome.storage.local.clear();
  });
  const rule = { name: "<b>rule</b>", data: { url: "^https://a\\.test/", nextLink: "//a", pageElement: "//main" } };
  await choose(options, "#importAll", "tsugi-settings.json", JSON.stringify({ ...JSON.parse(content), own: [rule], evil: 1 }));
  await until(() => options.evaluate(() => !document.querySelector("#confirm").hidden));
  assert.match(await text(options, "#replaces"), /1 sites and 1 rules/);
  assert.equal((await options.evaluate(() => chrome.storage.sync.get("never"))).never, undefined, "nothing before the reader agrees");
  await options.evaluate(() => document.querySelector("#replace").click());
  await until(() => text(options, "#backupNote"), (note) => note.startsWith("Imported"));
  const now = await options.evaluate(async () => ({ ...(await chrome.storage.sync.get(null)), ...(await chrome.storage.local.get(null)) }));
  assert.deepEqual([now.never, now.keys.next, now.delay, now.own, now.evil], [["never.test"], "Alt+KeyJ", 0, [rule], undefined]);
  assert.equal(await text(options, "#own summary"), "<b>rule</b>");
  await choose(options, "#importAll", "x.json", "[]");
  await until(() => text(options, "#backupNote"), (note) => note.includes("cannot be used"));
  await options.evaluate(async () => {
    await chrome.storage.local.clear();
    await chrome.storage.sync.clear();
    await chrome.storage.sync.set({ delay: 0 });
  });
  await options.close();
});

test("a rule is made by pointing at the link and the text", async () => {
  SITES["pointed.test"] = (url) => ({ body: `<!DOCTYPE html><title>x</title><div class="text"><p>${prose(byPath(url))}</p><p>${prose(byPath(url) + 50)}</p></div><ul class="go">${byPath(url) < 3 ? `<li><a href="${byPath(url) + 1}">zzz</a></li>` : ""}<li><a href="/x">yyy</a></li></ul>` });
  const page = await browser.newPage();
  await page.goto("https://pointed.test/1");
  await settled(page);
  assert.equal(await readTo(page, 2, 800), 1, "without a rule nothing is found");
  // Asked for twice, it is there once.
  for (const _ of [1, 2]) await browser.worker.evaluate(async () => {
    const tab = (await chrome.tabs.query({})).find((tab) => tab.url === "https://pointed.test/1");
    await chrome.scripting.executeScript({ target: { tabId: tab.id }, files: ["picker.js"] });
  });
  const panel = () => page.evaluate(() => document.querySelector("tsugi-picker")?.shadowRoot.querySelector("[role=dialog]").textContent);
  assert.match(await until(panel), /^Click the link/);
  /** Presses the mouse, since a click that a page makes up presses nothing of ours. */
  const click = async (find, argument) => {
    const place = await page.evaluate(find, argument);
    await page.mouse.click(...place);
  };
  const of = (selector) => { const { left, top, width } = document.querySelector(selector).getBoundingClientRect(); return [left + Math.min(width / 2, 10), top + 8]; };
  const button = (words) => { const found = [...document.querySelector("tsugi-picker").shadowRoot.querySelectorAll("button")].find((button) => button.textContent === words).getBoundingClientRect(); return [found.left + 10, found.top + 10]; };
  await page.evaluate(() => scrollTo(0, 1e6));
  await click(of, ".go a");
  assert.match(await until(panel, (said) => /text of the page/.test(said)), /^Now click the text/);
  assert.equal(page.url(), "https://pointed.test/1", "the link was not followed");
  await page.evaluate(() => scrollTo(0, 0));
  await click(of, ".text p");
  await until(panel, (said) => /Wider/.test(said));
  await click(button, "Wider");
  await page.evaluate(() => [...document.querySelector("tsugi-picker").shadowRoot.querySelectorAll("button")].find((button) => button.textContent === "Yes").click());
  await sleep(100);
  assert.match(await panel(), /Wider/, "a page cannot press it");
  await click(button, "Yes");
  assert.match(await until(panel, (said) => /Next page:|Point at others/.test(said)), /^Next page: https:\/\/pointed\.test\/2\./);
  await click(button, "Save");
  await until(panel, (said) => /^Saved/.test(said));
  await click(button, "Close");
  await page.evaluate(() => scrollTo(0, 1e6));
  await click(of, ".go a");
  await until(() => page.url(), (url) => url.endsWith("/2"));
  assert.equal(page.url(), "https://pointed.test/2", "once closed, links are links again");
  await page.goto("https://pointed.test/1");
  const { own } = await browser.worker.evaluate(() => chrome.storage.local.get("own"));
  assert.equal(own[0].data.pageElement, '//div[contains(concat(" ", normalize-space(@class), " "), " text ")]');
  assert.equal(await readTo(page, 3), 3);
  await browser.worker.evaluate(() => chrome.storage.local.clear());
  await page.close();
});

test("Wedata items are imported, bounded, and come first", async () => {
  const options = await browser.own("options.html");
  const items = [{ name: "plain", data: { url: "^https://ruled\\.test/", nextLink: "//a[@id='go']", pageElement: "//main", evil: "x" } }, { name: "broken", data: { url: 1 } }];
  await until(() => text(options, "#imported"));
  await choose(options, "#import", "items.json", JSON.stringify(items));
  assert.equal(await until(() => text(options, "#imported"), (said) => said.endsWith(" 1")), "Imported rules: 1");
  const [rule] = (await options.evaluate(() => chrome.storage.local.get("imported"))).imported;
  assert.deepEqual(Object.keys(rule.data).toSorted(), ["nextLink", "pageElement", "url"]);
  SITES["ruled.test"] = (url) => ({ body: `<!DOCTYPE html><title>x</title><main><p>${prose(byPath(url))}</p><p>${prose(byPath(url) + 50)}</p></main>${byPath(url) < 3 ? `<a id="go" href="${byPath(url) + 1}">zzz</a>` : ""}` });
  const page = await browser.newPage();
  await page.goto("https://ruled.test/1");
  assert.equal(await readTo(page, 3), 3);
  await options.evaluate(() => chrome.storage.local.clear());
  await options.close();
  await page.close();
});

test("sites on the list of never are left alone, and switches switch", async () => {
  const page = await browser.newPage();
  await browser.worker.evaluate(() => chrome.storage.sync.set({ never: ["article.test"] }));
  await page.goto("https://article.test/1");
  assert.equal(await readTo(page, 2, 1000), 1);
  await browser.worker.evaluate(() => chrome.storage.sync.set({ never: [], pages: false, chapters: false }));
  await page.goto("https://article.test/1");
  assert.equal(await readTo(page, 2, 1000), 1);
  await browser.worker.evaluate(() => chrome.storage.sync.set({ pages: true }));
  await page.close();
});

test("after installation nothing is read", async () => {
  const quiet = await start({ server, allowed: false });
  try {
    const page = await quiet.newPage();
    await page.goto("https://article.test/1");
    const asked = () => server.asked.filter((url) => url.endsWith("/2") || url.endsWith("robots.txt")).length;
    const before = asked();
    assert.equal(await readTo(page, 2, 1000), 1);
    assert.equal(asked(), before);
    assert.equal(await page.evaluate(() => document.querySelectorAll("tsugi-status").length), 0);
    const granted = await quiet.worker.evaluate(() => chrome.permissions.getAll());
    assert.deepEqual([granted.origins, granted.permissions.toSorted()], [[], ["activeTab", "scripting", "storage"]]);
  } finally {
    await quiet.close();
  }
});
