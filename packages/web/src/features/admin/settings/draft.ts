import type { ServerSetting } from "@feather/sdk";

/** What was typed, by the names of settings. */
export type Draft = Readonly<Record<string, string>>;

/** Returns what the field of a setting shows before it is changed: the saved value, or the default. Secrets are not shown. */
export function initialValueOf({ is_secret, saved, default_value }: ServerSetting): string {
  if (is_secret) return "";
  return (saved?.is_set ? saved.value : default_value) ?? "";
}

/** Returns the values to save: those that differ from what is saved. An empty one of a setting that is shown removes it. */
export function toChanges(settings: readonly ServerSetting[], draft: Draft): Record<string, string | null> {
  return Object.fromEntries(
    settings.flatMap((setting) => {
      const { name } = setting;
      const value = draft[name]?.trim();
      return value === undefined || value === initialValueOf(setting) ? [] : [[name, value === "" ? null : value]];
    }),
  );
}
