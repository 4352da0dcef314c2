import type { Command } from "../../command.ts";
import { MEMBER_FLAG, resolveMemberId } from "./budget.ts";

/** Deletes a budget, after confirmation. */
export const budgetsDelete: Command<{ readonly member: string | undefined }> = {
  name: "budgets delete",
  summary: "Delete the budget of the organization or of a member",
  flags: [MEMBER_FLAG],
  confirms: true,
  needs: "sign-in",
  examples: ["feather budgets delete --yes", "feather budgets delete --member joe@example.com --yes"],
  options: (_, flags) => ({ member: typeof flags.member === "string" ? flags.member : undefined }),
  async run(context, { member }) {
    const { client, confirm, output, signal } = context;
    const { budgets } = await client();
    const owner = member ?? "the organization";
    await confirm(async () => `Delete the budget of ${owner}?`);
    if (member === undefined) await budgets.delete({ signal });
    else await budgets.deleteForMember(await resolveMemberId(context, member), { signal });
    output.info(`Deleted the budget of ${owner}.`);
  },
};
