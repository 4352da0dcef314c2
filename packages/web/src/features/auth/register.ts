import type { Result } from "@feather/sdk";
import { feather } from "#/lib/feather.ts";

/** The response to a registration: the signed-in user, or what is still required. */
export type Registered = Result<"auth.register">;
/** A registration that still requires a confirmation or an approval. */
export type Waits = Extract<Registered, { next: string }>;

/** Returns whether a registration still requires a confirmation or an approval. */
export const isWaiting = (answer: Registered): answer is Waits => "next" in answer;

type Credentials = { email: string; password: string };
type Came = { returnTo: string | null; invitation: string | null; search: string };

/** Creates an account, and passes on the campaign and the page that the visitor came from. */
export async function register(credentials: Credentials, came: Came): Promise<Registered> {
  const state = await stateOf(came);
  return feather.auth.register({
    ...credentials,
    ...(state !== null && { state }),
    ...(came.invitation !== null && { invitation: came.invitation }),
  });
}

/**
 * Returns the signed state with return path and campaign. Null where there is nothing to pass on, or where the request
 * fails: that must not prevent a registration.
 */
async function stateOf({ returnTo, search }: Came): Promise<string | null> {
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
