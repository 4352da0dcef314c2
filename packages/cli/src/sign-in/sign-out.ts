import { readProfiles } from "../config/config-file.ts";
import type { Profile } from "../config/config-schema.ts";
import { writeProfile } from "../config/config-store.ts";
import { DEFAULT_BASE_URL } from "../config/settings.ts";
import type { Context } from "../context.ts";

/** Removes a profile; returns it, and whether its sign-in has ended at the server too. API keys stay valid: other programs may use them. */
export async function signOut(
  context: Context,
  name: string,
): Promise<{ readonly stored: Profile | undefined; readonly ended: boolean }> {
  const { configDir } = context.io.env;
  const stored = readProfiles(configDir)[name];
  // The secret is removed from disk even when the sign-in has ended already, or the server is unreachable.
  const ended = stored?.secret === undefined || (await endAtServer(context, stored));
  if (stored !== undefined) await writeProfile(configDir, name, undefined);
  return { stored, ended };
}

async function endAtServer(
  { createClientFor, signal }: Context,
  { secret = "", refreshToken, baseUrl }: Profile,
): Promise<boolean> {
  const options = { signal, maxRetries: 0 };
  const server = baseUrl ?? DEFAULT_BASE_URL;
  try {
    if (refreshToken !== undefined) {
      const { CLIENT_ID } = await import("./client.ts");
      // Revokes all tokens of the same sign-in.
      const client = await createClientFor(server, undefined);
      await client.oauth.revoke({ token: refreshToken, client_id: CLIENT_ID }, options);
    } else if (secret.startsWith("ses_")) await (await createClientFor(server, secret)).auth.logout(options);
    return true;
  } catch {
    return false;
  }
}
