import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { limitText, PLAN_FIELDS, type Plan, priceText, sizeText } from "./plan.ts";

/** Lists the plans on sale. */
export const subscriptionPlans: Command<undefined> = {
  name: "subscription plans",
  summary: "List the plans and their prices",
  prints: "list",
  fields: PLAN_FIELDS,
  examples: ["feather subscription plans", "feather subscription plans --json id,price_usd_cents"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const api = await client();
    const answer = await api.subscription.plans({ signal });
    output.list(
      { columns: COLUMNS, id: ({ id }) => id, noun: "plans", empty: "No plan is on sale." },
      answer.items,
      answer,
    );
    const { payments } = await api.system.config({ signal });
    if (payments === "off") output.say("Nothing is sold on this server: an admin puts organizations on plans.");
  },
};

const exact = (value: number | null) => String(value ?? "");

const COLUMNS: readonly Column<Plan>[] = [
  { header: "PLAN", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
  { header: "PRICE", cell: priceText, plain: ({ price_usd_cents }) => exact(price_usd_cents) },
  {
    header: "UNITS",
    cell: ({ concurrency }) => limitText(concurrency),
    plain: ({ concurrency }) => exact(concurrency),
    align: "right",
    yields: 1,
  },
  {
    header: "LARGEST MODEL",
    cell: ({ max_model_size }) => sizeText(max_model_size),
    plain: ({ max_model_size }) => exact(max_model_size),
    align: "right",
    yields: 2,
  },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
];
