import type { RegistrationResult, User } from "@feather/sdk";
import { feather } from "#/lib/feather.ts";

/** Returns whether a registration still requires a confirmation or an approval, and did not sign the user in. */
export const isPendingRegistration = (result: User | RegistrationResult): result is RegistrationResult =>
  "next" in result;

type Credentials = { email: string; password: string };
type RegistrationContext = { returnTo: string | null; invitation: string | null; search: string };

/** Creates an account, and passes on the campaign and the page that the visitor came from. */
export async function register(
  credentials: Credentials,
  context: RegistrationContext,
): Promise<User | RegistrationResult> {
  const state = await createRegistrationState(context);
  return feather.auth.register({
    ...credentials,
    ...(state !== null && { state }),
    ...(context.invitation !== null && { invitation: context.invitation }),
  });
}

/**
 * Returns the signed state with return path and campaign. Null where there is nothing to pass on, or where the request
 * fails: that must not prevent a registration.
 */
async function createRegistrationState({ returnTo, search }: RegistrationContext): Promise<string | null> {
  const utm = Object.fromEntries(
    [...new URLSearchParams(search)]
      .filter(([name, value]) => name.startsWith("utm_") && value !== "")
      .map(([name, value]) => [name.slice("utm_".length), value.slice(0, 100)]),
  );
  if (returnTo === null && Object.keys(utm).length === 0) return null;
  try {
    return (await feather.auth.state({ returnTo, utm })).state;
  } catch {
    return null;
  }
}
