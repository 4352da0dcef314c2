import type { Schemas } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { nanoDollars } from "../../output/format.ts";
import type { Column } from "../../output/table.ts";
import { ago, rfc3339 } from "../../output/time.ts";
import { type Paging, pagingOf, readPages } from "../../paging.ts";

type Transaction = Schemas["Transaction"];

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
  options: (_, flags) => pagingOf(flags),
  async run({ client, output, now, signal }, paging) {
    const { usage } = await client();
    const answer = await readPages(paging, async (page) => (await usage.credits(page, { signal })).transactions);
    output.list(
      { columns: columns(now()), id: ({ id }) => id, noun: "entries", empty: "Nothing has moved your credits yet." },
      answer.items,
      answer,
    );
  },
};

function columns(now: Date): Column<Transaction>[] {
  return [
    { header: "WHEN", cell: ({ created_at }) => ago(created_at, now), plain: ({ created_at }) => rfc3339(created_at) },
    {
      header: "AMOUNT",
      cell: ({ amount_nano_usd }) => nanoDollars(amount_nano_usd),
      plain: ({ amount_nano_usd }) => amount_nano_usd,
      paint: (text, style, { amount_nano_usd }) => (amount_nano_usd.startsWith("-") ? text : style.green(text)),
      align: "right",
    },
    { header: "KIND", cell: ({ kind }) => kind.replace("_", " "), plain: ({ kind }) => kind, yields: 2 },
    { header: "FOR", cell: ({ description }) => description },
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), yields: 1 },
  ];
}
