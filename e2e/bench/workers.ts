import { readFileSync } from "node:fs";

const SETTING = "FEATHER_WORKERS";
const SETTINGS_PAGE = new URL("../../docs/settings.md", import.meta.url);

/** Returns the settings for this many serving processes; undefined if the server does not have that setting. */
export function settingsForWorkers(count: number): Record<string, string> | undefined {
  const isKnown = readFileSync(SETTINGS_PAGE, "utf8").includes(`\`${SETTING}\``);
  return isKnown ? { [SETTING]: String(count) } : undefined;
}
