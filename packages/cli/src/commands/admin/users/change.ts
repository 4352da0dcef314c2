import type { Body } from "@feather/sdk";
import type { Command, FlagValues } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { given, isGiven } from "../../../flags.ts";
import { type AdminUser, USER_ARGUMENT, USER_FIELDS, userId } from "./user.ts";

type Changes = Body<"admin.users.update">;
type Change = Command<{ readonly who: string; readonly changes: Changes }>;
type Parts = Pick<Change, "name" | "summary" | "examples"> &
  Partial<Pick<Change, "arguments" | "flags" | "about">> & {
    changes(args: readonly string[], flags: FlagValues): Changes;
    question(who: string, changes: Changes): string;
    said(user: AdminUser): string;
  };

/** Creates a command that updates a user, after confirmation. */
function changeOf({ changes, question, said, ...words }: Parts): Change {
  return {
    arguments: [USER_ARGUMENT],
    ...words,
    asks: true,
    prints: "one",
    fields: USER_FIELDS,
    needs: "admin",
    options: (args, flags) => ({ who: args[0] ?? "", changes: changes(args, flags) }),
    async run({ client, confirm, output, signal }, { who, changes }) {
      await confirm(question(who, changes));
      const feather = await client();
      const user = await feather.admin.users.update(await userId(feather, who, signal), changes, { signal });
      output.changed({ value: user, id: user.id, said: said(user) });
    },
  };
}

const REASON = { name: "--reason <text>", summary: "why; stands in the audit log" };

/** Suspends a user: sessions end and keys stop working. */
export const usersSuspend = changeOf({
  name: "admin users suspend",
  summary: "Suspend a user",
  about: "Sessions end and keys stop at once.",
  flags: [REASON],
  examples: ['feather admin users suspend maria@example.com --reason "Sends unsolicited mail"'],
  changes: (_, flags) => {
    const { reason } = given("reason", flags.reason);
    if (reason === undefined || reason.trim() === "")
      throw new UsageError("a reason is needed to suspend somebody", '--reason "…"');
    return { suspended: true, reason };
  },
  question: (who) => `Suspend ${who}? Sessions end and keys stop at once.`,
  said: ({ email }) => `Suspended ${email}.`,
});

/** Lifts the suspension of a user. */
export const usersRestore = changeOf({
  name: "admin users restore",
  summary: "Let a suspended user in again",
  flags: [REASON],
  examples: ["feather admin users restore maria@example.com"],
  changes: (_, flags) => ({ suspended: false, ...given("reason", flags.reason) }),
  question: (who) => `Let ${who} in again?`,
  said: ({ email }) => `${email} may sign in again.`,
});

/** Makes a user an admin of the platform, or revokes it. */
export const usersMakeAdmin = changeOf({
  name: "admin users make-admin",
  summary: "Make a user an admin of the platform, or no longer",
  flags: [{ name: "--revoke", summary: "no longer" }],
  examples: ["feather admin users make-admin maria@example.com", "feather admin users make-admin maria --revoke"],
  changes: (_, flags) => ({ is_admin: !isGiven(flags, "revoke") }),
  question: (who, { is_admin }) =>
    is_admin ? `Make ${who} an admin, who may see and change everything?` : `Is ${who} no longer to be an admin?`,
  said: ({ email, is_admin }) => `${email} is ${is_admin ? "an admin now" : "no longer an admin"}.`,
});
