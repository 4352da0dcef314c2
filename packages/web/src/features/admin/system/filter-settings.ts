import type { Setting } from "./queries.ts";

/**
 * Returns the settings whose name, description or value contains the search term, optionally only those that differ
 * from their defaults.
 */
export function filterSettings(settings: readonly Setting[], search: string, onlyChanged: boolean): Setting[] {
  const term = search.toLowerCase();
  return settings.filter(
    ({ name, description, value, is_default }) =>
      (!onlyChanged || !is_default) &&
      [name, description, value ?? ""].some((text) => text.toLowerCase().includes(term)),
  );
}
