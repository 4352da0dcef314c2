// Runs before the first paint, so that the page does not flash in the wrong theme or without the cookie banner.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (localStorage.getItem("feather-cookie-preferences") === null)
    document.documentElement.dataset.cookieChoice = "none";
} catch {
  // Storage is not accessible: keep the theme of the system.
}
