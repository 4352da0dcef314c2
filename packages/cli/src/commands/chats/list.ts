import type { Conversation } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { TableView } from "../../output/index.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";

const FIELDS = [
  "id",
  "title",
  "is_named",
  "models",
  "settings",
  "selected",
  "is_pinned",
  "is_archived",
  "folder",
  "version",
  "created_at",
  "updated_at",
  "deleted_at",
] as const;

/** Lists the chats that the server keeps for the person. */
export const chatsList: Command<Paging> = {
  name: "chats list",
  summary: "List the chats that the server keeps for you",
  prints: "list",
  fields: FIELDS,
  paged: true,
  needs: "sign-in",
  examples: ["feather chats list", "feather chats list --all --json id,title,folder"],
  options: (_, flags) => parsePaging(flags),
  async run({ output, client, now, signal }, paging) {
    const { conversations } = await client();
    const response = await readPages(paging, (page) => conversations.list(page, { signal }));
    const tableView: TableView<Conversation> = {
      columns: columns(now()),
      id: ({ id }) => id,
      noun: "chats",
      empty: "The server keeps no chats for you here. An organization decides where they are kept.",
    };
    output.printList(tableView, response.items, response);
  },
};

const columns = (now: Date): Column<Conversation>[] => [
  { header: "TITLE", cell: ({ title }) => title || "New chat", paint: (text, style) => style.bold(text) },
  { header: "FOLDER", cell: ({ folder }) => folder ?? "", dropOrder: 2 },
  {
    header: "",
    cell: ({ is_pinned, is_archived }) => [is_pinned && "pinned", is_archived && "archived"].filter(Boolean).join(", "),
    dropOrder: 1,
  },
  {
    header: "CHANGED",
    cell: ({ updated_at }) => formatAgo(updated_at, now),
    plain: ({ updated_at }) => formatRfc3339(updated_at),
    dropOrder: 3,
  },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
];
