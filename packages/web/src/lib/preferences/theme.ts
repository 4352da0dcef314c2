import { storage } from "../browser/storage.ts";

/** The colour scheme a visitor chose; `system` follows the operating system. */
export type Theme = "light" | "dark" | "system";
const KEY = "theme";

/** Returns the saved theme; `system` if none is saved. */
export function readTheme(): Theme {
  const saved = storage.get(KEY);
  return saved === "light" || saved === "dark" ? saved : "system";
}

/** Switches the page to a theme and saves the choice. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
    storage.remove(KEY);
  } else {
    document.documentElement.dataset.theme = theme;
    storage.set(KEY, theme);
  }
}
