// Before the first paint: the theme, the cookie banner, and no English page where another language is on its way.
const root = document.documentElement.dataset;
let locale = navigator.languages.find((tag) => /^(de|en|es|fr|ja|zh)\b/i.test(tag)) ?? "en";
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") root.theme = theme;
  if (localStorage.getItem("feather-cookie-preferences") === null) root.cookieChoice = "none";
  locale = localStorage.getItem("locale") ?? locale;
} catch {
  // Storage is not accessible.
}
if (!/^en\b/i.test(locale)) root.language = "loading";
