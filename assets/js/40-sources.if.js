/* Numbers lead to their sources, and back links to the numbers. */

/* Each entry of the history knows the place in the page that it stands for. */
function remember(from, to) {
  const { state } = history;
  if (state?.at === to && state.from === from) return;
  try {
    history.replaceState({ ...state, at: from }, "");
    history.pushState({ at: to, from }, "", to);
  } catch {
    location.hash = to;
  }
}

on("click", (event) => {
  const link = event.target.closest(`${NUMBER},.source-back,.source-open`);
  const source = link?.closest(".source");
  const goal = link?.hash ? goalOf(link.hash) : source;
  if (!goal || hasModifier(event)) return;
  event.preventDefault();
  hide();
  const isRead = !source && one("[data-click=drawer]") && one(".passage", goal);
  if (isRead || goal === source) return read(goal, link);
  const from = `#${(source || link).id}`;
  unfold(goal);
  remember(from, link.hash);
  /* The way back to where the reader came from is marked. */
  if (!source) for (const back of all(".source-back")) back.classList.toggle("here", back.hash === from);
  bring(goal, "nearest");
  land(goal);
});
