// Lights up what belongs together, and keeps which tasks were looked at. The pages work without it.
"use strict";

const lightUp = (root) => {
  const parts = [...root.querySelectorAll("[data-items], li[data-item]")];
  const light = (names) => {
    for (const part of parts) {
      const own = part.dataset.item ? [part.dataset.item] : part.dataset.items.split(";");
      part.classList.toggle("is-lit", own.some((name) => names.includes(name)));
    }
  };
  const namesAt = (target) => {
    const part = target.closest("[data-item], [data-items]");
    if (!part) return [];
    return part.dataset.item ? [part.dataset.item] : part.dataset.items.split(";").filter(Boolean);
  };
  for (const event of ["mouseover", "focusin"]) {
    root.addEventListener(event, (found) => light(namesAt(found.target)));
  }
  root.addEventListener("mouseleave", () => light([]));
};

const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = target; part; part = part.parentElement) {
    if (part.tagName === "DETAILS") part.open = true;
  }
  if (target) target.scrollIntoView({ block: "nearest" });
};

for (const root of document.querySelectorAll(".view.sop")) lightUp(root);
addEventListener("hashchange", openTarget);
if (location.hash) openTarget();

const keepLookedAt = (root) => {
  const boxes = [...root.querySelectorAll('input[name="looked_at"]')];
  const progress = root.querySelector(".progress");
  if (!boxes.length || !progress) return;
  const key = `looked-at ${root.dataset.digest}`;
  const kept = new Set(JSON.parse(localStorage.getItem(key) || "[]"));
  const showProgress = () => {
    progress.textContent = `${boxes.filter((box) => box.checked).length} of ${boxes.length} looked at`;
  };
  for (const box of boxes) {
    box.checked = kept.has(box.value);
    box.addEventListener("change", () => {
      box.checked ? kept.add(box.value) : kept.delete(box.value);
      localStorage.setItem(key, JSON.stringify([...kept]));
      showProgress();
    });
  }
  showProgress();
};

for (const root of document.querySelectorAll(".view.dataset")) keepLookedAt(root);
