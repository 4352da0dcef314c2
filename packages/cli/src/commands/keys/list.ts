import type { ApiKey } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { optionalText } from "../../flags.ts";
import type { TableView } from "../../output/index.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo, formatDay, formatRfc3339 } from "../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";
import { KEY_FIELDS, maskSecret } from "./key.ts";

/** Part of a name, a state, and paging. */
export type KeysListOptions = { readonly search?: string; readonly state?: string; readonly paging: Paging };

const STATES = ["active", "disabled", "expired", "unused"] as const;

/** Lists API keys, without their secrets. */
export const keysList: Command<KeysListOptions> = {
  name: "keys list",
  summary: "List API keys",
  prints: "list",
  fields: KEY_FIELDS,
  paged: true,
  needs: "sign-in",
  flags: [
    { name: "--search <text>", summary: "only keys with this part in their name" },
    { name: "--state <state>", summary: "only keys in this state; unused: not for 90 days", choices: STATES },
  ],
  examples: ["feather keys list", "feather keys list --state unused", "feather keys list --json id,name,last_used_at"],
  options: (_, flags) => ({
    ...optionalText("search", flags.search),
    ...optionalText("state", flags.state),
    paging: parsePaging(flags),
  }),
  async run({ io, output, client, now, signal }, { search, state: given, paging }) {
    const { apiKeys } = await client();
    const state = STATES.find((one) => one === given);
    const filter = { ...(search !== undefined && { search }), ...(state !== undefined && { state }) };
    const response = await readPages(paging, (page) => apiKeys.list({ ...filter, ...page }, { signal }));
    const tableView: TableView<ApiKey> = {
      columns: columns(io.env.unicode, now()),
      id: (key) => key.id,
      noun: "keys",
      empty:
        search === undefined && state === undefined
          ? "There are no keys yet. Make one: feather keys create <name>"
          : "No key fits.",
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
