import type { Command } from "../../command.ts";
import { KEY_FIELDS } from "./key.ts";

/** Gives a key another name. */
export const keysRename: Command<{ readonly id: string; readonly name: string }> = {
  name: "keys rename",
  summary: "Rename an API key",
  arguments: [
    { name: "<id>", summary: "key", values: "keys" },
    { name: "<name>", summary: "what it is called from now on" },
  ],
  prints: "one",
  fields: KEY_FIELDS,
  needs: "sign-in",
  examples: ["feather keys rename key_7Kd2mQx4 staging"],
  options: ([id = "", name = ""]) => ({ id, name }),
  async run({ output, client, signal }, { id, name }) {
    const key = await (await client()).apiKeys.update(id, { name }, { signal });
    output.changed({ value: key, id: key.id, said: `${key.id} is now called ${key.name}.` });
  },
};
