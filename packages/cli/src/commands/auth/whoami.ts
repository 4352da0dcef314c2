import type { Schemas } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Sheet } from "../../output/index.ts";

type User = Schemas["User"];

const FIELDS = [
  "id",
  "email",
  "username",
  "name",
  "is_admin",
  "email_verified",
  "organization",
  "referral_reward",
  "impersonated_by",
  "created_at",
] as const satisfies readonly (keyof User)[];

const SHEET: Sheet<User> = {
  id: (user) => user.id,
  lines: (user) => [
    ["user", user.username, (text, style) => style.bold(text)],
    ["email", user.email],
    ["organization", `${user.organization.name}, as ${user.organization.role}`],
    ["plan", user.organization.current_subscription?.plan.name ?? "none"],
    ...(user.is_admin ? ([["rights", "admin"]] as const) : []),
  ],
};

/** Who the credential belongs to. */
export const whoami: Command<Record<string, never>> = {
  name: "whoami",
  summary: "Say who is signed in",
  prints: "one",
  fields: FIELDS,
  needs: "sign-in",
  examples: ["feather whoami", "feather whoami --json email"],
  options: () => ({}),
  async run({ output, signedIn, settings, signal }) {
    const user = await (await signedIn()).auth.me({ signal });
    output.one(SHEET, user);
    output.hint(`on ${settings().baseUrl}, by ${settings().secretSource}`);
  },
};
