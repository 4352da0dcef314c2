import type { Routing } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";

const CHOICES = ["allow", "refuse"] as const;
type Choice = (typeof CHOICES)[number];

/** Shows whether metered calls may cost more at the provider than here, or sets it. */
export const routesBelowCost: Command<{ readonly choice: Choice | null }> = {
  name: "admin routes below-cost",
  summary: "Show or set whether metered calls may be sold below cost",
  description:
    "With refuse, calls on metered plans are kept from backends that charge more than the model's price. Backends without a stated price are not affected.",
  arguments: [{ name: "[choice]", summary: CHOICES.join(", ") }],
  prints: "one",
  fields: ["order", "own_key_fee_percent", "refuse_below_cost"] as const satisfies readonly (keyof Routing)[],
  needs: "admin",
  examples: ["feather admin routes below-cost", "feather admin routes below-cost refuse"],
  options: ([given = ""]) => ({ choice: parseChoice(given) }),
  async run({ client, output, signal }, { choice }) {
    const { admin } = await client();
    const present = await admin.routing.get({ signal });
    const rules =
      choice === null
        ? present
        : await admin.routing.update({ order: present.order, refuse_below_cost: choice === "refuse" }, { signal });
    const message = rules.refuse_below_cost
      ? "Metered calls are kept from backends that charge more than the model's price."
      : "Metered calls may go to backends that charge more than the model's price.";
    output.printChange({ value: rules, id: rules.refuse_below_cost ? "refuse" : "allow", message });
  },
};

function parseChoice(given: string): Choice | null {
  if (given === "") return null;
  const choice = CHOICES.find((name) => name === given);
  if (choice === undefined) throw new UsageError(`${given} is neither allow nor refuse`, CHOICES.join(", "));
  return choice;
}
