/* Numbers lead to their sources and back; a source has a preview and a drawer. The page also works without all this. */
(() => {
  "use strict";
  const FLASH_MS = 1600;
  const OPEN_MS = 150;
  const CLOSE_MS = 300;
  const EXCERPT = 80;
  const GAP = 8;
  const NUMBER = ".cite-ref > a";
  const page = document.documentElement;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const bar = document.querySelector(".page-bar");
  const byId = (id) => (id ? document.getElementById(id) : null);
  const inHash = () => location.hash.slice(1);

  page.classList.add("scripted");

  /* One flash at a time, for exactly as long as promised. */
  let lit = null;
  let timer = 0;
  function flash(target) {
    const source = target.matches(".source");
    clearTimeout(timer);
    if (lit) lit.classList.remove("cite-flash", "ref-flash");
    lit = source ? target : target.parentElement;
    lit.classList.add(source ? "cite-flash" : "ref-flash");
    timer = setTimeout(() => lit.classList.remove("cite-flash", "ref-flash"), FLASH_MS);
  }

  function unfold(target) {
    let changed = false;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      if (!fold.open) fold.open = changed = true;
    }
    return changed;
  }

  /* Smooth only over a short way: rounds that were never laid out move the goal of a long one. */
  function scrollTo(target, block, smooth) {
    const { top, bottom } = target.getBoundingClientRect();
    const way = Math.max(-top, bottom - innerHeight);
    const behavior = smooth && !calm.matches && way < 2 * innerHeight ? "smooth" : "instant";
    const go = () => target.scrollIntoView({ block, inline: "nearest", behavior });
    go();
    if (behavior === "instant") requestAnimationFrame(go);
  }

  function isVisible(target) {
    const { top, bottom } = target.getBoundingClientRect();
    return top >= (bar ? bar.offsetHeight : 0) && bottom <= innerHeight;
  }

  const isPlace = (target) => target.matches(".source, " + NUMBER);

  function land(target) {
    target.focus({ preventScroll: true });
    flash(target);
  }

  /* Marks the back link of the number that brought the reader here. */
  function markWayBack(source, number) {
    for (const old of document.querySelectorAll(".source-back.here")) old.classList.remove("here");
    for (const back of source.querySelectorAll(".source-back")) {
      back.classList.toggle("here", back.hash === "#" + number.id);
    }
  }

  /* Each entry of the history knows the place in the page that it stands for. */
  function remember(from, to) {
    const now = history.state || {};
    if (now.at === to && now.from === from) return;
    try {
      history.replaceState({ ...now, at: from }, "");
      history.pushState({ at: to, from }, "", "#" + to);
    } catch {
      location.hash = to;
    }
  }

  /* Preview and drawer hold copies of what stands in the entry, and no words of their own. */
  const copies = (source, parts) => Array.from(source.querySelectorAll(parts), (part) => part.cloneNode(true));

  function line(name, parts) {
    const tag = document.createElement("div");
    tag.className = name;
    for (const part of parts) tag.append(part, " ");
    return tag;
  }

  function heading(source) {
    const [title] = copies(source, ".source-title > bdi");
    return [source.querySelector(".source-number").textContent, title];
  }

  /* The drawer opens at the first mark; its opener gets the focus back. */
  const drawer = byId("drawer");
  let opener = null;

  function read(source, from) {
    const [title, body] = drawer.querySelectorAll(".drawer-title, .drawer-body");
    const [number, name] = heading(source);
    name.textContent = source.querySelector(".source-title").title || name.textContent;
    title.replaceChildren(number, " ", name);
    body.replaceChildren(
      line("source-facts", copies(source, ".source-place, .source-domain, .source-verdict, .passage-facts")),
      ...copies(source, ".source-status, .passage-text, .passage > .passage-cut"),
    );
    while (body.nextSibling) body.nextSibling.remove();
    body.after(copies(source, ".passage-out")[0] || line("passage-out", []));
    drawer.dataset.verdict = source.dataset.verdict;
    opener = from;
    drawer.showModal();
    title.focus({ preventScroll: true });
    const mark = body.querySelector("mark");
    drawer.scrollTop = mark ? mark.offsetTop - drawer.clientHeight / 2 : 0;
  }

  if (drawer) {
    page.classList.add("with-drawer");
    /* Its own listener: iOS may bring no tap on a backdrop to the document. A selection drawn out of it is no click. */
    drawer.addEventListener("click", ({ target }) => {
      if (target.closest("[data-close]") || (target === drawer && getSelection().isCollapsed)) drawer.close();
    });
    drawer.addEventListener("close", () => {
      opener.focus({ preventScroll: true });
      opener = null;
    });
  }

  /* The preview stands beside the number `shown`, and in a moment beside `wanted`. */
  const preview = byId("preview");
  const fine = matchMedia("(hover: hover) and (pointer: fine)");
  let shown = null;
  let wanted = null;
  let pointed = false;
  let wait = 0;

  function hide() {
    clearTimeout(wait);
    wanted = null;
    if (!shown) return;
    shown.removeAttribute("aria-describedby");
    shown = null;
    preview.hidePopover();
  }

  function show(link) {
    const source = byId(link.hash.slice(1));
    if (link === shown || !source || !fine.matches) return;
    hide();
    const [place, ...more] = copies(source, ".source-place, .source-domain, .source-verdict");
    const facts = more.length ? [place, more.pop()] : [place];
    preview.replaceChildren(line("preview-title", heading(source)), line("source-facts", facts));
    for (const text of copies(source, ".passage-text")) {
      const words = Array.from(text.querySelectorAll("p:not(.passage-cut)"), (part) => part.textContent).join(" ");
      const start = [...words.replace(/\s+/g, " ").slice(0, 2 * EXCERPT + 1)];
      text.textContent = start.slice(0, EXCERPT).join("") + (start[EXCERPT] ? "…" : "");
      preview.append(text);
    }
    preview.dataset.verdict = source.dataset.verdict;
    preview.showPopover();
    link.setAttribute("aria-describedby", preview.id);
    shown = wanted = link;
    stand();
  }

  /* Below the number or above it, inside the window. */
  function stand() {
    if (!shown) return;
    const { left, right, top, bottom } = shown.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height, style } = preview;
    const x = Math.min((left + right - width) / 2, page.clientWidth - width - GAP);
    const y = bottom + GAP + height < innerHeight ? bottom + GAP : top - GAP - height;
    style.left = Math.max(GAP, x) + "px";
    style.top = y + "px";
    if (bottom < 0 || top > innerHeight) hide();
  }

  function want(link) {
    if (link === wanted) return;
    clearTimeout(wait);
    wanted = link;
    wait = link ? setTimeout(show, OPEN_MS, link) : setTimeout(hide, CLOSE_MS);
  }

  if (preview && preview.showPopover) {
    document.addEventListener("pointerover", ({ target, pointerType }) => {
      if (pointerType === "touch") return;
      const link = preview.contains(target) ? shown : target.closest(NUMBER);
      if (link) pointed = true;
      if (pointed) want(link);
    });
    page.addEventListener("pointerleave", () => pointed && want(null));
    document.addEventListener("focusin", ({ target }) => {
      if (target === opener || !target.matches(NUMBER + ":focus-visible")) return;
      pointed = false;
      want(target);
    });
    document.addEventListener("focusout", () => pointed || want(null));
    document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
    addEventListener("scroll", stand, { capture: true, passive: true });
    addEventListener("resize", stand);
  }

  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest(NUMBER + ", .source-back, .source-open");
    const source = link && link.closest(".source");
    const target = link && (link.hash ? byId(link.hash.slice(1)) : source);
    if (!target) return;
    event.preventDefault();
    hide();
    const reads = !source && drawer && document.body.dataset.click === "drawer" && target.querySelector(".passage");
    if (reads || target === source) {
      read(target, link);
      return;
    }
    unfold(target);
    remember(source ? source.id : link.id, target.id);
    if (!source) markWayBack(target, link);
    scrollTo(target, "nearest", true);
    land(target);
  });

  /* Back, Forward, an address edited by hand, a link to any other part of the page. */
  addEventListener("popstate", (event) => {
    const target = byId((event.state && event.state.at) || inHash());
    if (!target) return;
    const changed = unfold(target);
    if (!isPlace(target)) {
      if (changed) scrollTo(target, "start", false);
      return;
    }
    if (!isVisible(target)) scrollTo(target, "nearest", false);
    land(target);
  });

  /* Opened at a place: unfold it; a reload keeps the reader's own position. */
  const first = byId(inHash());
  if (first) {
    const changed = unfold(first);
    const [visit] = performance.getEntriesByType("navigation");
    if (!visit || visit.type === "navigate") {
      if (changed) scrollTo(first, "start", false);
      if (isPlace(first)) land(first);
    }
  }

  /* Paper has no folds, but for passages that the reader has not opened. */
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...folded, ...document.querySelectorAll("details:not([open], .passage)")];
    for (const fold of folded) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of folded) fold.open = false;
    folded = [];
  });
})();
