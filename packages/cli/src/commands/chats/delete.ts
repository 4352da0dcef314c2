import type { Command } from "../../command.ts";
import { CHAT_ARGUMENT } from "./argument.ts";

/** Deletes a chat for good, after confirmation. */
export const chatsDelete: Command<{ readonly id: string }> = {
  name: "chats delete",
  summary: "Delete a chat for good, on all your devices",
  arguments: [CHAT_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather chats delete 6f1c2a34-9d0e-4b7a-8c55-2f1e0a9b3c4d --yes"],
  options: ([id = ""]) => ({ id }),
  async run({ client, confirm, output, signal }, { id }) {
    const { conversations } = await client();
    await confirm(async () => {
      const { title } = await conversations.get(id, { signal });
      return `Delete the chat ${title || "New chat"} for good, on all your devices?`;
    });
    await conversations.delete(id, { signal });
    output.info(`Deleted ${id}.`);
  },
};
