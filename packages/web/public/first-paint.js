// Runs before the first paint, so that the page does not flash in the wrong theme or language, or without the cookie banner.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (localStorage.getItem("feather-cookie-preferences") === null)
    document.documentElement.dataset.cookieChoice = "none";
} catch {
  // Storage is not accessible: keep the theme of the system.
}
// What the server sends is in English. It stays hidden while another language may be on its way.
let locale = navigator.language;
try {
  locale = localStorage.getItem("locale") ?? locale;
} catch {
  // Storage is not accessible: the language of the browser holds.
}
if (!/^en\b/i.test(locale)) document.documentElement.dataset.language = "loading";
