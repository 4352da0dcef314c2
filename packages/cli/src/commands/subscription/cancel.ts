import type { Command } from "../../command.ts";
import { day } from "../../output/time.ts";
import { SUBSCRIPTION_FIELDS, subscriptionId } from "./subscription.ts";

/** Cancels the subscription at the end of its period, after confirmation. */
export const subscriptionCancel: Command<undefined> = {
  name: "subscription cancel",
  summary: "Cancel at the end of the period",
  asks: true,
  prints: "one",
  fields: SUBSCRIPTION_FIELDS,
  needs: "sign-in",
  examples: ["feather subscription cancel", "feather subscription cancel --yes"],
  options: () => undefined,
  async run({ client, confirm, output, signal }) {
    const { subscription } = await client();
    await confirm(async () => {
      const { plan, current_period_end_date: end } = await subscription.get({ signal });
      return `Cancel ${plan.name}?${end === null ? "" : ` It goes on until ${day(end)}.`}`;
    });
    const answer = await subscription.cancel({ signal });
    const end = answer.current_period_end_date;
    const said = end === null ? "Cancelled." : `Cancelled. ${answer.plan.name} goes on until ${day(end)}.`;
    output.changed({ value: answer, id: subscriptionId(answer), said });
    output.hint("Take it back: feather subscription resume");
  },
};
