import type { Command } from "../../../command.ts";
import { optionalText } from "../../../flags.ts";
import { resolveUserId, USER_ARGUMENT, USER_FIELDS } from "./user.ts";

/** Approves a pending account. */
export const usersApprove: Command<{ readonly who: string }> = {
  name: "admin users approve",
  summary: "Let in an account that waits for approval",
  arguments: [USER_ARGUMENT],
  prints: "one",
  fields: USER_FIELDS,
  needs: "admin",
  examples: ["feather admin users approve maria@example.com"],
  options: ([who = ""]) => ({ who }),
  async run({ client, output, signal }, { who }) {
    const feather = await client();
    const user = await feather.admin.users.approve(await resolveUserId(feather, who, signal), { signal });
    output.printChange({ value: user, id: user.id, message: `${user.email} may log in.` });
  },
};

/** Refuses and deletes a pending account, after confirmation. */
export const usersRefuse: Command<{ readonly who: string; readonly reason?: string }> = {
  name: "admin users refuse",
  summary: "Refuse an account that waits for approval",
  description: "The account is deleted, and its owner is told by mail.",
  arguments: [USER_ARGUMENT],
  flags: [{ name: "--reason <text>", summary: "why; stands in the message" }],
  confirms: true,
  needs: "admin",
  examples: ['feather admin users refuse maria@example.com --reason "For members of the institute"'],
  options: ([who = ""], flags) => ({ who, ...optionalText("reason", flags.reason) }),
  async run({ client, confirm, output, signal }, { who, reason }) {
    await confirm(`Refuse ${who}? The account is deleted.`);
    const feather = await client();
    await feather.admin.users.refuse(
      await resolveUserId(feather, who, signal),
      reason === undefined ? {} : { reason },
      {
        signal,
      },
    );
    output.info(`Refused ${who}.`);
  },
};
