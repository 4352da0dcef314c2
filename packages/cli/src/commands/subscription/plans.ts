import type { Plan } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatLimit, formatModelSize, formatPrice, PLAN_FIELDS } from "./plan.ts";

/** Lists the plans on sale. */
export const subscriptionPlans: Command<undefined> = {
  name: "subscription plans",
  summary: "List the plans and their prices",
  prints: "list",
  fields: PLAN_FIELDS,
  isPublic: true,
  examples: ["feather subscription plans", "feather subscription plans --json id,price_usd_cents"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const api = await client();
    const response = await api.subscription.plans({ signal });
    output.printList(
      { columns: PLAN_COLUMNS, id: ({ id }) => id, noun: "plans", empty: "No plan is on sale." },
      response.items,
      response,
    );
    const { payments } = await api.system.config({ signal });
    if (payments === "off") output.info("Nothing is sold on this server: an admin puts organizations on plans.");
  },
};

/** Returns the price in US dollars and in the other currencies that are switched on. */
function formatPrices(plan: Plan): string {
  const currencies = [
    "USD",
    ...plan.prices.filter(({ price_cents }) => price_cents > 0).map(({ currency }) => currency),
  ];
  return plan.price_usd_cents && plan.billing_mode === "subscription"
    ? currencies.map((currency) => formatPrice(plan, currency)).join(", ")
    : formatPrice(plan);
}

const formatExact = (value: number | null) => String(value ?? "");

/** The columns of a list of plans. */
export const PLAN_COLUMNS: readonly Column<Plan>[] = [
  { header: "PLAN", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
  { header: "PRICE", cell: (plan) => formatPrices(plan), plain: ({ price_usd_cents }) => formatExact(price_usd_cents) },
  {
    header: "UNITS",
    cell: ({ concurrency }) => formatLimit(concurrency),
    plain: ({ concurrency }) => formatExact(concurrency),
    align: "right",
    dropOrder: 1,
  },
  {
    header: "LARGEST MODEL",
    cell: ({ max_model_size }) => formatModelSize(max_model_size),
    plain: ({ max_model_size }) => formatExact(max_model_size),
    align: "right",
    dropOrder: 2,
  },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
];
