// What is asked of a page that the browser shows. It runs in a world of its own, whose globals the page cannot change.
(() => {
  const DEEPEST = 2000, LONGEST_ATTRIBUTE = 4000, MOST_STYLED = 60000;
  const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
  // What is neither text nor leads on. What a page says to readers without scripts is not for who runs them.
  const DROPPED = new Set(['script', 'style', 'noscript', 'template']);
  const CONSENT = /cookie|consent|gdpr|onetrust|didomi|usercentrics|qc-cmp|sp_message|truste|cmp-|-cmp/i;
  const seen = new Set();
  const squeeze = text => (text ?? '').replace(/\s+/g, '');

  // Numbers of 53 bits; two texts in a page with the same one are unlikely, and do no harm.
  const mixed = (hash, value) => {
    let [high, low] = [Math.floor(hash / 0x100000) & 0x1fffff, hash & 0xffffffff];
    low = Math.imul(low ^ value, 0x9e3779b1); high = Math.imul(high ^ value ^ (low >>> 15), 0x85ebca77);
    low ^= high >>> 13;
    return (high >>> 11) * 0x100000000 + (low >>> 0);
  };
  const hashed = text => {
    let hash = text.length;
    for (let at = 0; at < text.length; at++) hash = mixed(hash, text.charCodeAt(at));
    return hash;
  };

  // The children as they are shown: shadow trees in place of what they hide, and documents of frames that may be read.
  const children = node => {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    if (node.localName === 'slot' && node.getRootNode() instanceof ShadowRoot) {
      const assigned = node.assignedNodes();
      return assigned.length ? assigned : node.childNodes;
    }
    if (node.localName === 'iframe') {
      try { return node.contentDocument?.body?.childNodes ?? []; } catch { return []; }
    }
    return node.childNodes;
  };
  const isText = node => node.nodeType === 3;
  const isElement = node => node.nodeType === 1 && !DROPPED.has(node.localName);

  // A number for the text that is shown, which changes with it.
  const print = () => {
    let [hash, count] = [1, 0];
    const visit = (node, depth) => {
      if (isText(node)) {
        const text = node.data.trim();
        if (text) { count += text.length; hash = mixed(hash, hashed(text)); }
      } else if (depth < DEEPEST && (isElement(node) || node.nodeType === 9)) {
        for (const child of children(node)) visit(child, depth + 1);
      }
    };
    if (document.body) visit(document.body, 0);
    return { print: `${hash}/${count}/${location.href}`, loading: document.readyState === 'loading' };
  };

  // For each element: the number of what it says, how long that is, and how much of it was not there before.
  const measured = () => {
    const found = new Map();
    const visit = (node, depth) => {
      const self = { hash: hashed(node.localName), length: 0, fresh: 0, texts: [] };
      if (node.localName === 'img') { self.hash = mixed(self.hash, hashed(node.currentSrc || node.src || '')); self.length = 1; }
      if (depth < DEEPEST) for (const child of children(node)) {
        if (isText(child)) {
          const text = child.data.replace(/\s+/g, ' ').trim();
          if (!text) continue;
          const hash = hashed(text) + 0.5;
          self.hash = mixed(self.hash, hash);
          self.length += text.length;
          self.texts.push(hash);
          if (!seen.has(hash)) self.fresh += text.length;
        } else if (isElement(child)) {
          const inner = visit(child, depth + 1);
          self.hash = mixed(self.hash, inner.hash);
          self.length += inner.length;
          self.fresh += inner.fresh;
        }
      }
      if (seen.has(self.hash)) self.fresh = 0;
      found.set(node, self);
      return self;
    };
    if (document.body) visit(document.body, 0);
    return found;
  };

  // Notes everything that is shown as seen.
  const mark = () => {
    for (const { hash, length, texts } of measured().values()) {
      if (length) seen.add(hash);
      for (const text of texts) seen.add(text);
    }
    return [...seen];
  };
  const restore = numbers => { for (const number of numbers) seen.add(number); };

  const styles = new Map();
  const style = node => {
    let style = styles.get(node);
    if (!style && styles.size < MOST_STYLED) styles.set(node, style = getComputedStyle(node));
    return style;
  };

  // Walls of consent and other things that lie over the page, if they do not hold it.
  const isOverlay = (node, texts) => {
    const says = texts.get(node)?.length ?? 0, all = texts.get(document.body)?.length ?? 0;
    if (says > all / 2 && says > 2000) return false;
    if (node.localName === 'dialog' && node.open) return true;
    const role = node.getAttribute('role');
    if (role === 'dialog' || role === 'alertdialog' || node.getAttribute('aria-modal') === 'true') return true;
    const position = style(node)?.position;
    if (position !== 'fixed' && position !== 'sticky' && position !== 'absolute') return false;
    if (CONSENT.test(node.id) || CONSENT.test(node.getAttribute('class') ?? '')) return true;
    if (position !== 'fixed') return false;
    const box = node.getBoundingClientRect();
    return box.width * box.height > 0.3 * innerWidth * innerHeight && says <= all / 2;
  };

  const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\u00a0/g, '&nbsp;');
  const quoted = text => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

  // The document as HTML, as it is shown, without `dropped` elements.
  const written = (dropped, texts, most) => {
    const out = [];
    let length = 0;
    const put = text => { length += text.length; out.push(text); };
    const attributes = (node, more) => {
      for (const { name, value } of node.attributes) {
        if (/^on|^style$|^srcdoc$|[\s"'<>/=]/i.test(name) || value.length > LONGEST_ATTRIBUTE) continue;
        put(value === '' ? ` ${name}` : ` ${name}="${quoted(value)}"`);
      }
      if (more && !node.hasAttribute(more)) put(` ${more}`);
    };
    const visit = (node, depth) => {
      if (length > most || depth > DEEPEST) return;
      if (isText(node)) { put(escaped(node.data)); return; }
      if (node.nodeType !== 1 || dropped.has(node)) return;
      let name = node.localName;
      if (name === 'script' && /^application\/ld\+json/i.test(node.type)) {
        put('<script type="application/ld+json">' + node.textContent.replace(/<\//g, '<\\/') + '</script>');
        return;
      }
      if (DROPPED.has(name) || !/^[a-z][a-z0-9-]*$/i.test(name)) return;
      if (name === 'slot') { for (const child of children(node)) visit(child, depth + 1); return; }
      const inBody = document.body?.contains(node) || node.getRootNode() !== document;
      if (inBody && node !== document.body && isOverlay(node, texts)) return;
      const inner = children(node);
      if (name === 'iframe' && inner.length) {
        put('<div>');
        for (const child of inner) visit(child, depth + 1);
        put('</div>');
        return;
      }
      put('<' + name);
      attributes(node, inBody && style(node)?.display === 'none' ? 'hidden' : '');
      put('>');
      if (VOID.has(name)) return;
      if (name === 'pre' || name === 'textarea') put('\n');
      for (const child of inner) visit(child, depth + 1);
      put(`</${name}>`);
    };
    put('<!DOCTYPE html>\n');
    if (document.documentElement) visit(document.documentElement, 0);
    styles.clear();
    return out.join('');
  };
  const whole = most => ({ html: written(new Set(), measured(), most), url: location.href, type: document.contentType });

  // The document without what was seen before beside what is new, or null if nothing is new. Where old and new elements of one
  // kind stand side by side, they are a list, and the old ones are left out. All else stays: it stands around the content of
  // every page.
  const LEAST_NEW = 20, MOSTLY = 0.5, SHARE = 0.2;
  const KEPT = new Set(['h1', 'header', 'nav', 'footer']);
  const kind = node => node.localName + '.' + (node.classList?.[0] ?? '');
  const fresh = most => {
    const texts = measured(), dropped = new Set();
    const all = texts.get(document.body)?.fresh ?? 0;
    if (all < LEAST_NEW) return null;
    const visit = (node, depth) => {
      const self = texts.get(node);
      if (!self || !self.fresh || depth > DEEPEST) return;
      const inner = [...children(node)].filter(child => texts.has(child));
      const of = child => texts.get(child);
      const isNew = child => of(child).length > 0 && of(child).fresh >= MOSTLY * of(child).length;
      const isOld = child => of(child).length > 0 && of(child).fresh === 0;
      const news = inner.filter(isNew);
      const weight = news.reduce((sum, child) => sum + of(child).fresh, 0);
      if (news.length && weight >= SHARE * all) {
        const kinds = new Set(news.map(kind));
        const olds = inner.filter(isOld);
        if (olds.some(child => kinds.has(kind(child)))) {
          const last = inner.indexOf(news[news.length - 1]);
          inner.forEach((child, at) => {
            if (isOld(child) && (at < last || kinds.has(kind(child))) && !KEPT.has(child.localName)) dropped.add(child);
          });
        }
      }
      for (const child of inner) if (!dropped.has(child)) visit(child, depth + 1);
    };
    visit(document.body, 0);
    return { html: written(dropped, texts, most), url: location.href, type: document.contentType };
  };

  // Finds a control by its tag, its label, and how many like it are before it.
  const label = node => [node.textContent, node.value, node.getAttribute('aria-label'), node.title, node.alt]
    .map(squeeze).find(text => text) ?? '';
  let control = null;
  const isShown = node => node.checkVisibility?.({ visibilityProperty: true }) ?? node.getClientRects().length > 0;
  const find = (tag, start, before) => {
    const found = [], wanted = squeeze(start);
    const visit = (node, depth) => {
      if (node.localName === tag && (wanted ? label(node).startsWith(wanted) : !label(node))) found.push(node);
      if (depth < DEEPEST) for (const child of children(node)) if (isElement(child)) visit(child, depth + 1);
    };
    if (document.body) visit(document.body, 0);
    control = found[before] && isShown(found[before]) ? found[before] : found.find(isShown) ?? found[0] ?? null;
    if (!control) return null;
    const form = control.closest('form');
    const isField = field => isShown(field) && (field.localName === 'textarea' ||
      /^(text|email|password|tel|number|search|url|file|date|checkbox|radio)$/.test(field.type));
    return {
      shown: isShown(control),
      disabled: control.disabled === true || control.getAttribute('aria-disabled') === 'true',
      words: [control.textContent, control.value, control.getAttribute('aria-label'), control.title, control.alt, control.name]
        .filter(text => typeof text === 'string').join(' ').slice(0, 1000),
      fields: form ? [...form.elements].some(isField) : false,
      elsewhere: form ? new URL(form.action, document.baseURI).host !== location.host : false,
    };
  };
  // Presses it once. A select moves to its next option.
  const press = () => {
    if (!control) return false;
    if (control.localName === 'select') {
      if (control.selectedIndex + 1 >= control.options.length) return false;
      control.selectedIndex += 1;
      for (const name of ['input', 'change']) control.dispatchEvent(new Event(name, { bubbles: true }));
      return true;
    }
    control.scrollIntoView({ block: 'center', behavior: 'instant' });
    control.click();
    return true;
  };

  // Scrolls down by most of a screen, the page and the largest list in it; false at the end.
  const scroll = () => {
    const isLong = node => node.scrollHeight > node.clientHeight + 50 && node.clientHeight > 100 &&
      /auto|scroll/.test(getComputedStyle(node).overflowY);
    const area = node => node.clientWidth * node.clientHeight;
    const root = document.scrollingElement ?? document.documentElement;
    const lists = [...document.querySelectorAll('body *')].slice(0, MOST_STYLED).filter(isLong).sort((a, b) => area(b) - area(a));
    let moved = false;
    for (const node of [root, lists[0]]) {
      if (!node) continue;
      const before = node.scrollTop;
      node.scrollBy({ top: 0.9 * (node === root ? innerHeight : node.clientHeight), behavior: 'instant' });
      moved ||= node.scrollTop > before;
    }
    return moved;
  };

  globalThis.tsugi = { print, mark, restore, whole, fresh, find, press, scroll };
})();
