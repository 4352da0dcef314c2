import type { Subscription } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { formatDay } from "../../output/time.ts";
import {
  CHANGE_ARGUMENTS,
  CHANGE_FLAGS,
  type ChangeRequest,
  formatPreviewLines,
  parseChangeRequest,
  withPlan,
} from "./change-request.ts";

const FIELDS = ["subscription", "preview", "is_test"] as const;

/** Changes the plan, after showing the cost. */
export const subscriptionChange: Command<ChangeRequest> = {
  name: "subscription change",
  summary: "Change to another plan",
  description: "A more expensive plan holds at once and is paid now, a cheaper one from the next period on.",
  arguments: CHANGE_ARGUMENTS,
  flags: CHANGE_FLAGS,
  confirms: true,
  prints: "one",
  fields: FIELDS,
  needs: "sign-in",
  examples: ["feather subscription change max", "feather subscription change team --quantity 4 --yes"],
  options: parseChangeRequest,
  async run(context, given) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const request = await withPlan(context, feather, given);
    const { subscription } = feather;
    await confirm(async () => {
      const { preview, is_test } = await subscription.change({ ...request, preview: true }, { signal });
      if (preview !== null) for (const [label, text] of formatPreviewLines(preview)) output.info(`  ${label}: ${text}`);
      return `Change to ${request.plan_id}${is_test ? " (payments are tests here)" : ""}?`;
    });
    const response = await subscription.change(request, { signal });
    const { subscription: current } = response;
    output.printChange({
      value: response,
      id: request.plan_id,
      message: current === null ? "Changed." : formatChangeResult(current),
    });
  },
};

function formatChangeResult({ plan, pending_change: pending }: Subscription): string {
  return pending === null
    ? `You are on ${plan.name} now.`
    : `You stay on ${plan.name} until ${formatDay(pending.effective_date)}; then it is ${pending.plan_id}.`;
}
