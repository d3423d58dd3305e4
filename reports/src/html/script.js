"use strict";
// Filters, the address that opens what it names, and the colours that were chosen.
(() => {
  const form = document.getElementById("filters");
  const rows = [...document.querySelectorAll("[data-row]")].map((element) => {
    const { verdict, level, family } = element.dataset;
    return { element, verdict, levels: level.split(" "), families: family.split(" ") };
  });
  const groups = [...document.querySelectorAll(".family")];

  // The text of a row is asked for when it is first searched, and kept.
  const text = (row) => (row.text ??= row.element.textContent.toLowerCase());

  const filter = () => {
    const chosen = new FormData(form);
    const words = chosen.get("text").toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = chosen.getAll("verdict");
    const [level, family] = [chosen.get("level"), chosen.get("family")];
    let shown = 0;
    for (const row of rows) {
      const fits =
        (!verdicts.length || verdicts.includes(row.verdict)) &&
        (!level || row.levels.includes(level)) &&
        (!family || row.families.includes(family)) &&
        words.every((word) => text(row).includes(word));
      row.element.hidden = !fits;
      shown += fits;
    }
    for (const group of groups) group.hidden = !group.querySelector("[data-row]:not([hidden])");
    form.elements.count.value = `${shown} of ${rows.length} rows`;
  };

  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) {
      form.reset();
      filter();
    }
    const row = target.closest("details");
    if (row) row.open = true;
    target.scrollIntoView();
  };

  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  // The fields are empty only after the event.
  form.addEventListener("reset", () => setTimeout(filter));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    form.elements.text.focus();
  });
  window.addEventListener("hashchange", open);

  const themes = [...document.querySelectorAll("[name=theme]")];
  try {
    const kept = localStorage.getItem("tacit-theme");
    for (const theme of themes) if (theme.value === kept) theme.checked = true;
    for (const theme of themes) {
      theme.addEventListener("change", () => localStorage.setItem("tacit-theme", theme.value));
    }
  } catch {
    // A browser that keeps nothing for files still changes its colours.
  }

  filter();
  open();
})();
