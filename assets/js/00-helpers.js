/* What all parts use. */
const page = document.documentElement;
const on = addEventListener;
const one = (query, inside = document) => inside.querySelector(query);
const all = (query, inside = document) => [...inside.querySelectorAll(query)];
const box = (tag) => tag.getBoundingClientRect();
const focus = (tag) => tag.focus({ preventScroll: true });
const goalOf = (hash) => document.getElementById(hash.slice(1));
const hasModifier = (event) => event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
const MOMENT_MS = 1600;

page.classList.add("scripted");
