import type { Command } from "../../command.ts";

/** Gives a key another name. */
export const keysRename: Command<{ readonly id: string; readonly name: string }> = {
  name: "keys rename",
  summary: "Rename an API key",
  arguments: ["<id>", "<name>"],
  prints: "json",
  examples: ["feather keys rename key_7Kd2mQx4 staging"],
  options: ([id = "", name = ""]) => ({ id, name }),
  async run({ output, signedIn, signal }, { id, name }) {
    const key = await (await signedIn()).apiKeys.update(id, { name }, { signal });
    if (output.json) output.printJson(key);
    else output.say(`${key.id} is now called ${key.name}.`);
  },
};
