import type { Command } from "../../../command.ts";
import { given } from "../../../flags.ts";
import { USER_ARGUMENT, USER_FIELDS, userId } from "./user.ts";

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
    const user = await feather.admin.users.approve(await userId(feather, who, signal), { signal });
    output.changed({ value: user, id: user.id, said: `${user.email} may log in.` });
  },
};

/** Refuses and deletes a pending account, after confirmation. */
export const usersRefuse: Command<{ readonly who: string; readonly reason?: string }> = {
  name: "admin users refuse",
  summary: "Refuse an account that waits for approval",
  about: "The account is deleted, and its owner is told by mail.",
  arguments: [USER_ARGUMENT],
  flags: [{ name: "--reason <text>", summary: "why; stands in the message" }],
  asks: true,
  needs: "admin",
  examples: ['feather admin users refuse maria@example.com --reason "For members of the institute"'],
  options: ([who = ""], flags) => ({ who, ...given("reason", flags.reason) }),
  async run({ client, confirm, output, signal }, { who, reason }) {
    await confirm(`Refuse ${who}? The account is deleted.`);
    const feather = await client();
    await feather.admin.users.refuse(await userId(feather, who, signal), reason === undefined ? {} : { reason }, {
      signal,
    });
    output.say(`Refused ${who}.`);
  },
};
