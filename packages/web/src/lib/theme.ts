import { storage } from "./storage.ts";

export type Theme = "light" | "dark" | "system";
const KEY = "theme";

export function readTheme(): Theme {
  const saved = storage.get(KEY);
  return saved === "light" || saved === "dark" ? saved : "system";
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
    storage.remove(KEY);
  } else {
    document.documentElement.dataset.theme = theme;
    storage.set(KEY, theme);
  }
}
