/* A preview beside a number, and a drawer with the passage: copies of what stands in the entry, no words of their own. */
const [OPEN_MS, CLOSE_MS, GAP] = [150, 300, 8];
const FACTS = ".source-place,.source-domain,.source-verdict";
const drawer = one("#drawer");
const preview = one("#preview");
const copies = (query, source) => all(query, source).map((tag) => tag.cloneNode(true));

/* The whole of a title that was cut is for the drawer, which has room. */
function fill(panel, source, facts) {
  const [k, name, line] = all("span,bdi,.source-facts", panel);
  const title = one(".source-title", source);
  k.textContent = one(".source-number", source).textContent;
  name.textContent = (panel === drawer && title.title) || title.textContent;
  line.replaceChildren(...facts.flatMap((fact) => [fact, " "]));
  panel.dataset.verdict = source.dataset.verdict;
}

/* The drawer opens at the first mark; its opener gets the focus back. */
let opener;
function read(source, from) {
  const [title, text, out] = all(".drawer-title,.drawer-text,.passage-out", drawer);
  fill(drawer, source, copies(`${FACTS},.passage-facts`, source));
  text.replaceChildren(...copies(".source-status,.passage-text,.passage-cut", source));
  out.replaceChildren(...copies(".passage-link", source));
  opener = from;
  drawer.showModal();
  focus(title);
  drawer.scrollTop = one("mark", text)?.offsetTop - drawer.clientHeight / 2 || 0;
}

/* Its own listener: iOS may bring no tap on a backdrop to the window. A selection drawn out of it is no click. */
drawer.onclick = ({ target }) => {
  if (target.matches("[data-close]") || (target === drawer && getSelection().isCollapsed)) drawer.close();
};
drawer.onclose = () => {
  focus(opener);
  opener = null;
};

/* The preview stands beside the number `shown`, and in a moment beside `wanted`. */
let shown, wanted, pointed, wait;

function hide() {
  clearTimeout(wait);
  wanted = null;
  if (!shown) return;
  shown.removeAttribute("aria-describedby");
  shown = null;
  preview.hidePopover();
}

function show(link) {
  const source = goalOf(link.hash);
  const canHover = matchMedia("(hover) and (pointer: fine)").matches;
  if (link === shown || !source || !canHover || !preview.showPopover) return;
  hide();
  const facts = copies(FACTS, source);
  facts.splice(1, facts.length - 2);
  fill(preview, source, facts);
  const passage = one(".passage-text", source)?.textContent.trim().replace(/\s+/g, " ");
  preview.lastChild.textContent = passage?.replace(/^(.{80}).+/u, "$1…");
  preview.showPopover();
  link.setAttribute("aria-describedby", "preview");
  shown = wanted = link;
  stand();
}

/* Below the number or above it, inside the window. */
function stand() {
  if (!shown) return;
  const { left, right, top, bottom } = box(shown);
  const { offsetWidth: width, offsetHeight: height, style } = preview;
  const x = Math.min((left + right - width) / 2, page.clientWidth - width - GAP);
  const y = bottom + GAP + height < innerHeight ? bottom + GAP : top - GAP - height;
  style.inset = `${y}px auto auto ${Math.max(GAP, x)}px`;
  if (bottom < 0 || top > innerHeight) hide();
}

function want(link) {
  if (link === wanted) return;
  clearTimeout(wait);
  wanted = link;
  wait = link ? setTimeout(show, OPEN_MS, link) : setTimeout(hide, CLOSE_MS);
}

on("pointerover", ({ target, pointerType }) => {
  if (pointerType === "touch") return;
  const link = preview.contains(target) ? shown : target.closest(NUMBER);
  pointed ||= link;
  if (pointed) want(link);
});
page.onpointerleave = () => pointed && want(null);
on("focusin", ({ target }) => {
  if (target === opener || !target.matches(`${NUMBER}:focus-visible`)) return;
  pointed = false;
  want(target);
});
on("focusout", () => pointed || want(null));
on("keydown", ({ key }) => key === "Escape" && hide());
on("resize", stand);
/* Boxes inside the page scroll too, which is heard on the way down alone. */
on("scroll", stand, true);
