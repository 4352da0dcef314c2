import type { Command } from "../../../command.ts";
import { saveSettings } from "./save.ts";

/** Removes saved values. */
export const settingsUnset: Command<{ readonly names: readonly string[] }> = {
  name: "admin settings unset",
  summary: "Remove saved values, so that the defaults hold again",
  arguments: [{ name: "<names...>", summary: "settings" }],
  prints: "one",
  fields: [],
  needs: "admin",
  examples: ["feather admin settings unset FEATHER_PRODUCT_NAME SMTP_URL"],
  options: (names) => ({ names: names.flat() }),
  async run(context, { names }) {
    const values = Object.fromEntries(names.map((name) => [name, null]));
    await saveSettings(context, values, `Removed ${names.join(", ")}.`);
  },
};
