import type { Command } from "../../command.ts";
import type { Listing } from "../../output/index.ts";
import type { Column } from "../../output/table.ts";
import { ago, day, rfc3339 } from "../../output/time.ts";
import { type Paging, pagingOf, readPages } from "../../paging.ts";
import { type ApiKey, KEY_FIELDS, masked } from "./key.ts";

/** Lists API keys, without their secrets. */
export const keysList: Command<Paging> = {
  name: "keys list",
  summary: "List API keys",
  prints: "list",
  fields: KEY_FIELDS,
  paged: true,
  needs: "sign-in",
  examples: ["feather keys list", "feather keys list --json id,name,last_used_at"],
  options: (_, flags) => pagingOf(flags),
  async run({ io, output, client, now, signal }, paging) {
    const { apiKeys } = await client();
    const answer = await readPages(paging, (page) => apiKeys.list(page, { signal }));
    const listing: Listing<ApiKey> = {
      columns: columns(io.env.unicode, now()),
      id: (key) => key.id,
      noun: "keys",
      empty: "There are no keys yet. Make one: feather keys create <name>",
    };
    output.list(listing, answer.items, answer);
  },
};

function columns(unicode: boolean, now: Date): Column<ApiKey>[] {
  const moment = (value: Date | string | null) => (value === null ? null : new Date(value));
  const past = (value: Date | string | null, never: string) => {
    const date = moment(value);
    return date === null ? never : ago(date, now);
  };
  return [
    { header: "NAME", cell: (key) => key.name, paint: (text, style) => style.bold(text) },
    { header: "KEY", cell: (key) => masked(key, unicode), paint: (text, style) => style.dim(text), yields: 3 },
    {
      header: "LAST USED",
      cell: (key) => past(key.last_used_at, "never"),
      plain: (key) => rfc3339(moment(key.last_used_at)),
      yields: 2,
    },
    {
      header: "CREATED",
      cell: (key) => past(key.created_at, ""),
      plain: (key) => rfc3339(moment(key.created_at)),
      yields: 4,
    },
    {
      header: "ENDS",
      cell: (key) => (key.expires_at === null ? "" : day(new Date(key.expires_at))),
      plain: (key) => rfc3339(moment(key.expires_at)),
      yields: 1,
    },
    { header: "ID", cell: (key) => key.id, paint: (text, style) => style.dim(text) },
  ];
}
