import type { MarketplaceMetering } from "@feather/sdk";
import { formatCents } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { parseCents } from "../../flags.ts";
import type { DetailView } from "../../output/index.ts";

const FIELDS = [
  "meter",
  "monthly_limit_usd_cents",
  "used_this_month_usd",
  "drawn_this_month_usd",
] as const satisfies readonly (keyof MarketplaceMetering)[];

/** Shows what is used beyond the credits and billed by a marketplace. */
export const creditsMeteringShow: Command<undefined> = {
  name: "credits metering show",
  summary: "Show what a marketplace bills beyond the credits",
  prints: "one",
  fields: FIELDS,
  needs: "sign-in",
  examples: ["feather credits metering show", "feather credits metering show --jq .used_this_month_usd"],
  options: () => undefined,
  async run({ client, output, signal }) {
    output.printDetails(DETAIL_VIEW, await (await client()).marketplace.metering.get({ signal }));
  },
};

/** Lets a marketplace bill what is used beyond the credits. */
export const creditsMeteringSet: Command<{ readonly limit: number }> = {
  name: "credits metering set",
  summary: "Let the marketplace bill what is used beyond the credits",
  description:
    "For plans that were bought at a cloud marketplace. Calls go on when the credits are used up, and the marketplace bills what they cost.",
  flags: [{ name: "--limit <usd>", summary: "the most in a calendar month, in dollars", parse: parseCents }],
  prints: "one",
  fields: FIELDS,
  confirms: true,
  needs: "sign-in",
  examples: ["feather credits metering set --limit 100"],
  options: (_, { limit }) => {
    if (typeof limit !== "number") throw new UsageError("--limit is needed", "dollars a month, such as --limit 100");
    return { limit };
  },
  async run({ client, confirm, output, signal }, { limit }) {
    const { marketplace } = await client();
    const text = `at most ${formatCents(limit)} a month`;
    await confirm(async () => `Let the marketplace bill what is used beyond the credits, ${text}?`);
    const value = await marketplace.metering.set({ monthly_limit_usd_cents: limit }, { signal });
    output.printChange({ value, id: "on", message: `Calls go on when the credits are used up, for ${text}.` });
  },
};

/** Stops using more than the credits. */
export const creditsMeteringOff: Command<undefined> = {
  name: "credits metering off",
  summary: "Stop when the credits are used up",
  needs: "sign-in",
  examples: ["feather credits metering off"],
  options: () => undefined,
  async run({ client, output, signal }) {
    await (await client()).marketplace.metering.set({ monthly_limit_usd_cents: null }, { signal });
    output.info("From now on, nothing is used beyond the credits.");
  },
};

const DETAIL_VIEW: DetailView<MarketplaceMetering> = {
  id: ({ monthly_limit_usd_cents: limit }) => (limit === null ? "off" : "on"),
  lines: (metering) => [
    ["metered usage", describeState(metering)],
    ["this month", describeMonth(metering)],
    ...(metering.meter
      ? ([
          ["marketplace", metering.meter.provider],
          ["price", `$${metering.meter.unit_price_usd} for a unit of ${metering.meter.dimension}`],
        ] as const)
      : []),
  ],
};

/** What is drawn and not used is free again when the hour is over. */
function describeMonth({ used_this_month_usd: used, drawn_this_month_usd: drawn }: MarketplaceMetering): string {
  return used === drawn ? `$${used} used` : `$${used} used of $${drawn} that are drawn until the hour is over`;
}

function describeState({ meter, monthly_limit_usd_cents: limit }: MarketplaceMetering): string {
  if (meter === null) return "off: the plan has none";
  if (limit === null) return "off";
  const text = `at most ${formatCents(Math.min(limit, meter.max_monthly_usd_cents))} a month`;
  return meter.paused ? `paused, because the marketplace did not take earlier usage; ${text}` : text;
}
