import type { Schemas } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import type { Sheet } from "../../output/index.ts";
import { adminLogin, mayAdminister } from "../../sign-in/rights.ts";

type User = Schemas["User"];
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

const userSheet = (administers: boolean): Sheet<User> => ({
  id: (user) => user.id,
  lines: (user) => [
    ["user", user.username, (text, style) => style.bold(text)],
    ["email", user.email],
    ["organization", `${user.organization.name}, as ${user.organization.role}`],
    ["plan", user.organization.current_subscription?.plan.name ?? "none"],
    ...(user.is_admin ? ([["rights", rightsText(user, administers)]] as const) : []),
  ],
});

const rightsText = ({ email }: User, administers: boolean): string =>
  administers ? "admin" : `admin, but not with this sign-in: ${adminLogin(email)}`;

/** View of a key that may call models, but not read its owner. */
const KEY_SHEET: Sheet<Plan> = {
  id: ({ id }) => id,
  lines: ({ name }) => [
    ["credential", "a key that may call models, and not read whose it is"],
    ["plan", name],
  ],
};

/** Shows the user that the credential belongs to, or what a key may do that cannot read its owner. */
export const whoami: Command<Record<string, never>> = {
  name: "whoami",
  summary: "Say who is signed in",
  prints: "one",
  fields: FIELDS,
  needs: "sign-in",
  examples: ["feather whoami", "feather whoami --json email"],
  options: () => ({}),
  async run(context) {
    const { output, signedIn, settings, signal } = context;
    const feather = await signedIn();
    const user = await feather.auth.me({ signal }).catch((error: unknown) => explainKey(context, error));
    if (user === null) output.one(KEY_SHEET, await feather.plan.get({ signal }));
    else {
      const isShown = !output.json && !output.quiet;
      const administers = user.is_admin && isShown && (await mayAdminister(feather, signal));
      output.one(userSheet(administers), user);
    }
    output.hint(`on ${settings().baseUrl}, by ${settings().secretSource}`);
  },
};

/** Returns null when a key may not read its owner; throws other errors, and this one too for `--json` and `--quiet`. */
async function explainKey({ output }: Context, error: unknown): Promise<null> {
  const { isApiError } = await import("@feather/sdk");
  if (output.json || output.quiet || !isApiError(error) || error.code !== "key_scope_denied") throw error;
  return null;
}
