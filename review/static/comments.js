// Comments beside what they are about, collected until a decision takes all of them along.
// Without it, one passage can be quoted in the form.
(() => {
  "use strict";
  const forms = [...document.querySelectorAll(".decide form")];
  const collected = document.getElementById("collected");
  if (!forms.length || !collected) return;

  const PARTS = [
    ".artifact .passage[id]",
    ".artifact tbody tr[id]",
    ".artifact article[aria-labelledby]",
    'section[aria-labelledby="findings"] .findings > li',
  ];
  const BESIDE = ".states, .mark-name, button, .comment-box";
  const LONGEST_QUOTE = 300;
  const kept = `comments ${forms[0].elements.digest.value}`;
  const boxes = new Map();

  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  const quote = (part) => {
    const whole = part.matches("article") ? part.querySelector("h2, h3, h4") : part;
    const copy = whole.cloneNode(true);
    for (const beside of copy.querySelectorAll(BESIDE)) beside.remove();
    const cells = [...copy.querySelectorAll(":scope > th, :scope > td")];
    const texts = cells.length ? cells.map((cell) => cell.textContent) : [copy.textContent];
    const text = texts.map((found) => found.replace(/\s+/g, " ").trim()).join(" | ");
    return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  };

  const listWritten = () => [...boxes.values()].filter(({ field }) => field.value.trim());

  const show = () => {
    const written = listWritten();
    collected.hidden = !written.length;
    collected.querySelector("ul").replaceChildren(
      ...written.map(({ about, field }) => {
        const link = make("a", { href: `#${field.id}`, textContent: about });
        return make("li", {}, link, `: ${field.value.trim()}`);
      }),
    );
    for (const count of document.querySelectorAll("[data-comment-count]")) {
      count.textContent = written.length ? ` (${written.length})` : "";
    }
    // What is to be changed is said by comments, too; where nobody is asked for it, no form is there.
    const asked = document.getElementById("comment");
    if (asked) asked.required = !written.length;
    const drafts = [...boxes].map(([key, { field }]) => [key, field.value]);
    sessionStorage.setItem(kept, JSON.stringify(drafts.filter(([, said]) => said.trim())));
  };

  const place = (part, box) => {
    if (part.matches("tr")) {
      const cell = make("td", { colSpan: 100 }, box);
      const row = make("tr", { className: "comment-row" }, cell);
      part.after(row);
      return row;
    }
    if (part.matches("li, article")) part.append(box);
    else (part.nextElementSibling?.matches(".comment-on") ? part.nextElementSibling : part).after(box);
    return box;
  };

  const open = (key, part, said = "") => {
    if (boxes.has(key)) return boxes.get(key).field;
    const about = quote(part);
    const id = `said-${boxes.size + 1}-${key}`;
    const field = make("textarea", { id, rows: 2, value: said });
    const label = make("label", { htmlFor: id, textContent: `Your comment on “${about}”` });
    const remove = make("button", { type: "button", className: "quiet", textContent: "Remove" });
    const box = make("div", { className: "comment-box" }, label, field, remove);
    const placed = place(part, box);
    remove.addEventListener("click", () => {
      boxes.delete(key);
      placed.remove();
      show();
      part.querySelector(".comment-on")?.focus();
    });
    field.addEventListener("input", show);
    boxes.set(key, { about, field });
    return field;
  };

  const parts = new Map();
  for (const part of document.querySelectorAll(PARTS.join(","))) {
    const key = part.id || part.getAttribute("aria-labelledby") || `finding-${parts.size}`;
    parts.set(key, part);
    const button = make("button", { type: "button", className: "comment-on", textContent: "Comment" });
    button.setAttribute("aria-label", `Comment on “${quote(part).slice(0, 60)}”`);
    button.addEventListener("click", () => open(key, part).focus());
    if (part.matches("tr")) part.lastElementChild.append(" ", button);
    else if (part.matches("h1, h2, h3, h4")) part.after(button);
    else if (part.matches("article")) part.querySelector("h2, h3, h4").after(button);
    else part.append(" ", button);
  }

  for (const [key, said] of JSON.parse(sessionStorage.getItem(kept) || "[]")) {
    if (parts.has(key)) open(key, parts.get(key), said);
  }
  for (const form of forms) {
    form.addEventListener("formdata", ({ formData }) => {
      for (const { about, field } of listWritten()) {
        formData.append("about", about);
        formData.append("said", field.value.trim());
      }
    });
  }
  for (const hint of document.querySelectorAll("[data-comments]")) hint.hidden = false;
  show();
})();
