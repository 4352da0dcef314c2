import type { Command } from "../../../command.ts";

/** Ends a link to a chat at once, after confirmation. */
export const chatsSharesRevoke: Command<{ readonly id: string }> = {
  name: "chats shares revoke",
  summary: "End a link to a chat at once, and delete its copy",
  arguments: [{ name: "<id>", summary: "id of the link, from feather chats shares list" }],
  confirms: true,
  needs: "sign-in",
  examples: ["feather chats shares revoke shr_4fJqM1t9ZkX2vLr8NwB6yH --yes"],
  options: ([id = ""]) => ({ id }),
  async run({ client, confirm, output, signal }, { id }) {
    const { chatShares } = await client();
    await confirm(async () => `End the link ${id}? Nobody can read the copy of the chat then.`);
    await chatShares.delete(id, { signal });
    output.info(`Ended ${id}.`);
  },
};
