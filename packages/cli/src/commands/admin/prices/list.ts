import type { Price } from "@feather/sdk";
import { formatPricePerMillion, formatUsd } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { optionalText } from "../../../flags.ts";
import type { Column } from "../../../output/table.ts";
import { formatDayTime, formatRfc3339 } from "../../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";
import { PRICE_FIELDS } from "./price.ts";

/** Filter and paging of `admin prices list`. */
export type PricesListOptions = { readonly model?: string; readonly paging: Paging };

/** Lists prices, the latest to take effect first. */
export const pricesList: Command<PricesListOptions> = {
  name: "admin prices list",
  summary: "List past, present and future prices",
  description: "People see dollars for a million tokens; programs get dollars for one.",
  prints: "list",
  fields: PRICE_FIELDS,
  paged: true,
  needs: "admin",
  flags: [{ name: "--model <id>", summary: "those of this model, class or size", values: "models" }],
  examples: ["feather admin prices list", "feather admin prices list --model Qwen/Qwen3-32B --csv"],
  options: (_, flags) => ({ ...optionalText("model", flags.model), paging: parsePaging(flags) }),
  async run({ client, output, signal }, { paging, ...query }) {
    const { admin } = await client();
    const response = await readPages(paging, (page) => admin.prices.list({ ...query, ...page }, { signal }));
    const empty = "There are no prices yet. Set one: feather admin prices set <model>";
    output.printList({ columns: COLUMNS, id: ({ id }) => id, noun: "prices", empty }, response.items, response);
  },
};

const COLUMNS: readonly Column<Price>[] = [
  { header: "FOR", cell: ({ model }) => model, paint: (text, style) => style.bold(text) },
  { header: "SCOPE", cell: ({ scope }) => scope.replace("_", " "), plain: ({ scope }) => scope, dropOrder: 2 },
  {
    header: "READ",
    cell: ({ prompt }) => formatPricePerMillion(prompt),
    plain: ({ prompt }) => prompt,
    align: "right",
  },
  {
    header: "WRITTEN",
    cell: ({ completion }) => formatPricePerMillion(completion),
    plain: ({ completion }) => completion,
    align: "right",
  },
  { header: "IMAGE", cell: ({ image }) => formatUsd(image), plain: ({ image }) => image, align: "right", dropOrder: 4 },
  {
    header: "REQUEST",
    cell: ({ request }) => formatUsd(request),
    plain: ({ request }) => request,
    align: "right",
    dropOrder: 3,
  },
  {
    header: "FROM",
    cell: ({ effective_at }) => formatDayTime(effective_at),
    plain: ({ effective_at }) => formatRfc3339(effective_at),
    dropOrder: 1,
  },
];
