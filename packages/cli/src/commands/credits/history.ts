import type { Transaction } from "@feather/sdk";
import { formatNanoUsd } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";

const FIELDS = [
  "id",
  "kind",
  "amount_nano_usd",
  "description",
  "request_id",
  "created_at",
] as const satisfies readonly (keyof Transaction)[];

/** Lists the credit transactions. */
export const creditsHistory: Command<Paging> = {
  name: "credits history",
  summary: "List what moved your credits, newest first",
  prints: "list",
  fields: FIELDS,
  paged: true,
  needs: "sign-in",
  examples: ["feather credits history", "feather credits history --all --csv"],
  options: (_, flags) => parsePaging(flags),
  async run({ client, output, now, signal }, paging) {
    const { usage } = await client();
    const response = await readPages(paging, async (page) => (await usage.credits(page, { signal })).transactions);
    output.printList(
      { columns: columns(now()), id: ({ id }) => id, noun: "entries", empty: "Nothing has moved your credits yet." },
      response.items,
      response,
    );
  },
};

function columns(now: Date): Column<Transaction>[] {
  return [
    {
      header: "WHEN",
      cell: ({ created_at }) => formatAgo(created_at, now),
      plain: ({ created_at }) => formatRfc3339(created_at),
    },
    {
      header: "AMOUNT",
      cell: ({ amount_nano_usd }) => formatNanoUsd(amount_nano_usd),
      plain: ({ amount_nano_usd }) => amount_nano_usd,
      paint: (text, style, { amount_nano_usd }) => (amount_nano_usd.startsWith("-") ? text : style.green(text)),
      align: "right",
    },
    { header: "KIND", cell: ({ kind }) => kind.replace("_", " "), plain: ({ kind }) => kind, dropOrder: 2 },
    { header: "FOR", cell: ({ description }) => description },
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
  ];
}
