import type { Command } from "../../../command.ts";
import { count } from "../../../output/format.ts";
import type { Sheet } from "../../../output/index.ts";
import { ago, day } from "../../../output/time.ts";
import { type AdminUser, paintState, stateOf, USER_ARGUMENT, USER_FIELDS, userNamed } from "./user.ts";

/** Shows one user. */
export const usersShow: Command<{ readonly who: string }> = {
  name: "admin users show",
  summary: "Show a user",
  arguments: [USER_ARGUMENT],
  prints: "one",
  fields: USER_FIELDS,
  needs: "admin",
  examples: ["feather admin users show maria@example.com"],
  options: ([who = ""]) => ({ who }),
  async run({ client, now, output, signal }, { who }) {
    output.one(sheet(now()), await userNamed(await client(), who, signal));
  },
};

function sheet(now: Date): Sheet<AdminUser> {
  return {
    id: ({ id }) => id,
    lines: (user) => [
      ["e-mail", user.email, (text, style) => style.bold(text)],
      ["name", user.name],
      ["username", user.username],
      ["state", stateOf(user), (text, style) => paintState(text, style, user)],
      ...(user.suspension_reason === null ? [] : [["reason", user.suspension_reason] as const]),
      ["role", user.is_admin ? "admin" : "user"],
      ["plan", user.plan_id],
      ["organization", user.organization_id],
      ["requests", `${count(user.requests_30d)} in 30 days`],
      ["last seen", user.last_seen_at === null ? "never" : ago(user.last_seen_at, now)],
      ["joined", day(user.created_at)],
      ["id", user.id],
    ],
  };
}
