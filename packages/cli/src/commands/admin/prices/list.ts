import type { Command } from "../../../command.ts";
import { given } from "../../../flags.ts";
import type { Column } from "../../../output/table.ts";
import { dayTime, rfc3339 } from "../../../output/time.ts";
import { type Paging, pagingOf, readPages } from "../../../paging.ts";
import { PRICE_FIELDS, type Price, perMillion } from "./price.ts";

/** Filter and paging of `admin prices list`. */
export type PricesListOptions = { readonly model?: string; readonly paging: Paging };

/** Lists prices, the latest to take effect first. */
export const pricesList: Command<PricesListOptions> = {
  name: "admin prices list",
  summary: "List past, present and future prices",
  about: "People see dollars for a million tokens; programs get dollars for one.",
  prints: "list",
  fields: PRICE_FIELDS,
  paged: true,
  needs: "admin",
  flags: [{ name: "--model <id>", summary: "those of this model, class or size", values: "models" }],
  examples: ["feather admin prices list", "feather admin prices list --model Qwen/Qwen3-32B --csv"],
  options: (_, flags) => ({ ...given("model", flags.model), paging: pagingOf(flags) }),
  async run({ client, output, signal }, { paging, ...query }) {
    const { admin } = await client();
    const answer = await readPages(paging, (page) => admin.prices.list({ ...query, ...page }, { signal }));
    const empty = "There are no prices yet. Set one: feather admin prices set <model>";
    output.list({ columns: COLUMNS, id: ({ id }) => id, noun: "prices", empty }, answer.items, answer);
  },
};

const COLUMNS: readonly Column<Price>[] = [
  { header: "FOR", cell: ({ model }) => model, paint: (text, style) => style.bold(text) },
  { header: "SCOPE", cell: ({ scope }) => scope.replace("_", " "), plain: ({ scope }) => scope, yields: 2 },
  { header: "READ", cell: ({ prompt }) => perMillion(prompt), plain: ({ prompt }) => prompt, align: "right" },
  {
    header: "WRITTEN",
    cell: ({ completion }) => perMillion(completion),
    plain: ({ completion }) => completion,
    align: "right",
  },
  { header: "IMAGE", cell: ({ image }) => `$${image}`, plain: ({ image }) => image, align: "right", yields: 4 },
  {
    header: "REQUEST",
    cell: ({ request }) => `$${request}`,
    plain: ({ request }) => request,
    align: "right",
    yields: 3,
  },
  {
    header: "FROM",
    cell: ({ effective_at }) => dayTime(effective_at),
    plain: ({ effective_at }) => rfc3339(effective_at),
    yields: 1,
  },
];
