import type { Setting } from "./queries.ts";

/** The settings whose name, words or value hold a text; only those that were changed, if wanted. */
export function filterSettings(settings: readonly Setting[], search: string, changed: boolean): Setting[] {
  const words = search.toLowerCase();
  return settings.filter(
    ({ name, description, value, is_default }) =>
      (!changed || !is_default) && [name, description, value ?? ""].some((text) => text.toLowerCase().includes(words)),
  );
}
