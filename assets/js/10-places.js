/* Any place in the page can be gone to: folded away, under the bar, or never laid out. The page also works without. */
const NUMBER = ".cite-ref > a";
const barEnd = () => one(".page-bar")?.offsetHeight || 0;

/* One flash at a time, for exactly as long as promised. */
let lit, timer;
const darken = () => lit?.remove("cite-flash");
function land(target) {
  focus(target);
  clearTimeout(timer);
  darken();
  lit = target.closest(".source,.cite-ref").classList;
  lit.add("cite-flash");
  timer = setTimeout(darken, MOMENT_MS);
}

/* Says whether anything had to be opened. */
function unfold(target) {
  let fold, changed;
  while ((fold = target.closest("details:not([open])"))) fold.open = changed = true;
  return changed;
}

/* Smooth is only a short way into view: rounds that were never laid out move the goal of a long one. */
function bring(target, block = "start") {
  const { top, bottom } = box(target);
  const isShort = block === "nearest" && top > -2 * innerHeight && bottom < 3 * innerHeight;
  const isSmooth = isShort && !matchMedia("(prefers-reduced-motion)").matches;
  const go = () => target.scrollIntoView({ block, behavior: isSmooth ? "smooth" : "instant" });
  go();
  if (!isSmooth) requestAnimationFrame(go);
}

/* Where the browser itself has brought the reader already nothing moves. */
function arrive(target) {
  if (!target) return;
  const isPlace = target.matches(`.source,${NUMBER}`);
  const changed = unfold(target);
  const { top, bottom } = box(target);
  if (changed || (isPlace && (top < barEnd() || bottom > innerHeight))) bring(target);
  if (isPlace) land(target);
}

/* Back, Forward, an address edited by hand, a link to any other part of the page; once the browser is done with it. */
on("popstate", ({ state }) => setTimeout(() => arrive(goalOf(state?.at || location.hash))));

/* Opened at a place. A reload keeps the reader's own position. */
const first = goalOf(location.hash);
if (performance.getEntriesByType("navigation")[0]?.type === "navigate") arrive(first);
else if (first) unfold(first);

/* Paper has no folds, but for the way to an answer, and passages of a page whose numbers lead to its list. */
const folded = [];
on("beforeprint", () => {
  folded.push(...all("details:not([open],.steps,[data-click=list] .passage)"));
  for (const fold of folded) fold.open = true;
});
on("afterprint", () => {
  for (const fold of folded.splice(0)) fold.open = false;
});
