import type { Setting } from "./queries.ts";

/**
 * Returns the settings whose name, description or value contains the search term, optionally only those that differ
 * from their defaults.
 */
export function filterSettings(settings: readonly Setting[], search: string, changed: boolean): Setting[] {
  const words = search.toLowerCase();
  return settings.filter(
    ({ name, description, value, is_default }) =>
      (!changed || !is_default) && [name, description, value ?? ""].some((text) => text.toLowerCase().includes(words)),
  );
}
