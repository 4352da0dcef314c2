import type { OutboxMessage, Query } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { optionalText } from "../../../flags.ts";
import type { Column } from "../../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";

type State = OutboxMessage["state"];
/** Filters and paging of `admin outbox list`. */
export type OutboxOptions = Query<"admin.outbox"> & { readonly paging: Paging };

const STATES: readonly State[] = ["waiting", "sent", "failed"];
const FIELDS = [
  "id",
  "kind",
  "to",
  "subject",
  "text",
  "state",
  "attempts",
  "last_error",
  "created_at",
  "sent_at",
] as const satisfies readonly (keyof OutboxMessage)[];

/** Lists the mails of the platform, newest first. */
export const adminOutbox: Command<OutboxOptions> = {
  name: "admin outbox list",
  summary: "List the platform's messages, newest first",
  description:
    "Without a mail server they wait here; --json has their text, with links hidden. The site shows them to an admin with their password.",
  prints: "list",
  fields: FIELDS,
  paged: true,
  needs: "admin",
  flags: [
    { name: "--state <state>", summary: "those in this state", choices: STATES },
    { name: "--search <text>", summary: "part of an address or subject" },
  ],
  examples: [
    "feather admin outbox list --state failed",
    "feather admin outbox list --search maria --jq '.items[0].text'",
  ],
  options: (_, flags) => {
    const state = STATES.find((one) => one === flags.state);
    return { ...optionalText("search", flags.search), ...(state && { state }), paging: parsePaging(flags) };
  },
  async run({ client, now, output, signal }, { paging, ...query }) {
    const { admin } = await client();
    const response = await readPages(paging, (page) => admin.outbox({ ...query, ...page }, { signal }));
    const tableView = {
      columns: columns(now()),
      id: ({ id }: OutboxMessage) => id,
      noun: "messages",
      empty: "No message fits.",
    };
    output.printList(tableView, response.items, response);
  },
};

const PAINT = { waiting: "amber", sent: "green", failed: "red" } as const;

function columns(now: Date): Column<OutboxMessage>[] {
  return [
    {
      header: "WHEN",
      cell: ({ created_at }) => formatAgo(created_at, now),
      plain: ({ created_at }) => formatRfc3339(created_at),
    },
    { header: "STATE", cell: ({ state }) => state, paint: (text, style, { state }) => style[PAINT[state]](text) },
    { header: "TO", cell: ({ to }) => to, paint: (text, style) => style.bold(text) },
    { header: "SUBJECT", cell: ({ subject }) => subject, dropOrder: 1 },
    { header: "LAST ERROR", cell: ({ last_error }) => last_error ?? "", dropOrder: 2 },
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 3 },
  ];
}
