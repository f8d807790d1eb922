/* A message may stand on another page of its conversation: the first page knows on which one, and the others ask it. */
(() => {
  "use strict";
  const first = document.querySelector(".series-first");
  const pages = document.querySelectorAll(".series [data-ids]");

  function hash(text) {
    let value = 0x811c9dc5;
    for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
    return (value >>> 0).toString(16).padStart(8, "0");
  }

  function pageOf(name) {
    const wanted = hash(name);
    return Array.from(pages).find(({ dataset }) => (dataset.ids.match(/.{8}/g) || []).includes(wanted));
  }

  /* A "?" marks a way that the first page has shown: it is not asked again. */
  function follow() {
    const id = location.hash.slice(1);
    if (!id || document.getElementById(id)) return;
    if (first) {
      if (!location.href.includes("?")) location.replace(first.href + "#" + id);
      return;
    }
    let name = id.replace(/^[a-z]+-/, "");
    for (let parts = 0; parts < 3; parts += 1) {
      const page = pageOf(name);
      if (page) return void location.replace(page.querySelector("a").href + "?#" + id);
      name = name.replace(/-\d+$/, "");
    }
  }

  if (!first && !pages.length) return;
  follow();
  addEventListener("hashchange", follow);
})();
