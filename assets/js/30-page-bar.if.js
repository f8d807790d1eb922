/* In a long conversation: a list of contents that closes once it has been used, and the keys j and k. */
const list = one("#contents");
list.onclick = ({ target }) => target.closest("a") && list.hidePopover?.();

on("keydown", (event) => {
  const step = { j: 1, k: -1 }[event.key];
  if (!step || hasModifier(event) || !one("#keys").checked || one("dialog[open]")) return;
  const messages = all(".message");
  const topOf = (at) => box(messages[at]).top - barEnd();
  /* The last message that has come up to the bar. By halves: to measure one that is out of view lays out its round. */
  let here = -1;
  for (let end = messages.length; end - here > 1; ) {
    const middle = (here + end) >> 1;
    if (topOf(middle) < 40) here = middle;
    else end = middle;
  }
  /* The last messages of a page cannot come up to the bar: the focus tells where the reader is. */
  const isEnd = scrollY + innerHeight > page.scrollHeight - 2;
  if (isEnd) here = Math.max(here, messages.indexOf(document.activeElement));
  const isInside = step < 0 && here >= 0 && topOf(here) < 0;
  const goal = messages[isInside ? here : here + step];
  if (!goal) return;
  goal.tabIndex = -1;
  focus(goal);
  bring(goal);
});
