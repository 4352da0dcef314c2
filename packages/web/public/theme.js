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
// A button pressed on the page as the server has drawn it is kept, and pressed again when the site has drawn it anew.
addEventListener(
  "click",
  (event) => {
    const button = event.target instanceof Element ? event.target.closest(".served button") : null;
    if (!button) return;
    const label = (one) => one.getAttribute("aria-label") ?? one.textContent.trim();
    const alike = [...document.querySelectorAll(".served button")].filter((one) => label(one) === label(button));
    window.pressedEarly = { label: label(button), place: alike.indexOf(button) };
  },
  true,
);
