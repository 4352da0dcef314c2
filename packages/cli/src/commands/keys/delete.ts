import type { Command } from "../../command.ts";

/** Ends a key for ever; asks first. */
export const keysDelete: Command<{ readonly id: string }> = {
  name: "keys delete",
  summary: "Delete an API key",
  arguments: [{ name: "<id>", summary: "key", values: "keys" }],
  asks: true,
  needs: "sign-in",
  examples: ["feather keys delete key_7Kd2mQx4", "feather keys delete key_7Kd2mQx4 --yes"],
  options: ([id = ""]) => ({ id }),
  async run({ client, confirm, output, signal }, { id }) {
    const { apiKeys } = await client();
    await confirm(async () => {
      const { name } = await apiKeys.get(id, { signal });
      return `Delete the key ${name}? Programs that use it stop working at once.`;
    });
    await apiKeys.delete(id, { signal });
    output.say(`Deleted ${id}.`);
  },
};
