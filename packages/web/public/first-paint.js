// Before the first paint: the theme, the cookie banner, and no English page where another language is on its way.
const root = document.documentElement.dataset;
const ours = /^(de|en|es|fr|ja|zh(?!-(hant|hk|mo|tw)))\b/i;
let locale = navigator.languages.find((tag) => ours.test(tag)) ?? "en";
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") root.theme = theme;
  if (localStorage.getItem("feather-cookie-preferences") === null) root.cookieChoice = "none";
  const chosen = localStorage.getItem("locale") ?? "";
  if (ours.test(chosen)) locale = chosen;
} catch {
  // Storage is not accessible.
}
if (!/^en\b/i.test(locale)) root.language = "loading";
