import type { Command } from "../../command.ts";
import { KEY_ARGUMENT, resolveKeyId } from "./resolve-key.ts";

/** Deletes a key, after confirmation. */
export const keysDelete: Command<{ readonly nameOrId: string }> = {
  name: "keys delete",
  summary: "Delete an API key",
  arguments: [KEY_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather keys delete ci", "feather keys delete key_7Kd2mQx4 --yes"],
  options: ([nameOrId = ""]) => ({ nameOrId }),
  async run(context, { nameOrId }) {
    const { client, confirm, output, signal } = context;
    const { apiKeys } = await client();
    const id = await resolveKeyId(context, nameOrId);
    await confirm(async () => {
      const { name } = await apiKeys.get(id, { signal });
      return `Delete the key ${name}? Programs that use it stop working at once.`;
    });
    await apiKeys.delete(id, { signal });
    output.info(`Deleted ${id}.`);
  },
};
