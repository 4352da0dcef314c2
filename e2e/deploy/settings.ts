import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SETTINGS = fileURLToPath(new URL("../../docs/settings.md", import.meta.url));

/** The names of all settings. */
export function listSettingNames(): string[] {
  return [...readFileSync(SETTINGS, "utf8").matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name ?? "");
}
