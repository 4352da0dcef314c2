// Runs before the first paint, so that the page never flashes in the other theme.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to us: the system's theme it is.
}
try {
  // Whether the visitor has chosen about cookies: what the server draws asks only those who have not.
  const kept = JSON.parse(localStorage.getItem("feather-cookie-preferences") ?? "{}");
  document.documentElement.dataset.consent = kept?.accepted === true ? "chosen" : "open";
} catch {
  document.documentElement.dataset.consent = "open";
}
// What is pressed and typed on the page as the server has drawn it is kept, for the site, which draws it anew.
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
