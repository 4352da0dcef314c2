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
