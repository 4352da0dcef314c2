import type { ServerSetting } from "@feather/sdk";

/**
 * Returns the settings whose name, description or value contains the search term, optionally only those that differ
 * from their defaults.
 */
export function filterSettings(
  settings: readonly ServerSetting[],
  search: string,
  onlyChanged: boolean,
): ServerSetting[] {
  const term = search.toLowerCase();
  return settings.filter(
    ({ name, description, value, is_default }) =>
      (!onlyChanged || !is_default) &&
      [name, description, value ?? ""].some((text) => text.toLowerCase().includes(term)),
  );
}
