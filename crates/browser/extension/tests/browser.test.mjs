// The extension in Chromium, on made-up pages with traps. scripts/browser-tests builds it first.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bars, parts, readTo, start, until } from "./chromium.mjs";
import { article, manual, pager, prose, thread } from "./fixtures.mjs";
import { serve } from "./server.mjs";

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
    if (url.pathname.endsWith(".gif")) return { headers: { "content-type": "image/gif" }, body: PIXEL };
    if (url.pathname === "/robots.txt" && url.hostname !== "robots.test") return undefined;
    return SITES[url.hostname]?.(url);
  });
  browser = await start({ rules: server.rules });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens a page, gives it to the test, and closes it. */
function on(name, url, run) {
  test(name, async () => {
    const page = await browser.context.newPage();
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
  assert.match(said[0], /^Page 2 · \d+ %/);
  assert.equal(said.at(-1), "End: the page names no next page.");
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("tsugi-page")].map((part) => [part.getAttribute("role"), part.ariaLabel, part.firstElementChild.nextElementSibling?.className])), [2, 3, 4, 5].map((number) => ["region", `Page ${number}`, "story"]));
});

on("pages over plain http go on, too", "http://article.test/1", async (page) => {
  assert.equal(await readTo(page, 3), 3);
});

on("the address follows the page in view, and a reload opens there", "https://article.test/1", async (page) => {
  await readTo(page, 4);
  await page.evaluate(() => document.querySelector('[data-tsugi-page="3"]').scrollIntoView());
  assert.equal(await until(() => page.url(), (url) => url.endsWith("/3")), "https://article.test/3");
  await page.reload();
  const said = await until(() => bars(page), (all) => all.length > 0);
  assert.match(said[0], /^There are earlier pages:https:\/\/article.test\/2/);
  assert.ok((await page.evaluate(() => scrollY)) < 2000, "not where the long page was");
});

on("going away and back keeps what was appended, or begins at the same page", "https://article.test/1", async (page) => {
  await readTo(page, 3);
  await page.goto("https://plain.test/1");
  await page.goBack();
  assert.match(page.url(), /^https:\/\/article\.test\//);
  assert.ok((await readTo(page, 3)) >= 2);
});

on("a policy without scripts, connections and Trusted Types is no obstacle", "https://strict.test/1", async (page) => {
  assert.equal(await readTo(page, 3), 3);
});

on("where there is no next page there is silence", "https://plain.test/1", async (page) => {
  await settled(page);
  await page.evaluate(() => scrollTo(0, 1e6));
  await page.waitForTimeout(300);
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
  const found = await page.evaluate(() => [...document.querySelectorAll("tsugi-page img")].map((image) => new URL(image.src).pathname));
  for (const name of ["/a.gif", "/b.gif", "/c.gif"]) assert.ok(found.includes(name), `${name}: ${found}`);
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
  await page.waitForTimeout(500);
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
  await page.waitForTimeout(300);
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
  const left = await page.evaluate(() => document.querySelectorAll("tsugi-page :is(script, iframe, svg, form, button, [onclick], [onerror], [href^='javascript'])").length);
  await page.evaluate(() => document.querySelectorAll("tsugi-page p").forEach((paragraph) => paragraph.click()));
  assert.deepEqual([left, await page.title() === "run"], [0, false]);
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
  await browser.worker.evaluate(() => chrome.storage.sync.set({ chapters: false }));
  assert.equal(await page.evaluate(() => document.querySelectorAll("main > tsugi-page").length), 3);
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
    new PerformanceObserver((list) => { for (const task of list.getEntries()) longest = Math.max(longest, task.duration); }).observe({ type: "longtask" });
  });
  await browser.worker.evaluate(async () => {
    const [tab] = await chrome.tabs.query({ url: "https://long.test/*" });
    await chrome.tabs.sendMessage(tab.id, { tsugi: "all" });
  });
  assert.equal(await until(() => parts(page), (count) => count >= 50, 60_000), 50);
  const longest = await page.evaluate(() => globalThis.longest);
  const cdp = await browser.context.newCDPSession(page);
  await cdp.send("Performance.enable");
  const { metrics } = await cdp.send("Performance.getMetrics");
  const memory = metrics.find(({ name }) => name === "JSHeapUsedSize").value;
  console.log(`# 50 pages: longest task ${Math.round(longest)} ms, JavaScript heap ${Math.round(memory / 1e6)} MB`);
  const said = await until(() => bars(page), (all) => /as many pages/.test(all.at(-1)));
  assert.match(said.at(-1), /as many pages as you allow/);
});

test("a worker that sleeps forgets nothing", async () => {
  const page = await browser.context.newPage();
  await page.goto("https://article.test/1");
  await settled(page);
  const cdp = await browser.context.newCDPSession(page);
  await cdp.send("ServiceWorker.enable").catch(() => undefined);
  await cdp.send("ServiceWorker.stopAllWorkers").catch(() => undefined);
  await page.waitForTimeout(300);
  assert.equal(await readTo(page, 5, 10_000), 5);
  const own = await browser.context.newPage();
  await own.goto(`chrome-extension://${browser.id}/popup.html`);
  await own.waitForTimeout(500);
  await cdp.send("ServiceWorker.stopAllWorkers").catch(() => undefined);
  await page.waitForTimeout(500);
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

test("joined, it reads and saves", async () => {
  const page = await browser.context.newPage();
  await page.goto("https://article.test/1");
  await readTo(page, 5);
  const reader = await browser.context.newPage();
  await reader.goto(`chrome-extension://${browser.id}/popup.html`);
  const tab = await reader.evaluate(async () => (await chrome.tabs.query({ url: "https://article.test/*" })).at(-1).id);
  await reader.goto(`chrome-extension://${browser.id}/reader.html?tab=${tab}`);
  assert.equal(await until(() => reader.textContent("#state"), (text) => text === "5 pages"), "5 pages");
  assert.ok((await reader.textContent("#article")).includes(prose(103)));
  for (const [button, extension] of [["#md", "md"], ["#epub", "epub"], ["#txt", "txt"]]) {
    const [download] = await Promise.all([reader.waitForEvent("download"), reader.click(button)]);
    assert.equal(download.suggestedFilename(), `The tide mill.${extension}`);
  }
  await reader.goto(`chrome-extension://${browser.id}/popup.html?tab=${tab}`);
  assert.match(await until(() => reader.textContent("#state"), (text) => /pages/.test(text)), /^5 pages/);
  await reader.click("#wrong");
  await until(() => bars(page), (all) => /you said/.test(all.at(-1)));
  assert.ok((await parts(page)) < 5);
  const kept = await until(() => reader.evaluate(() => chrome.storage.local.get(null)), ({ own }) => own);
  assert.equal(kept.labels[0].next, null);
  assert.match(kept.labels[0].trap, /^https:\/\/article\.test\/\d$/);
  assert.equal(kept.own[0].name, "article.test");
  await reader.evaluate(() => chrome.storage.local.clear());
  await reader.close();
  await page.close();
});

test("Wedata items are imported, bounded, and come first", async () => {
  const options = await browser.context.newPage();
  await options.goto(`chrome-extension://${browser.id}/options.html`);
  const items = [{ name: "plain", data: { url: "^https://ruled\\.test/", nextLink: "//a[@id='go']", pageElement: "//main", evil: "x" } }, { name: "broken", data: { url: 1 } }];
  await options.setInputFiles("#import", { name: "items.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(items)) });
  assert.equal(await until(() => options.textContent("#imported"), (text) => text.startsWith("1 ")), "1 imported rules");
  const [rule] = (await options.evaluate(() => chrome.storage.local.get("imported"))).imported;
  assert.deepEqual(Object.keys(rule.data).toSorted(), ["nextLink", "pageElement", "url"]);
  SITES["ruled.test"] = (url) => ({ body: `<!DOCTYPE html><title>x</title><main><p>${prose(byPath(url))}</p><p>${prose(byPath(url) + 50)}</p></main>${byPath(url) < 3 ? `<a id="go" href="${byPath(url) + 1}">zzz</a>` : ""}` });
  const page = await browser.context.newPage();
  await page.goto("https://ruled.test/1");
  assert.equal(await readTo(page, 3), 3);
  await options.evaluate(() => chrome.storage.local.clear());
  await options.close();
  await page.close();
});

test("sites on the list of never are left alone, and switches switch", async () => {
  const page = await browser.context.newPage();
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
  const quiet = await start({ rules: server.rules, allowed: false });
  try {
    const page = await quiet.context.newPage();
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
