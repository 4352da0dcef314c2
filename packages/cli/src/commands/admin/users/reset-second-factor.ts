import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { readAll } from "../../../input.ts";
import { resolveUserId, USER_ARGUMENT } from "./user.ts";

type Options = { readonly who: string; readonly reason: string; readonly passwordStdin: boolean };

/** Removes a user's authenticator app, passkeys and recovery codes, after confirmation. */
export const usersResetSecondFactor: Command<Options> = {
  name: "admin users reset-second-factor",
  summary: "Take a user's second factor away, who lost it",
  description:
    "The authenticator app, all passkeys and the recovery codes end, and so do the user's sessions. They are told by mail. Needs your own password.",
  arguments: [USER_ARGUMENT],
  flags: [
    { name: "--reason <text>", summary: "why; stands in the audit log and in the message" },
    { name: "--password-stdin", summary: "read your password from stdin" },
  ],
  confirms: true,
  needs: "admin",
  examples: ['feather admin users reset-second-factor maria@example.com --reason "Lost the telephone"'],
  options([who = ""], flags) {
    const reason = typeof flags.reason === "string" ? flags.reason.trim() : "";
    if (reason.length < 3) throw new UsageError("say why, in three letters or more", '--reason "Lost the telephone"');
    return { who, reason, passwordStdin: flags.passwordStdin === true };
  },
  async run({ client, confirm, askSecret, io, output, signal }, { who, reason, passwordStdin }) {
    await confirm(`Take the second factor of ${who} away? Their sessions end.`);
    const password = passwordStdin
      ? (await readAll(io.stdin)).replace(/\r?\n$/, "")
      : await askSecret("Your password", "--password-stdin");
    const feather = await client();
    const id = await resolveUserId(feather, who, signal);
    // Admins who only sign in with a provider have no password; a recent sign-in is enough for them.
    const proof = password === "" ? {} : { password };
    await feather.admin.users.resetSecondFactor(id, { reason, ...proof }, { signal });
    output.info(`${who} logs in without a second factor now.`);
  },
};
