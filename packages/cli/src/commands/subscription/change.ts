import type { Command } from "../../command.ts";
import { day } from "../../output/time.ts";
import type { Subscription } from "./subscription.ts";
import { previewLines, WISH_ARGUMENTS, WISH_FLAGS, type Wish, wishOf } from "./wish.ts";

const FIELDS = ["subscription", "preview", "is_test"] as const;

/** Changes the plan, after showing the cost. */
export const subscriptionChange: Command<Wish> = {
  name: "subscription change",
  summary: "Change to another plan",
  about: "A dearer plan holds at once and is paid now, a cheaper one from the next period on.",
  arguments: WISH_ARGUMENTS,
  flags: WISH_FLAGS,
  asks: true,
  prints: "one",
  fields: FIELDS,
  needs: "sign-in",
  examples: ["feather subscription change max", "feather subscription change team --quantity 4 --yes"],
  options: wishOf,
  async run({ client, confirm, output, signal }, wish) {
    const { subscription } = await client();
    await confirm(async () => {
      const { preview, is_test } = await subscription.change({ ...wish, preview: true }, { signal });
      if (preview !== null) for (const [label, text] of previewLines(preview)) output.say(`  ${label}: ${text}`);
      return `Change to ${wish.plan_id}${is_test ? " (payments are tests here)" : ""}?`;
    });
    const answer = await subscription.change(wish, { signal });
    const { subscription: now } = answer;
    output.changed({ value: answer, id: wish.plan_id, said: now === null ? "Changed." : saidOf(now) });
  },
};

function saidOf({ plan, pending_change: pending }: Subscription): string {
  return pending === null
    ? `You are on ${plan.name} now.`
    : `You stay on ${plan.name} until ${day(pending.effective_date)}; then it is ${pending.plan_id}.`;
}
