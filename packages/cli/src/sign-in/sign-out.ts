import { type Profile, readProfiles, writeProfile } from "../config/file.ts";
import { DEFAULT_BASE_URL } from "../config/settings.ts";
import type { Context } from "../context.ts";

/** Forgets a profile, and says whether its sign-in has ended at the server too. API keys are only forgotten: others may use them. */
export async function signOut(
  context: Context,
  name: string,
): Promise<{ readonly stored: Profile | undefined; readonly ended: boolean }> {
  const { configDir } = context.io.env;
  const stored = readProfiles(configDir)[name];
  // A sign-in that has ended already, or a server that is away, must not keep the secret on the disk.
  const ended = stored?.secret === undefined || (await end(context, stored));
  if (stored !== undefined) await writeProfile(configDir, name, undefined);
  return { stored, ended };
}

async function end({ clientAt, signal }: Context, { secret = "", refreshToken, baseUrl }: Profile): Promise<boolean> {
  const options = { signal, maxRetries: 0 };
  const server = baseUrl ?? DEFAULT_BASE_URL;
  try {
    if (refreshToken !== undefined) {
      const { CLIENT_ID } = await import("./client.ts");
      // Takes with it all tokens that came from the same sign-in.
      const client = await clientAt(server, undefined);
      await client.oauth.revoke({ token: refreshToken, client_id: CLIENT_ID }, options);
    } else if (secret.startsWith("ses_")) await (await clientAt(server, secret)).auth.logout(options);
    return true;
  } catch {
    return false;
  }
}
