import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { PURCHASE_ARGUMENT, PURCHASE_FIELDS } from "./purchase.ts";

/** Rejects a pending purchase at the marketplace, after confirmation. */
export const marketplacesReject: Command<{ readonly id: string; readonly reason: string }> = {
  name: "admin marketplaces reject",
  summary: "Reject a pending purchase",
  description:
    "The marketplace bills nothing for it then. AWS Marketplace has no such call: its customer cancels there.",
  arguments: [PURCHASE_ARGUMENT],
  flags: [{ name: "--reason <text>", summary: "why; the customer may see it" }],
  confirms: true,
  prints: "one",
  fields: PURCHASE_FIELDS,
  needs: "admin",
  examples: ['feather admin marketplaces reject mkt_4fJqM1t9Zk --reason "The contract is not signed"'],
  options: ([id = ""], { reason }) => {
    if (typeof reason !== "string" || reason.trim() === "")
      throw new UsageError("a reason is needed", "--reason <text>");
    return { id, reason: reason.trim() };
  },
  async run({ client, confirm, output, signal }, { id, reason }) {
    await confirm(`Reject the purchase ${id}? This cannot be undone.`);
    const purchase = await (await client()).admin.marketplaces.reject(id, { reason }, { signal });
    output.printChange({ value: purchase, id, message: `The purchase for ${purchase.organization_name} is rejected.` });
  },
};
