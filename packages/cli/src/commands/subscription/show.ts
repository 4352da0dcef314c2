import type { Command } from "../../command.ts";
import { DETAIL_VIEW, SUBSCRIPTION_FIELDS } from "./subscription.ts";

/** Shows the current subscription. */
export const subscriptionShow: Command<undefined> = {
  name: "subscription show",
  summary: "Show the plan you are on",
  prints: "one",
  fields: SUBSCRIPTION_FIELDS,
  needs: "sign-in",
  examples: ["feather subscription show", "feather subscription show --jq .plan.id"],
  options: () => undefined,
  async run({ client, output, signal }) {
    output.printDetails(DETAIL_VIEW, await (await client()).subscription.get({ signal }));
  },
};
