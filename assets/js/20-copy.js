/* Copies a block of code, or an answer as Markdown whose numbers are footnotes. */

/* What an element is in Markdown, by the first selector that it matches. `said` is its text, `inner` its Markdown. */
const INLINE = {
  ".footnote-back": () => "",
  ".cite-ref": (inner, said) => `[^${said.slice(1)}`,
  ".footnote-ref": (inner, said) => `[^note-${said}]`,
  ".task-box": (inner, said) => (said === "☑" ? "[x] " : "[ ] "),
  ".math": (inner, said) => said,
  math(inner, said, tag) {
    const tex = `$${tag.getAttribute("alttext")}$`;
    return tag.matches("[display=block]") ? apart(`$${tex}$`) : tex;
  },
  img: (inner, said, { dataset }) => apart(`*${plain(dataset.said)}*`),
  ".picture-missing": (inner) => apart(`*${inner.trim()}*`),
  "[title]>bdi": (inner, said, { parentNode }) => plain(parentNode.title),
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
  ".code-head,summary,button,figcaption": () => "",
  ".footnotes": (tag) => all("li", tag).map((li, at) => note(`note-${at + 1}`, blocks(li))).join("\n"),
  pre(tag) {
    const said = tag.textContent.replace(/\n$/, "");
    const ticks = fence(said, "```");
    return `${ticks}${tag.closest(".code-block").dataset.lang || ""}\n${said}\n${ticks}`;
  },
  table({ rows }) {
    const lines = [...rows].map(({ cells }) => row(cells, inLine));
    lines.splice(1, 0, row(rows[0].cells, ({ className }) => ({ "ta-r": "--:", "ta-c": ":-:" })[className] || "---"));
    return lines.join("\n");
  },
  hr: () => "---",
  blockquote: (tag) => indented("> ", blocks(tag), "> ").replace(/\n\n/g, "\n>\n"),
  "ul,ol": ({ children, start }) =>
    [...children]
      .map((li, at) => indented(start == null ? "- " : `${start + at}. `, blocks(li, one(":scope>p", li) ? "\n\n" : "\n")))
      .join("\n"),
  "h3,h4,h5,h6": (tag) => `${"#".repeat(tag.tagName[1] - 1)} ${inLine(tag)}`,
  p: (tag) => words(tag).replace(/\s*\n\n\s*/g, "\n\n"),
  "div,section,details,figure": blocks,
};
const ruleOf = (rules, tag) => rules[Object.keys(rules).find((query) => tag.matches(query))];

const joined = (parts, gap = "\n\n") => parts.map((part) => part.trim()).filter(Boolean).join(gap);

/* Longer than any inside. */
function fence(text, ticks) {
  while (text.includes(ticks)) ticks += "`";
  return ticks;
}

const indented = (first, text, rest = " ".repeat(first.length)) => first + text.replace(/\n(?=.)/g, `\n${rest}`);
const note = (name, text) => indented(`[^${name}]: `, text, "    ");
const row = (cells, say) => `| ${[...cells].map(say).join(" | ")} |`;

const apart = (text) => `\n\n${text}\n\n`;
const plain = (text) => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<|~$]/g, "\\$&");
const inLine = (tag) => words(tag).trim().replace(/\\?\s*\n\s*/g, " ");

function words(node) {
  if (!node.matches) return plain(node.data);
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
  const texts = all(".prose,.picture", message).map((prose) => blocks(prose));
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
  const text = button.matches(".copy") ? answer(button.closest(".message")) : one("pre", button.closest(".code-block")).textContent;
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
