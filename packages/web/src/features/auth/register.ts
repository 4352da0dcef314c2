import type { Result } from "@feather/sdk";
import { feather } from "#/lib/feather.ts";

export type Registered = Result<"auth.register">;
export type Waits = Extract<Registered, { next: string }>;

export const isWaiting = (answer: Registered): answer is Waits => "next" in answer;

type Credentials = { email: string; password: string };
type Came = { returnTo: string | null; invitation: string | null; search: string };

/** Makes an account, and takes along where the visitor came from and wants to go. */
export async function register(credentials: Credentials, came: Came): Promise<Registered> {
  const state = await stateOf(came);
  return feather.auth.register({
    ...credentials,
    ...(state !== null && { state }),
    ...(came.invitation !== null && { invitation: came.invitation }),
  });
}

/** The signed state of what is to be carried (who referred them is sent once they are signed in); null where there is nothing, or where it cannot be had: it stops nobody. */
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
