import type { User } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { DetailView } from "../../output/index.ts";
import { adminLoginCommand, canAdminister } from "../../sign-in/rights.ts";

type Plan = { readonly id: string; readonly name: string };

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

const createUserView = (hasAdminRights: boolean): DetailView<User> => ({
  id: (user) => user.id,
  lines: (user) => [
    ["user", user.username, (text, style) => style.bold(text)],
    ["email", user.email],
    ["organization", `${user.organization.name}, as ${user.organization.role}`],
    ["plan", user.organization.current_subscription?.plan.name ?? "none"],
    ...(user.is_admin ? ([["rights", formatRights(user, hasAdminRights)]] as const) : []),
  ],
});

const formatRights = ({ email }: User, hasAdminRights: boolean): string =>
  hasAdminRights ? "admin" : `admin, but not with this sign-in: ${adminLoginCommand(email)}`;

/** What a key that may call models, but not read its owner, says about the owner. */
const UNKNOWN_USER = Object.fromEntries(FIELDS.map((name) => [name, null]));

/** Returns the view of a key that may call models, but not read its owner. */
const createKeyView = ({ name }: Plan): DetailView<typeof UNKNOWN_USER> => ({
  id: () => "",
  lines: () => [
    ["credential", "a key that may call models, and not read whose it is"],
    ["plan", name],
  ],
});

/** Shows the user that the credential belongs to, or what a key may do that cannot read its owner. */
export const whoami: Command<Record<string, never>> = {
  name: "whoami",
  summary: "Say who is signed in",
  prints: "one",
  fields: FIELDS,
  needs: "sign-in",
  description:
    "Of a key that may not read its owner it shows the plan; the fields of --json are null then, and --quiet prints nothing.",
  examples: ["feather whoami", "feather whoami --json email"],
  options: () => ({}),
  async run(context) {
    const { output, signedInClient, settings, signal } = context;
    const feather = await signedInClient();
    const user = await feather.auth.me({ signal }).catch(nullForScopedKey);
    if (user === null) {
      const plan = await feather.plan.get({ signal });
      if (!output.quiet) output.printDetails(createKeyView(plan), UNKNOWN_USER);
    } else {
      const isShown = !output.json && !output.quiet;
      const hasAdminRights = user.is_admin && isShown && (await canAdminister(feather, signal));
      output.printDetails(createUserView(hasAdminRights), user);
    }
    output.hint(`on ${settings().baseUrl}, by ${settings().secretSource}`);
  },
};

/** Returns null when a key may not read its owner; throws other errors. */
async function nullForScopedKey(error: unknown): Promise<null> {
  const { isApiError } = await import("@feather/sdk");
  if (!isApiError(error) || error.code !== "key_scope_denied") throw error;
  return null;
}
