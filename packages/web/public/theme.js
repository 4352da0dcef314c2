// Runs before the first paint, so that the page does not flash in the wrong theme.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is not accessible: keep the theme of the system.
}
try {
  // Whether the visitor has decided about cookies: prerendered HTML shows the banner only to those who have not.
  const kept = JSON.parse(localStorage.getItem("feather-cookie-preferences") ?? "{}");
  document.documentElement.dataset.consent = kept?.accepted === true ? "chosen" : "open";
} catch {
  document.documentElement.dataset.consent = "open";
}
// Records clicks and input on the prerendered HTML; the site repeats them once it has started.
const nameOf = (element) =>
  element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent.trim() ?? element.textContent.trim();
addEventListener(
  "click",
  (event) => {
    const button = event.target instanceof Element ? event.target.closest(".served button") : null;
    if (!button) return;
    const alike = [...document.querySelectorAll(".served button")].filter((one) => nameOf(one) === nameOf(button));
    window.pressedEarly = { label: nameOf(button), place: alike.indexOf(button) };
  },
  true,
);
addEventListener(
  "input",
  ({ target }) => {
    if (target instanceof Element && target.closest(".served") && typeof target.value === "string")
      window.typedEarly = { label: nameOf(target), value: target.value };
  },
  true,
);
