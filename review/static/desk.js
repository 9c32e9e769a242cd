// What the pages do besides following links: keep still what did not change, and quote a selection.
(() => {
  "use strict";
  const shown = new WeakMap();

  const editor = document.querySelector("textarea[hx-post]");
  let asked = "";
  const showState = (failed) => {
    document.getElementById("found-now").hidden = false;
    document.getElementById("unchecked").hidden = !failed;
  };

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, serverResponse } = event.detail;
    // What was found in an older text is not shown: the newer one is being checked.
    if (target.id === "now" && editor.value !== asked) event.detail.shouldSwap = false;
    if (!target.hasAttribute("data-poll")) return;
    if (shown.get(target) === serverResponse) event.detail.shouldSwap = false;
    shown.set(target, serverResponse);
  });

  if (editor) {
    showState(false);
    editor.addEventListener("htmx:beforeRequest", () => { asked = editor.value; });
    editor.addEventListener("htmx:afterRequest", (event) => showState(!event.detail.successful));
  }

  const showLine = (number) => {
    const lines = editor.value.split("\n");
    const start = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
    // Browsers scroll to where the cursor stands when a field is entered.
    editor.blur();
    editor.setSelectionRange(start, start);
    editor.focus();
    editor.setSelectionRange(start, start + (lines[number - 1] || "").length);
  };

  const quote = (text) => {
    const field = document.getElementById("quote");
    if (!field || !text) return;
    field.value = text;
    document.getElementById("comment").focus();
  };

  const keys = document.getElementById("waiting-keys");
  const LINKS = { n: "later-waiting", p: "earlier-waiting" };
  const TYPED = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]";

  if (keys) {
    keys.checked = localStorage.getItem("waiting-keys") !== "off";
    keys.closest("label").hidden = false;
    keys.addEventListener("change", () => {
      localStorage.setItem("waiting-keys", keys.checked ? "on" : "off");
    });
    document.addEventListener("keydown", (event) => {
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.isComposing);
      if (!isPlain || event.repeat || !keys.checked || event.target.closest(TYPED)) return;
      if (Object.hasOwn(LINKS, event.key)) document.getElementById(LINKS[event.key]).click();
    });
  }

  document.addEventListener("selectionchange", () => {
    const selection = document.getSelection();
    const place = document.querySelector(".artifact");
    if (place && selection.rangeCount && place.contains(selection.anchorNode)) {
      const text = selection.toString().trim();
      if (text) place.dataset.selected = text.slice(0, 2000);
    }
  });

  document.addEventListener("click", (event) => {
    const line = event.target.closest("[data-line]");
    if (line) {
      event.preventDefault();
      showLine(Number(line.dataset.line));
    }
    const source = event.target.closest("[data-quote]");
    if (source) quote(source.dataset.quote);
    if (event.target.closest("[data-quote-selection]")) {
      quote(document.querySelector(".artifact").dataset.selected || "");
    }
  });
})();
