import type { Routing } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";

/** Shows what calls with organizations' own keys cost, or sets it. */
export const routesOwnKeyFee: Command<{ readonly percent: number | null }> = {
  name: "admin routes own-key-fee",
  summary: "Show or set what calls with organizations' own keys cost",
  description: "In percent of the model's price, on metered plans. Flat plans charge nothing for a call.",
  arguments: [{ name: "[percent]", summary: "0 to 100, with at most two decimals" }],
  prints: "one",
  fields: ["order", "own_key_fee_percent", "refuse_below_cost"] as const satisfies readonly (keyof Routing)[],
  needs: "admin",
  examples: ["feather admin routes own-key-fee", "feather admin routes own-key-fee 5"],
  options: ([given = ""]) => ({ percent: parsePercent(given) }),
  async run({ client, output, signal }, { percent }) {
    const { admin } = await client();
    const present = await admin.routing.get({ signal });
    const rules =
      percent === null
        ? present
        : await admin.routing.update({ order: present.order, own_key_fee_percent: percent }, { signal });
    const message = `Calls with organizations' own keys cost ${rules.own_key_fee_percent} % of the model's price.`;
    output.printChange({ value: rules, id: String(rules.own_key_fee_percent), message });
  },
};

function parsePercent(given: string): number | null {
  if (given === "") return null;
  if (/^\d{1,3}(\.\d{1,2})?$/.test(given) && Number(given) <= 100) return Number(given);
  throw new UsageError(`${given} is no percentage from 0 to 100`, "feather admin routes own-key-fee 5");
}
