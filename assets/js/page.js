/* Numbers lead to their sources and back. Everything here also works in some form without it. */
(() => {
  "use strict";
  const FLASH_MS = 1600;
  const page = document.documentElement;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
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
    return top >= 0 && bottom <= innerHeight;
  }

  const isPlace = (target) => target.matches(".source, .cite-ref > a");

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

  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest(".cite-ref > a, .source-back");
    const target = link && byId(link.hash.slice(1));
    if (!target) return;
    event.preventDefault();
    const source = link.closest(".source");
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

  /* Paper has no folds. */
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...folded, ...document.querySelectorAll("details:not([open])")];
    for (const fold of folded) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of folded) fold.open = false;
    folded = [];
  });
})();
