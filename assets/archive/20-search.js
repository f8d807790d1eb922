/* Search: index.js once, a shard of words for each term, texts of the pages that are shown. Python makes the same terms
   (search_terms) and the same lists (postings). */
(() => {
  const form = document.querySelector(".search");
  if (!form) return;
  const box = form.elements.q;
  const status = document.querySelector(".found");
  const results = document.querySelector(".results");
  const listing = document.querySelector(".listing");
  const more = results.querySelector(".more");
  const list = results.querySelector("ol");
  const words = form.dataset;

  /* --- Files. The only addresses that this page ever asks for are made here. */
  const address = (name) => {
    if (!/^[a-z0-9-]+$/.test(name)) throw new TypeError(name);
    return "search/" + name + ".js";
  };
  const policy = self.trustedTypes ? trustedTypes.createPolicy("citepage-search", { createScriptURL: address }) : { createScriptURL: address };
  const loaded = new Map();
  self.citepageShard = (data) => { document.currentScript.shard = data; };
  const load = (name) => {
    if (!loaded.has(name)) {
      loaded.set(name, new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = policy.createScriptURL(name);
        script.onload = () => { script.remove(); done(script.shard); };
        script.onerror = () => { script.remove(); loaded.delete(name); failed(new Error(name)); };
        document.head.append(script);
      }));
    }
    return loaded.get(name);
  };

  /* --- Terms */
  const PAIRED = "\\u1100-\\u11ff\\u2e80-\\u2fdf\\u3005\\u3007\\u3041-\\u3096\\u309d-\\u30ff\\u3131-\\u318e\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
  const RUNS = new RegExp("[" + PAIRED + "]+|(?:(?![" + PAIRED + "])[\\p{L}\\p{N}]){1,40}", "gu");
  const paired = new RegExp("^[" + PAIRED + "]", "u");
  const fold = (text) => text.normalize("NFKD").toLowerCase().replace(/[\u0300-\u036f]/g, "").normalize("NFC");
  const termsOf = (query) => (fold(query).match(RUNS) || []).flatMap((run) => {
    const chars = [...run];
    if (!paired.test(run)) return [{ term: run, begins: chars.length > 2 }];
    if (chars.length === 1) return [{ term: run, begins: true }];
    return chars.slice(1).map((char, at) => ({ term: chars[at] + char, begins: false }));
  });
  const shardOf = (term, shards) => {
    const chars = [...term].slice(0, paired.test(term) ? 1 : 3);
    return chars.reduce((number, char) => (number * 31 + char.codePointAt(0)) % 0xffffff, 0) % shards;
  };

  /* --- Lists */
  const DIGITS = new Map([..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"].map((char, at) => [char, at]));
  const each = (digits, take) => {
    let value = 0, place = 1;
    for (const char of digits) {
      const digit = DIGITS.get(char);
      value += (digit & 31) * place;
      place *= 32;
      if (digit < 32) { take(value); value = 0; place = 1; }
    }
  };
  const numbers = (digits) => {
    const all = [];
    let last = 0;
    each(digits, (gap) => all.push((last += gap)));
    return all;
  };
  const WEIGHTS = [2, 4, 8, 16];
  const scores = (shard, { term, begins }) => {
    const best = new Map();
    const wanted = "," + term + (begins ? "" : ":");
    for (let at = shard.indexOf(wanted); at >= 0; at = shard.indexOf(wanted, at + 1)) {
      const end = shard.indexOf(",", at + 1);
      const [found, lists] = shard.slice(at + 1, end < 0 ? shard.length : end).split(":");
      const whole = found === term ? 1 : .5;
      lists.split(".").forEach((digits, grade) => {
        for (const number of numbers(digits)) best.set(number, Math.max(best.get(number) || 0, WEIGHTS[grade] * whole));
      });
    }
    return best;
  };

  /* --- A query */
  let index;
  const prepare = async () => {
    if (index) return index;
    const data = await load("index");
    const names = (letter, digests) => digests.match(/.{8}/g).map((digest, at) => (digest === "00000000" ? "" : letter + "-" + at.toString(16) + "-" + digest));
    const days = new Map();
    const at = numbers(data.numbers);
    let count = 0;
    each(data.days, (day) => { const number = at[count++]; days.set(number, Math.max(day, days.get(number) || 0)); });
    const further = new Map();
    for (const name of data.more) {
      const [key, page] = name.split("-");
      const number = (parseInt(key.slice(0, 8), 16) + Math.imul(page, 0x9e3779b1) >>> 0) >>> (32 - data.bits);
      further.set(number, [...(further.get(number) || []), "x-" + name]);
    }
    return (index = { bits: data.bits, words: names("w", data.words), texts: names("t", data.texts), days, further });
  };
  const candidates = async (terms) => {
    const { words, days } = await prepare();
    const found = await Promise.all(terms.map(async (term) => {
      const name = words[shardOf(term.term, words.length)];
      return name ? scores(await load(name), term) : new Map();
    }));
    found.sort((one, other) => one.size - other.size);
    const sums = [];
    for (const number of found[0].keys()) {
      if (found.every((map) => map.has(number))) sums.push([number, found.reduce((sum, map) => sum + map.get(number), 0)]);
    }
    return sums.sort((one, other) => other[1] - one[1] || days.get(other[0]) - days.get(one[0]) || one[0] - other[0]).map((pair) => pair[0]);
  };

  /* --- What is shown of a page */
  const patterns = (terms) => terms.map(({ term, begins }) => new RegExp(paired.test(term) ? term : "(?<=^|[^\\p{L}\\p{N}]|[" + PAIRED + "])" + term + (begins ? "" : "(?![\\p{L}\\p{N}])"), "gu"));
  const pagesOf = async (number) => {
    const { texts, bits, further } = index;
    const name = texts[Math.floor(number * texts.length / 2 ** bits)];
    const files = [...(name ? [name] : []), ...(further.get(number) || [])];
    return (await Promise.all(files.map(load))).flat().filter((page) => page[0] === number);
  };
  const KINDS = { question: .3, answer: .2, source: .1, title: 0 };
  const best = (texts, tests) => {
    const hits = new Set();
    let top = null;
    for (const [fragment, kind, text] of texts) {
      const folded = fold(text);
      const here = tests.filter((test, at) => folded.search(test) >= 0 && hits.add(at)).length;
      const score = kind === "title" || !here ? 0 : here + KINDS[kind];
      if (score > (top ? top.score : 0)) top = { fragment, kind, text, score };
    }
    return hits.size === tests.length && (top || { fragment: "", kind: "title", text: (texts.find((one) => one[1] === "question") || ["", "", ""])[2] });
  };
  const part = (tag, name, ...content) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    made.append(...content);
    return made;
  };
  const excerpt = (text, tests) => {
    let folded = "";
    const from = [];
    let at = 0;
    for (const char of text) {
      const plain = fold(char);
      for (let count = 0; count < plain.length; count++) from.push(at);
      folded += plain;
      at += char.length;
    }
    from.push(at);
    const hits = [];
    const all = tests.flatMap((test) => [...folded.matchAll(test)].map((hit) => [from[hit.index], from[hit.index + hit[0].length]]));
    for (const [hit, stop] of all.sort((one, other) => one[0] - other[0])) {
      const last = hits.at(-1);
      if (last && hit <= last[1]) last[1] = Math.max(last[1], stop); else hits.push([hit, stop]);
    }
    const begin = hits.length ? Math.max(0, hits[0][0] - 50) : 0;
    const start = begin ? begin + Math.max(0, text.slice(begin, begin + 20).search(/[\s，。；、：]/) + 1) : 0;
    const end = Math.min(text.length, start + 220);
    const shown = part("bdi", "");
    let last = start;
    for (const [hit, stop] of hits) {
      if (stop > end) break;
      shown.append(text.slice(last, hit), part("mark", "", text.slice(hit, stop)));
      last = stop;
    }
    shown.prepend(start ? "…" : "");
    shown.append(text.slice(last, end), end < text.length ? "…" : "");
    return shown;
  };
  const item = ([, , file, title, date], hit, tests) => {
    const link = part("a", "entry-title", part("bdi", "", title));
    link.href = encodeURIComponent(file) + (hit.fragment ? "#" + hit.fragment : "");
    const facts = part("p", "entry-facts", part("span", "", words[hit.kind]), " ");
    if (date) facts.append(part("span", "", date));
    return part("li", "entry", part("div", "", link, part("p", "entry-text", excerpt(hit.text, tests)), facts));
  };

  /* --- Showing */
  const STEP = 10;
  let asked = 0;
  let rest = [];
  let tests = [];
  const showMore = async (mine) => {
    const made = [];
    while (rest.length && made.length < STEP) {
      const next = rest.splice(0, STEP - made.length);
      for (const pages of await Promise.all(next.map(pagesOf))) {
        for (const page of pages) {
          const hit = best(page[5], tests);
          if (hit) made.push(item(page, hit, tests));
        }
      }
      if (mine !== asked) return;
    }
    list.append(...made);
    more.hidden = !rest.length;
    if (!list.children.length) status.textContent = words.none;
  };
  const failed = () => { status.textContent = words.failed; status.dataset.failed = ""; };
  const ask = async () => {
    const mine = ++asked;
    const terms = termsOf(box.value);
    const searching = terms.length > 0;
    delete status.dataset.failed;
    listing.hidden = searching;
    results.hidden = !searching;
    if (!searching) { status.textContent = ""; list.replaceChildren(); return; }
    try {
      const found = await candidates(terms);
      if (mine !== asked) return;
      rest = found;
      tests = patterns(terms);
      list.replaceChildren();
      status.textContent = words[found.length === 1 ? "one" : "other"].replace("{n}", found.length.toLocaleString(document.documentElement.lang));
      await showMore(mine);
    } catch { if (mine === asked) failed(); }
  };

  let wait;
  box.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(() => {
      const hash = new URLSearchParams(location.hash.slice(1));
      if (box.value) hash.set("q", box.value); else hash.delete("q");
      history.replaceState(null, "", hash.size ? "#" + hash : location.pathname + location.search);
      ask();
    }, 120);
  });
  box.addEventListener("focus", () => prepare().catch(failed), { once: true });
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", () => showMore(asked).catch(failed));
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest("input, select, textarea")) {
      event.preventDefault();
      box.focus();
    }
  });
  box.value = new URLSearchParams(location.hash.slice(1)).get("q") || "";
  if (box.value) ask();
})();
