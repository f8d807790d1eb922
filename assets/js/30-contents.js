/* In a long conversation: the keys j and k, and a list of contents that closes once it has been used. */
(() => {
  "use strict";
  const list = document.getElementById("contents");
  if (!list) return;
  const keys = document.getElementById("keys");
  const bar = list.closest(".page-bar");

  list.addEventListener("click", ({ target }) => {
    if (target.closest("a") && list.hidePopover) list.hidePopover();
  });

  /* Rounds that were never laid out move the goal: once more in the next frame. */
  function go(message) {
    message.tabIndex = -1;
    message.focus({ preventScroll: true });
    const land = () => message.scrollIntoView({ block: "start", behavior: "instant" });
    land();
    requestAnimationFrame(land);
  }

  document.addEventListener("keydown", (event) => {
    if (!keys.checked || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key !== "j" && event.key !== "k") return;
    const messages = [...document.querySelectorAll(".message")];
    const line = bar.offsetHeight + 40;
    const here = messages.findLastIndex((message) => message.getBoundingClientRect().top <= line);
    const next = messages[event.key === "j" ? here + 1 : messages[here] && messages[here].getBoundingClientRect().top < 0 ? here : here - 1];
    if (next) go(next);
  });
})();
