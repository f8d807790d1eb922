/* Copies a block of code, or an answer as Markdown whose numbers are footnotes. */

/* What an element is in Markdown, by the first selector that it matches. `said` is its text, `inner` its Markdown. */
const INLINE = {
  ".footnote-back": () => "",
  ".cite-ref": (inner, said) => `[^${said.slice(1)}`,
  ".footnote-ref": (inner, said) => `[^note-${said}]`,
  ".task-box": (inner, said) => (said === "☑" ? "[x] " : "[ ] "),
  ".math": (inner, said) => said,
  math: (inner, said, tag) => `$${tag.getAttribute("alttext")}$`,
  code(inner, said) {
    const ticks = fence(said, "`");
    return [ticks, said, ticks].join(/^`|`$/.test(said) ? " " : "");
  },
  br: () => "\\\n",
  a: (inner, said, { href }) => `[${inner}](<${href}>)`,
  strong: (inner) => `**${inner}**`,
  em: (inner) => `*${inner}*`,
  del: (inner) => `~~${inner}~~`,
  "*": (inner) => inner,
};
const BLOCKS = {
  ".code-head,summary,button": () => "",
  ".footnotes": (tag) => all("li", tag).map((li, at) => note(`note-${at + 1}`, blocks(li))).join("\n"),
  pre(tag) {
    const said = tag.textContent.replace(/\n$/, "");
    const ticks = fence(said, "```");
    return `${ticks}${tag.closest(".code-block").dataset.lang || ""}\n${said}\n${ticks}`;
  },
  table({ rows }) {
    const lines = [...rows].map(({ cells }) => row(cells, (cell) => words(cell).trim()));
    lines.splice(1, 0, row(rows[0].cells, ({ className }) => ({ "ta-r": "--:", "ta-c": ":-:" })[className] || "---"));
    return lines.join("\n");
  },
  hr: () => "---",
  blockquote: (tag) => indented("> ", blocks(tag), "> ").replace(/\n\n/g, "\n>\n"),
  "ul,ol": ({ children, start }) =>
    [...children]
      .map((li, at) => indented(start == null ? "- " : `${start + at}. `, blocks(li, one(":scope > p", li) ? "\n\n" : "\n")))
      .join("\n"),
  "h3,h4,h5,h6": (tag) => `${"#".repeat(tag.tagName[1] - 1)} ${words(tag)}`,
  p: words,
  "div,section,details,figure": blocks,
};
const ruleOf = (rules, tag) => rules[Object.keys(rules).find((selector) => tag.matches(selector))];

const joined = (parts, gap = "\n\n") => parts.map((part) => part.trim()).filter(Boolean).join(gap);

/* Longer than any inside. */
function fence(text, ticks) {
  while (text.includes(ticks)) ticks += "`";
  return ticks;
}

const indented = (first, text, rest = " ".repeat(first.length)) => first + text.replace(/\n(?=.)/g, `\n${rest}`);
const note = (name, text) => indented(`[^${name}]: `, text, "    ");
const row = (cells, say) => `| ${[...cells].map(say).join(" | ")} |`;

function words(node) {
  if (!node.matches) return node.data.replace(/\s+/g, " ").replace(/[\\`*_[\]<|~$]/g, "\\$&");
  return ruleOf(INLINE, node)([...node.childNodes].map(words).join(""), node.textContent, node);
}

/* Words between the blocks of a node are a block too. */
function blocks(node, gap) {
  const parts = [""];
  for (const child of node.childNodes) {
    const rule = child.matches && ruleOf(BLOCKS, child);
    if (rule) parts.push(rule(child), "");
    else parts.push(parts.pop() + words(child));
  }
  return joined(parts, gap);
}

function answer(message) {
  const texts = all(":scope > .prose", message).map((prose) => blocks(prose));
  const notes = all(".source", message).map((source) => {
    const [title, ...facts] = all(".source-title,.source-domain,.source-verdict", source).map(words);
    return note(source.dataset.k, `${title} — ${facts.join(", ")}`);
  });
  return `${joined([...texts, notes.join("\n")])}\n`;
}

on("click", async ({ target }) => {
  const button = target.closest("[data-copy]");
  const said = button?.textContent;
  if (!button || said === button.dataset.done) return;
  const isAnswer = button.dataset.copy === "answer";
  const text = isAnswer ? answer(button.closest(".message")) : one("pre", button.closest(".code-block")).textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    button.after(area);
    area.value = text;
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.textContent = button.dataset.done;
  focus(button);
  setTimeout(() => (button.textContent = said), MOMENT_MS);
});
