import type { Body, MarketplaceMeter } from "@feather/sdk";
import { formatCents } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { parseCents } from "../../../flags.ts";
import type { Column } from "../../../output/table.ts";
import { PROVIDERS } from "./purchase.ts";

/** Fields of a meter for `--json`. */
const METER_FIELDS = [
  "provider",
  "offer",
  "dimension",
  "unit_price_usd",
  "max_monthly_usd_cents",
  "updated_at",
] as const satisfies readonly (keyof MarketplaceMeter)[];

/** What a meter is for: an offer at a marketplace. */
type Offer = Pick<MarketplaceMeter, "provider" | "offer">;
/** An offer with how its usage is counted. */
export type MetersSetOptions = Offer & Body<"admin.marketplaces.meters.set">;

const OFFER_ARGUMENTS = [
  { name: "<marketplace>", summary: "aws, azure or gcp" },
  { name: "<offer>", summary: "what is bought, by its id at the marketplace" },
];

/** Lists what is metered at cloud marketplaces. */
export const marketplacesMetersList: Command<undefined> = {
  name: "admin marketplaces meters list",
  summary: "List what is metered at cloud marketplaces",
  prints: "list",
  fields: METER_FIELDS,
  needs: "admin",
  examples: ["feather admin marketplaces meters list"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const response = await (await client()).admin.marketplaces.meters.list({ signal });
    const empty = "Nothing is metered.";
    output.printList({ columns: COLUMNS, id: ({ offer }) => offer, noun: "meters", empty }, response.items, response);
  },
};

/** Meters usage of an offer, or changes how. */
export const marketplacesMetersSet: Command<MetersSetOptions> = {
  name: "admin marketplaces meters set",
  summary: "Meter usage of an offer, or change how",
  description:
    "Organizations that bought the offer can switch metered usage on. The price must be that of the dimension at the marketplace. Saving a meter again lets purchases go on that were paused because usage was refused.",
  arguments: OFFER_ARGUMENTS,
  flags: [
    { name: "--dimension <id>", summary: "dimension, custom meter or metric at the marketplace" },
    { name: "--price <usd>", summary: "price of one unit there, in dollars" },
    { name: "--limit <usd>", summary: "the most for an organization in a month, in dollars", parse: parseCents },
  ],
  prints: "one",
  fields: METER_FIELDS,
  needs: "admin",
  examples: [
    "feather admin marketplaces meters set aws feather_request_pricing --dimension extra_usage --price 0.01 --limit 500",
  ],
  options: (words, { dimension, price, limit }) => {
    if (typeof dimension !== "string" || typeof price !== "string" || typeof limit !== "number")
      throw new UsageError(
        "--dimension, --price and --limit are needed",
        "all three, such as --dimension extra_usage --price 0.01 --limit 500",
      );
    return {
      ...parseOffer(words),
      dimension,
      unit_price_usd: parsePrice(price),
      max_monthly_usd_cents: limit,
    };
  },
  async run({ client, output, signal }, { provider, offer, ...body }) {
    const { marketplaces } = (await client()).admin;
    const value = await marketplaces.meters.set(provider, offer, body, { signal });
    const message = `Usage of ${offer} is metered as ${value.dimension}, at $${value.unit_price_usd} a unit.`;
    output.printChange({ value, id: offer, message });
  },
};

/** Stops metering usage of an offer. */
export const marketplacesMetersRemove: Command<Offer> = {
  name: "admin marketplaces meters remove",
  summary: "Stop metering usage of an offer",
  arguments: OFFER_ARGUMENTS,
  confirms: true,
  prints: "one",
  fields: [],
  needs: "admin",
  examples: ["feather admin marketplaces meters remove aws feather_request_pricing"],
  options: parseOffer,
  async run({ client, confirm, output, signal }, { provider, offer }) {
    await confirm(`Stop metering ${offer}? Calls stop when credits are used up.`);
    await (await client()).admin.marketplaces.meters.remove(provider, offer, { signal });
    output.printChange({ value: { offer }, id: offer, message: `Nothing more is metered for ${offer}.` });
  },
};

function parseOffer([marketplace = "", offer = ""]: readonly string[]): Offer {
  const provider = PROVIDERS.find((one) => one === marketplace);
  if (provider === undefined) throw new UsageError("a marketplace is aws, azure or gcp", "aws");
  return { provider, offer };
}

function parsePrice(text: string): string {
  if (!/^(?=.*[1-9])(0|[1-9]\d{0,2})(\.\d{1,3})?$/.test(text))
    throw new UsageError("a price is a decimal above 0 and below 1000, with at most three decimals", "0.01");
  return text;
}

const COLUMNS: readonly Column<MarketplaceMeter>[] = [
  { header: "MARKETPLACE", cell: ({ provider }) => provider },
  { header: "OFFER", cell: ({ offer }) => offer, paint: (text, style) => style.bold(text) },
  { header: "DIMENSION", cell: ({ dimension }) => dimension },
  { header: "A UNIT", cell: ({ unit_price_usd }) => `$${unit_price_usd}`, align: "right" },
  {
    header: "AT MOST A MONTH",
    cell: ({ max_monthly_usd_cents }) => formatCents(max_monthly_usd_cents),
    plain: ({ max_monthly_usd_cents }) => String(max_monthly_usd_cents),
    align: "right",
    dropOrder: 1,
  },
];
