import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { readAll } from "../../../input.ts";
import { saveSettings } from "./save.ts";

const FROM_STDIN = "-";

/** Values by the names of settings; `-` stands for what comes on stdin. */
export type SettingsSetOptions = { readonly values: Readonly<Record<string, string>> };

/** Saves values for settings. */
export const settingsSet: Command<SettingsSetOptions> = {
  name: "admin settings set",
  summary: "Save values for settings, used after the next start",
  description:
    "All are saved together, or none. What the environment or the settings file sets stays there. NAME=- takes the value from stdin, which keeps a secret out of the shell's history.",
  arguments: [{ name: "<assignments...>", summary: "NAME=VALUE" }],
  prints: "one",
  fields: [],
  needs: "admin",
  examples: [
    'feather admin settings set FEATHER_PRODUCT_NAME="Acme models" FEATHER_REGISTRATION=invite',
    "feather admin settings set SMTP_URL=- < smtp-url.txt",
  ],
  options: (assignments) => ({ values: parseAssignments(assignments.flat()) }),
  async run(context, { values }) {
    const needsStdin = Object.values(values).includes(FROM_STDIN);
    const input = needsStdin ? (await readAll(context.io.stdin)).trim() : "";
    if (needsStdin && input === "") throw new UsageError("no value came on stdin", "NAME=- < value.txt");
    const complete = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value === FROM_STDIN ? input : value]),
    );
    await saveSettings(context, complete, `Saved ${Object.keys(values).join(", ")}.`);
  },
};

function parseAssignments(assignments: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const assignment of assignments) {
    const [, name, value] = /^([A-Z][A-Z0-9_]*)=([\s\S]+)$/.exec(assignment) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(`${assignment} is not NAME=VALUE`, "FEATHER_REGISTRATION=invite");
    if (name in values) throw new UsageError(`${name} is there twice`, "FEATHER_REGISTRATION=invite");
    values[name] = value;
  }
  if (Object.values(values).filter((value) => value === FROM_STDIN).length > 1)
    throw new UsageError("only one value can come from stdin", "SMTP_URL=- < smtp-url.txt");
  return values;
}
