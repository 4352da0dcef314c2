import type { Command } from "../../../command.ts";
import { describePurchase, PURCHASE_ARGUMENT, PURCHASE_FIELDS } from "./purchase.ts";

/** Asks the marketplace about a purchase and applies its answer. */
export const marketplacesSettle: Command<{ readonly id: string }> = {
  name: "admin marketplaces settle",
  summary: "Ask the marketplace about a purchase again",
  description:
    "What the marketplace says is applied: the plan is given, changed or taken. A purchase that was canceled here gives its plan again when the marketplace still collects for it.",
  arguments: [PURCHASE_ARGUMENT],
  prints: "one",
  fields: PURCHASE_FIELDS,
  needs: "admin",
  examples: ["feather admin marketplaces settle mkt_4fJqM1t9Zk"],
  options: ([id = ""]) => ({ id }),
  async run({ client, output, signal }, { id }) {
    const purchase = await (await client()).admin.marketplaces.settle(id, { signal });
    output.printChange({ value: purchase, id, message: describePurchase(purchase) });
  },
};
