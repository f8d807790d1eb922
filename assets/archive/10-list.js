/* Filters. What is chosen stands in the address, and goes along to the other parts of the list. */
(() => {
  document.documentElement.classList.add("scripted");
  const form = document.querySelector(".filters");
  const state = new URLSearchParams(location.hash.slice(1));
  if (!form) return;
  const controls = [...form.elements].filter((control) => control.name);
  const count = form.querySelector("output");
  const none = document.querySelector(".none");
  const value = (control) => (control.type === "checkbox" ? (control.checked ? "1" : "") : control.value);

  const apply = () => {
    const wanted = controls.map((control) => [control.name, value(control)]).filter((pair) => pair[1]);
    let shown = 0;
    for (const month of document.querySelectorAll(".listing .month")) {
      let here = 0;
      for (const entry of month.querySelectorAll(".entry")) {
        const fits = wanted.every(([name, value]) => entry.dataset[name] === value);
        entry.hidden = !fits;
        here += fits;
      }
      month.hidden = !here;
      month.querySelector(".month-count").textContent = here;
      shown += here;
    }
    none.hidden = shown > 0;
    count.textContent = wanted.length ? form.dataset[shown === 1 ? "one" : "other"].replace("{n}", shown) : "";
    const hash = new URLSearchParams(wanted).toString();
    for (const link of document.querySelectorAll(".parts a")) link.hash = hash;
    return hash;
  };

  for (const control of controls) {
    const chosen = state.get(control.name) || "";
    if (control.type === "checkbox") control.checked = chosen === "1";
    else if ([...control.options].some((option) => option.value === chosen)) control.value = chosen;
  }
  apply();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => {
    const hash = apply();
    history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
  });
})();
