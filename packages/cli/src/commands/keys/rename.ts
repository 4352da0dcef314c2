import type { Command } from "../../command.ts";
import { chosenKey, KEY_ARGUMENT } from "./choose.ts";
import { KEY_FIELDS } from "./key.ts";

/** Renames a key. */
export const keysRename: Command<{ readonly given: string; readonly name: string }> = {
  name: "keys rename",
  summary: "Rename an API key",
  arguments: [
    { ...KEY_ARGUMENT, name: "<key>", summary: "its name or id" },
    { name: "<name>", summary: "what it is called from now on" },
  ],
  prints: "one",
  fields: KEY_FIELDS,
  needs: "sign-in",
  examples: ["feather keys rename key_7Kd2mQx4 staging"],
  options: ([given = "", name = ""]) => ({ given, name }),
  async run(context, { given, name }) {
    const { output, client, signal } = context;
    const id = await chosenKey(context, given);
    const key = await (await client()).apiKeys.update(id, { name }, { signal });
    output.changed({ value: key, id: key.id, said: `${key.id} is now called ${key.name}.` });
  },
};
