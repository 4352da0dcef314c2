import type { Command } from "../../command.ts";
import { chosenKey, KEY_ARGUMENT } from "./choose.ts";

/** Deletes a key, after confirmation. */
export const keysDelete: Command<{ readonly given: string }> = {
  name: "keys delete",
  summary: "Delete an API key",
  arguments: [KEY_ARGUMENT],
  asks: true,
  needs: "sign-in",
  examples: ["feather keys delete ci", "feather keys delete key_7Kd2mQx4 --yes"],
  options: ([given = ""]) => ({ given }),
  async run(context, { given }) {
    const { client, confirm, output, signal } = context;
    const { apiKeys } = await client();
    const id = await chosenKey(context, given);
    await confirm(async () => {
      const { name } = await apiKeys.get(id, { signal });
      return `Delete the key ${name}? Programs that use it stop working at once.`;
    });
    await apiKeys.delete(id, { signal });
    output.say(`Deleted ${id}.`);
  },
};
