import type { AdminUser } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import type { DetailView } from "../../../output/index.ts";
import { formatAgo, formatDay } from "../../../output/time.ts";
import { findUser, paintState, stateOf, USER_ARGUMENT, USER_FIELDS } from "./user.ts";

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
    output.printDetails(createDetailView(now()), await findUser(await client(), who, signal));
  },
};

function createDetailView(now: Date): DetailView<AdminUser> {
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
      ["requests", `${formatCount(user.requests_30d)} in 30 days`],
      ["last seen", user.last_seen_at === null ? "never" : formatAgo(user.last_seen_at, now)],
      ["joined", formatDay(user.created_at)],
      ["id", user.id],
    ],
  };
}
