/* Copies a block of code, or an answer as Markdown whose numbers are footnotes. */
(() => {
  "use strict";
  const DONE_MS = 1600;
  const AROUND = { STRONG: "**", EM: "*", DEL: "~~" };
  const BLOCKS = "P,UL,OL,PRE,BLOCKQUOTE,TABLE,HR,H3,H4,H5,H6,DIV,SECTION,DETAILS,FIGURE";
  const isBlock = (node) => node.nodeType === Node.ELEMENT_NODE && node.matches(BLOCKS);

  /* A fence or a pair of ticks longer than any inside. */
  const ticks = (text, least) => "`".repeat(Math.max(least, ...(text.match(/`+/g) || []).map((run) => run.length + 1)));

  function code(text) {
    const fence = ticks(text, 1);
    const gap = /^`|`$/.test(text) ? " " : "";
    return fence + gap + text + gap + fence;
  }

  function words(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.data.replace(/\s+/g, " ").replace(/[\\`*_[\]<|~$]/g, "\\$&");
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(".footnote-back, .footnote-anchor")) return "";
    if (node.matches(".cite-ref")) return "[^" + node.textContent.slice(1);
    if (node.matches(".footnote-ref")) return "[^note-" + node.textContent + "]";
    if (node.matches(".math")) return node.textContent;
    if (node.matches(".task-box")) return node.textContent === "☑" ? "[x] " : "[ ] ";
    const { tagName } = node;
    if (tagName === "math") return "$" + node.getAttribute("alttext") + "$";
    if (tagName === "CODE") return code(node.textContent);
    if (tagName === "BR") return "\\\n";
    const inner = Array.from(node.childNodes, words).join("");
    if (tagName === "A") return "[" + inner + "](<" + node.href + ">)";
    if (AROUND[tagName]) return AROUND[tagName] + inner + AROUND[tagName];
    return inner;
  }

  const indented = (text, first, rest) => first + text.replace(/\n(?=.)/g, "\n" + rest);

  const note = (name, text) => indented(text, "[^" + name + "]: ", "    ");

  function item(li, mark) {
    const loose = li.querySelector(":scope > p");
    return indented(blocks(li, loose ? "\n\n" : "\n"), mark, " ".repeat(mark.length));
  }

  function table(node) {
    const rows = Array.from(node.rows, (row) => "| " + Array.from(row.cells, (cell) => words(cell).trim()).join(" | ") + " |");
    const rules = Array.from(node.rows[0].cells, (cell) => (cell.matches(".ta-r") ? " --: |" : cell.matches(".ta-c") ? " :-: |" : " --- |"));
    rows.splice(1, 0, "|" + rules.join(""));
    return rows.join("\n");
  }

  function block(node) {
    const { tagName } = node;
    if (tagName === "PRE") {
      const text = node.textContent.replace(/\n$/, "");
      const name = node.parentElement.querySelector(".code-lang");
      const fence = ticks(text, 3);
      return fence + (name ? name.textContent : "") + "\n" + text + "\n" + fence;
    }
    if (tagName === "TABLE") return table(node);
    if (tagName === "HR") return "---";
    if (tagName === "BLOCKQUOTE") return indented(blocks(node, "\n\n"), "> ", "> ").replace(/\n\n/g, "\n>\n");
    if (tagName === "UL" || tagName === "OL") {
      return Array.from(node.children, (li, at) => item(li, tagName === "UL" ? "- " : (node.start || 1) + at + ". ")).join("\n");
    }
    if (/^H\d/.test(tagName)) return "#".repeat(tagName[1] - 1) + " " + words(node).trim();
    if (tagName === "P") return words(node).trim();
    if (node.matches(".footnotes")) return Array.from(node.querySelectorAll("li"), (li, at) => note("note-" + (at + 1), blocks(li, "\n\n"))).join("\n");
    return blocks(node, "\n\n");
  }

  /* The blocks of a node; words between them are a block too. */
  function blocks(node, gap) {
    const parts = [""];
    for (const child of node.childNodes) {
      if (child.matches && child.matches(".code-head, summary")) continue;
      if (isBlock(child)) parts.push(block(child), "");
      else parts.push(parts.pop() + words(child));
    }
    return parts.map((part) => part.trim()).filter(Boolean).join(gap);
  }

  function answer(message) {
    const texts = Array.from(message.querySelectorAll(":scope > .prose"), (prose) => blocks(prose, "\n\n"));
    const notes = Array.from(message.querySelectorAll(".source"), (source) => {
      const title = source.querySelector(".source-title");
      const name = words(title.firstElementChild).trim();
      const host = source.querySelector(".source-domain");
      const said = [host, source.querySelector(".source-verdict")].filter(Boolean).map((part) => words(part)).join(", ");
      return note(source.dataset.k, (title.href ? "[" + name + "](<" + title.href + ">)" : name) + " — " + said);
    });
    return [...texts, notes.join("\n")].filter(Boolean).join("\n\n") + "\n";
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }

  document.addEventListener("click", async ({ target }) => {
    const button = target.closest("[data-copy]");
    if (!button || button.dataset.said) return;
    const isCode = button.dataset.copy === "code";
    await copy(isCode ? button.closest(".code-block").querySelector("pre").textContent : answer(button.closest(".message")));
    button.dataset.said = button.textContent;
    button.textContent = button.dataset.done;
    button.focus({ preventScroll: true });
    setTimeout(() => {
      button.textContent = button.dataset.said;
      delete button.dataset.said;
    }, DONE_MS);
  });
})();
