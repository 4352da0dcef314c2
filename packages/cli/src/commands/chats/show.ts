import { formatStoredChat, loadStoredChat } from "../../chat/stored-chat.ts";
import type { Command } from "../../command.ts";
import { CHAT_ARGUMENT } from "./argument.ts";

/** Prints a chat as Markdown, or with all its branches as JSON. */
export const chatsShow: Command<{ readonly id: string }> = {
  name: "chats show",
  summary: "Print a chat as Markdown, or with all its branches as JSON",
  arguments: [CHAT_ARGUMENT],
  prints: "json",
  needs: "sign-in",
  examples: [
    "feather chats show 6f1c2a34-9d0e-4b7a-8c55-2f1e0a9b3c4d > chat.md",
    "feather chats show 6f1c2a34-9d0e-4b7a-8c55-2f1e0a9b3c4d --json > chat.json",
  ],
  options: ([id = ""]) => ({ id }),
  async run({ client, output, signal }, { id }) {
    const chat = await loadStoredChat(await client(), id, signal);
    if (output.json) output.printJson({ ...chat.conversation, entries: chat.entries });
    else output.print(formatStoredChat(chat));
  },
};
