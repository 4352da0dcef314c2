import type { PlanSubscriberPrice, PlanSubscribers } from "@feather/sdk";
import { formatCount, formatMoney } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import type { DetailLine } from "../../../output/index.ts";

/** Counts who is on a plan, and at which price. */
export const plansSubscribers: Command<{ readonly id: string }> = {
  name: "admin plans subscribers",
  summary: "Count who is on a plan, and at which price",
  arguments: [{ name: "<plan>", summary: "id of the plan, see feather admin plans list" }],
  prints: "one",
  fields: [
    "subscription_count",
    "trial_count",
    "granted_count",
    "arriving_count",
    "prices",
  ] as const satisfies readonly (keyof PlanSubscribers)[],
  needs: "admin",
  examples: ["feather admin plans subscribers feather_basic"],
  options: ([id = ""]) => ({ id }),
  async run({ client, output, signal }, { id }) {
    output.printDetails({ id: () => id, lines }, await (await client()).admin.plans.subscribers(id, { signal }));
  },
};

const lines = (who: PlanSubscribers): DetailLine[] => [
  ["pay here", formatCount(who.subscription_count)],
  ["of them in a trial", formatCount(who.trial_count)],
  ["granted, or paid elsewhere", formatCount(who.granted_count)],
  ["change to it at the end of a period", formatCount(who.arriving_count)],
  ...who.prices.map((price): DetailLine => ["price", describePrice(price)]),
];

function describePrice(price: PlanSubscriberPrice): string {
  const { price_cents, currency, interval, subscription_count, is_current, announced_count } = price;
  const notes = [
    is_current ? "the current price" : "an earlier price",
    ...(announced_count > 0 ? [`${formatCount(announced_count)} know of the new one`] : []),
  ];
  return `${formatMoney(price_cents, currency)} a ${interval}: ${formatCount(subscription_count)} (${notes.join(", ")})`;
}
