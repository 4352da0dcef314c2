import type { ServerSetting } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { isSet } from "../../../flags.ts";
import type { Column } from "../../../output/table.ts";
import { RESTART_HINT } from "./save.ts";

/** Fields that `--json` accepts. */
export const SETTING_FIELDS = [
  "name",
  "value",
  "description",
  "source",
  "group",
  "is_default",
  "default_value",
  "is_secret",
  "is_editable",
  "input",
  "saved",
] as const satisfies readonly (keyof ServerSetting)[];

/** Part of a name, and whether settings with their defaults are left out. */
export type SettingsListOptions = { readonly search?: string; readonly isChanged: boolean };

/** Lists the settings of the server. */
export const settingsList: Command<SettingsListOptions> = {
  name: "admin settings list",
  summary: "List the settings of the server, and where they come from",
  arguments: [{ name: "[search]", summary: "part of a name or purpose" }],
  flags: [{ name: "--changed", summary: "only those that differ from their defaults, or were saved" }],
  prints: "list",
  fields: SETTING_FIELDS,
  needs: "admin",
  examples: ["feather admin settings list mail", "feather admin settings list --changed --json name,value,source"],
  options: ([search], flags) => ({ ...(search !== undefined && { search }), isChanged: isSet(flags, "changed") }),
  async run({ client, output, signal }, { search = "", isChanged }) {
    const response = await (await client()).admin.settings({ signal });
    const term = search.toLowerCase();
    const items = response.items.filter(
      ({ name, description, is_default, saved }) =>
        (!isChanged || !is_default || saved?.is_set === true) &&
        [name, description].some((text) => text.toLowerCase().includes(term)),
    );
    const view = { columns: COLUMNS, id: ({ name }: ServerSetting) => name, noun: "settings", empty: "No settings." };
    output.printList(view, items, response);
    if (response.needs_restart) output.hint(RESTART_HINT);
  },
};

const COLUMNS: readonly Column<ServerSetting>[] = [
  { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
  { header: "VALUE", cell: ({ value, is_secret }) => (is_secret ? "(secret)" : (value ?? "")) },
  { header: "FROM", cell: ({ source }) => source },
  { header: "AFTER THE NEXT START", cell: (setting) => describeNext(setting), dropOrder: 1 },
];

function describeNext({ saved, is_secret, default_value }: ServerSetting): string {
  if (!saved?.needs_restart) return "";
  if (!saved.is_set) return default_value ?? "(not set)";
  return is_secret ? "(another secret)" : (saved.value ?? "");
}
