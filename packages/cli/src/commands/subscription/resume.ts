import type { Command } from "../../command.ts";
import { SUBSCRIPTION_FIELDS, subscriptionId } from "./subscription.ts";

/** Undoes a cancellation, or a pending change of plan. */
export const subscriptionResume: Command<undefined> = {
  name: "subscription resume",
  summary: "Take back a cancellation or a waiting change",
  prints: "one",
  fields: SUBSCRIPTION_FIELDS,
  needs: "sign-in",
  examples: ["feather subscription resume"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const response = await (await client()).subscription.resume({ signal });
    output.printChange({ value: response, id: subscriptionId(response), message: `${response.plan.name} goes on.` });
  },
};
