import { type Command, givenNumber, numberBetween } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { ago, day, rfc3339 } from "../../output/time.ts";
import { type ApiKey, KEY_FIELDS, masked } from "./key.ts";

export type KeysListOptions = { readonly page?: number; readonly perPage?: number };

/** Lists API keys, without their secrets. */
export const keysList: Command<KeysListOptions> = {
  name: "keys list",
  summary: "List API keys",
  prints: "fields",
  flags: [
    { name: "--page <number>", summary: "page, from 1", parse: numberBetween(1, Number.POSITIVE_INFINITY, true) },
    { name: "--per-page <number>", summary: "keys on a page, 50 if left out", parse: numberBetween(1, 100, true) },
  ],
  examples: ["feather keys list", "feather keys list --json id,name,last_used_at"],
  options: (_, flags) => ({ ...givenNumber("page", flags.page), ...givenNumber("perPage", flags.perPage) }),
  async run({ io, output, signedIn, now, signal }, query) {
    output.checkFields(KEY_FIELDS);
    const answer = await (await signedIn()).apiKeys.list(query, { signal });
    const listing = {
      columns: columns(io.env.unicode, now()),
      fields: KEY_FIELDS,
      id: (key: ApiKey) => key.id,
      empty: "There are no keys yet. Make one: feather keys create <name>",
    };
    output.list(listing, answer.items, answer);
    const { current_page: page, total_pages: pages, total_items: total } = answer.pagination;
    if (page < pages)
      output.hint(`\n${answer.items.length} of ${total} keys. Next page: feather keys list --page ${page + 1}`);
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
