import type { ApiKey } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { TableView } from "../../output/index.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo, formatDay, formatRfc3339 } from "../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";
import { KEY_FIELDS, maskSecret } from "./key.ts";

/** Lists API keys, without their secrets. */
export const keysList: Command<Paging> = {
  name: "keys list",
  summary: "List API keys",
  prints: "list",
  fields: KEY_FIELDS,
  paged: true,
  needs: "sign-in",
  examples: ["feather keys list", "feather keys list --json id,name,last_used_at"],
  options: (_, flags) => parsePaging(flags),
  async run({ io, output, client, now, signal }, paging) {
    const { apiKeys } = await client();
    const response = await readPages(paging, (page) => apiKeys.list(page, { signal }));
    const tableView: TableView<ApiKey> = {
      columns: columns(io.env.unicode, now()),
      id: (key) => key.id,
      noun: "keys",
      empty: "There are no keys yet. Make one: feather keys create <name>",
    };
    output.printList(tableView, response.items, response);
  },
};

function columns(unicode: boolean, now: Date): Column<ApiKey>[] {
  const toDate = (value: Date | string | null) => (value === null ? null : new Date(value));
  const formatPast = (value: Date | string | null, never: string) => {
    const date = toDate(value);
    return date === null ? never : formatAgo(date, now);
  };
  return [
    { header: "NAME", cell: (key) => key.name, paint: (text, style) => style.bold(text) },
    { header: "KEY", cell: (key) => maskSecret(key, unicode), paint: (text, style) => style.dim(text), dropOrder: 3 },
    {
      header: "LAST USED",
      cell: (key) => formatPast(key.last_used_at, "never"),
      plain: (key) => formatRfc3339(toDate(key.last_used_at)),
      dropOrder: 2,
    },
    {
      header: "CREATED",
      cell: (key) => formatPast(key.created_at, ""),
      plain: (key) => formatRfc3339(toDate(key.created_at)),
      dropOrder: 4,
    },
    {
      header: "ENDS",
      cell: (key) => (key.expires_at === null ? "" : formatDay(new Date(key.expires_at))),
      plain: (key) => formatRfc3339(toDate(key.expires_at)),
      dropOrder: 1,
    },
    { header: "ID", cell: (key) => key.id, paint: (text, style) => style.dim(text) },
  ];
}
