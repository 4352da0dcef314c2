import type { AdminUser, AdminUserUpdate } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { FlagValues } from "../../../command-line.ts";
import { UsageError } from "../../../errors.ts";
import { isSet, optionalText } from "../../../flags.ts";
import { readAll } from "../../../input.ts";
import { resolveUserId, USER_ARGUMENT, USER_FIELDS } from "./user.ts";

type Options = { readonly who: string; readonly changes: AdminUserUpdate; readonly passwordStdin: boolean };
type ChangeCommand = Command<Options>;
type ChangeCommandOptions = Pick<ChangeCommand, "name" | "summary" | "examples"> &
  Partial<Pick<ChangeCommand, "arguments" | "flags" | "description">> & {
    /**
     * Whether the change needs the caller's own password. If so, it is asked for unless it comes on stdin; if not, it
     * is only read from stdin.
     */
    needsPassword?: boolean;
    changes(args: readonly string[], flags: FlagValues): AdminUserUpdate;
    question(who: string, changes: AdminUserUpdate): string;
    message(user: AdminUser): string;
  };

/** Creates a command that updates a user, after confirmation. */
function createChangeCommand(options: ChangeCommandOptions): ChangeCommand {
  const { changes, question, message, needsPassword = false, ...texts } = options;
  return {
    arguments: [USER_ARGUMENT],
    ...texts,
    confirms: true,
    prints: "one",
    fields: USER_FIELDS,
    needs: "admin",
    options: (args, flags) => ({
      who: args[0] ?? "",
      changes: changes(args, flags),
      passwordStdin: flags.passwordStdin === true,
    }),
    async run({ client, confirm, askSecret, io, output, signal }, { who, changes, passwordStdin }) {
      await confirm(question(who, changes));
      const password = passwordStdin
        ? (await readAll(io.stdin)).replace(/\r?\n$/, "")
        : needsPassword
          ? await askSecret("Your password", "--password-stdin")
          : "";
      const feather = await client();
      const id = await resolveUserId(feather, who, signal);
      // Admins who only sign in with a provider have no password; a recent sign-in is enough for them.
      const proof = password === "" ? {} : { password };
      const user = await feather.admin.users.update(id, { ...changes, ...proof }, { signal });
      output.printChange({ value: user, id: user.id, message: message(user) });
    },
  };
}

const PASSWORD_FLAG = { name: "--password-stdin", summary: "read your password from stdin" };
const REASON_FLAG = { name: "--reason <text>", summary: "why; stands in the audit log" };

/** Suspends a user: sessions end and keys stop working. */
export const usersSuspend = createChangeCommand({
  name: "admin users suspend",
  summary: "Suspend a user",
  description: "Sessions end and keys stop at once. To suspend an admin, give your own password on stdin.",
  flags: [REASON_FLAG, PASSWORD_FLAG],
  examples: ['feather admin users suspend maria@example.com --reason "Sends unsolicited mail"'],
  changes: (_, flags) => {
    const { reason } = optionalText("reason", flags.reason);
    if (reason === undefined || reason.trim() === "")
      throw new UsageError("a reason is needed to suspend somebody", '--reason "…"');
    return { suspended: true, reason };
  },
  question: (who) => `Suspend ${who}? Sessions end and keys stop at once.`,
  message: ({ email }) => `Suspended ${email}.`,
});

/** Lifts the suspension of a user. */
export const usersRestore = createChangeCommand({
  name: "admin users restore",
  summary: "Let a suspended user in again",
  flags: [REASON_FLAG],
  examples: ["feather admin users restore maria@example.com"],
  changes: (_, flags) => ({ suspended: false, ...optionalText("reason", flags.reason) }),
  question: (who) => `Let ${who} in again?`,
  message: ({ email }) => `${email} may sign in again.`,
});

/** Makes a user an admin of the platform, or revokes it. */
export const usersMakeAdmin = createChangeCommand({
  name: "admin users make-admin",
  summary: "Make a user an admin of the platform, or no longer",
  description: "Needs your own password and a login with it: API keys cannot do this. All admins are told by mail.",
  flags: [{ name: "--revoke", summary: "no longer" }, PASSWORD_FLAG],
  needsPassword: true,
  examples: ["feather admin users make-admin maria@example.com", "feather admin users make-admin maria --revoke"],
  changes: (_, flags) => ({ is_admin: !isSet(flags, "revoke") }),
  question: (who, { is_admin }) =>
    is_admin ? `Make ${who} an admin, who may see and change everything?` : `Is ${who} no longer to be an admin?`,
  message: ({ email, is_admin }) => `${email} is ${is_admin ? "an admin now" : "no longer an admin"}.`,
});
