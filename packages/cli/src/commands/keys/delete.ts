import type { Command } from "../../command.ts";
import { InterruptedError } from "../../errors.ts";

/** Ends a key for ever; asks first. */
export const keysDelete: Command<{ readonly id: string; readonly yes: boolean }> = {
  name: "keys delete",
  summary: "Delete an API key",
  arguments: ["<id>"],
  flags: [{ name: "-y, --yes", summary: "do not ask" }],
  examples: ["feather keys delete key_7Kd2mQx4", "feather keys delete key_7Kd2mQx4 --yes"],
  options: ([id = ""], flags) => ({ id, yes: flags.yes === true }),
  async run(context, { id, yes }) {
    const { output, signal } = context;
    const client = await context.signedIn();
    if (!yes) {
      const ui = await context.ui("--yes");
      const key = await client.apiKeys.get(id, { signal });
      const sure = await ui.confirm(
        `Delete the key ${key.name}? Programs that use it stop working at once.`,
        context.io,
      );
      if (!sure) throw new InterruptedError("not deleted");
    }
    await client.apiKeys.delete(id, { signal });
    output.say(`Deleted ${id}.`);
  },
};
