import type { Command } from "../../command.ts";
import { formatDay } from "../../output/time.ts";
import { SUBSCRIPTION_FIELDS, subscriptionId } from "./subscription.ts";

/** Cancels the subscription at the end of its period, after confirmation. */
export const subscriptionCancel: Command<undefined> = {
  name: "subscription cancel",
  summary: "Cancel at the end of the period",
  confirms: true,
  prints: "one",
  fields: SUBSCRIPTION_FIELDS,
  needs: "sign-in",
  examples: ["feather subscription cancel", "feather subscription cancel --yes"],
  options: () => undefined,
  async run({ client, confirm, output, signal }) {
    const { subscription } = await client();
    await confirm(async () => {
      const { plan, current_period_end_date: end } = await subscription.get({ signal });
      return `Cancel ${plan.name}?${end === null ? "" : ` It goes on until ${formatDay(end)}.`}`;
    });
    const response = await subscription.cancel({ signal });
    const end = response.current_period_end_date;
    const message = end === null ? "Cancelled." : `Cancelled. ${response.plan.name} goes on until ${formatDay(end)}.`;
    output.printChange({ value: response, id: subscriptionId(response), message });
    output.hint("Take it back: feather subscription resume");
  },
};
