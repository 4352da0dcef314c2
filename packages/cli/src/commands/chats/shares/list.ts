import type { ChatShare } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { TableView } from "../../../output/index.ts";
import { formatDay, formatRfc3339 } from "../../../output/time.ts";
import { SHARE_FIELDS } from "./share.ts";

/** Lists the links under which chats of the person can be read. */
export const chatsSharesList: Command<Record<never, never>> = {
  name: "chats shares list",
  summary: "List the links under which your chats can be read",
  prints: "list",
  fields: SHARE_FIELDS,
  needs: "sign-in",
  examples: ["feather chats shares list", "feather chats shares list --json id,title,url"],
  options: () => ({}),
  async run({ output, client, signal }) {
    const response = await (await client()).chatShares.list({ signal });
    const tableView: TableView<ChatShare> = {
      columns: [
        { header: "TITLE", cell: ({ title }) => title || "New chat", paint: (text, style) => style.bold(text) },
        { header: "LINK", cell: ({ url }) => url },
        { header: "READABLE", cell: ({ is_readable }) => (is_readable ? "yes" : "not now"), dropOrder: 2 },
        {
          header: "ENDS",
          cell: ({ expires_at }) => formatDay(expires_at),
          plain: ({ expires_at }) => formatRfc3339(expires_at),
          dropOrder: 1,
        },
        { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
      ],
      id: ({ id }) => id,
      noun: "links",
      empty: "None of your chats is shared by a link. Make one: feather chats share <id>",
    };
    output.printList(tableView, response.items, response);
  },
};
