import type { Command } from "../../command.ts";
import { KEY_FIELDS } from "./key.ts";
import { KEY_ARGUMENT, resolveKeyId } from "./resolve-key.ts";

/** Renames a key. */
export const keysRename: Command<{ readonly nameOrId: string; readonly name: string }> = {
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
  options: ([nameOrId = "", name = ""]) => ({ nameOrId, name }),
  async run(context, { nameOrId, name }) {
    const { output, client, signal } = context;
    const id = await resolveKeyId(context, nameOrId);
    const key = await (await client()).apiKeys.update(id, { name }, { signal });
    output.printChange({ value: key, id: key.id, message: `${key.id} is now called ${key.name}.` });
  },
};
