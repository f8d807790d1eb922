/* In a long conversation: a list of contents that closes once it has been used, and the keys j and k. */
const list = one("#contents");
list.onclick = ({ target }) => target.closest("a") && list.hidePopover?.();

on("keydown", (event) => {
  const step = { j: 1, k: -1 }[event.key];
  if (!step || hasModifier(event) || !one("#keys").checked || one("dialog[open]")) return;
  const messages = all(".message");
  /* At the end of the page the last messages cannot come up to the bar: the focus tells where the reader is. */
  const isEnd = scrollY + innerHeight > page.scrollHeight - 2;
  const line = (message) => (isEnd && message === document.activeElement ? innerHeight : barEnd() + 40);
  const here = messages.findLastIndex((message) => box(message).top <= line(message));
  const isInside = step < 0 && here >= 0 && box(messages[here]).top < barEnd();
  const goal = messages[isInside ? here : here + step];
  if (!goal) return;
  goal.tabIndex = -1;
  focus(goal);
  bring(goal);
});
