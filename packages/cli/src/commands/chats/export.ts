import { isNotFound } from "@feather/sdk";
import { loadEntries } from "../../chat/stored-chat.ts";
import type { Command } from "../../command.ts";
import { sanitizeJson } from "../../output/sanitize.ts";
import { readPages } from "../../paging.ts";

/** Prints all chats, one line of JSON each, so that they are never in memory together. */
export const chatsExport: Command<null> = {
  name: "chats export",
  summary: "Print all your chats on the server, one line of JSON each",
  description:
    "Each line has the fields of a chat and its messages as entries, with all branches and files. Archived chats are among them, those in the trash are not.",
  needs: "sign-in",
  examples: ["feather chats export > chats.jsonl"],
  options: () => null,
  async run({ client, output, signal }) {
    const api = await client();
    const all = { limit: 0, page: 1, all: true };
    const { items } = await readPages(all, (page) => api.conversations.list(page, { signal }));
    let count = 0;
    for (const conversation of items)
      try {
        const entries = await loadEntries(api, conversation.id, signal);
        output.print(sanitizeJson(JSON.stringify({ ...conversation, entries })));
        count += 1;
      } catch (error) {
        if (!isNotFound(error)) throw error; // it was deleted meanwhile
      }
    output.info(`Exported ${count} ${count === 1 ? "chat" : "chats"}.`);
  },
};
