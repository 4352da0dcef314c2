import type { Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { type Profile, readProfiles, writeProfile } from "../../config/file.ts";

/** Ends the sign-in and forgets it. An API key is only forgotten: others may use it. */
export const logout: Command<Record<string, never>> = {
  name: "logout",
  summary: "Sign out and forget the stored credential",
  examples: ["feather logout", "feather logout --profile work"],
  options: () => ({}),
  async run({ io, output, settings, clientWith, signal }) {
    const { profile, baseUrl } = settings();
    const stored = readProfiles(io.env.configDir)[profile];
    if (stored?.secret === undefined) {
      output.say(`Nobody was signed in on ${new URL(baseUrl).host}.`);
      return;
    }
    const isHere = (stored.baseUrl ?? baseUrl) === baseUrl;
    // A sign-in that has ended already, or a server that is away, must not keep the secret on the disk.
    const ended = isHere ? await end(stored, clientWith, signal) : true;
    await writeProfile(io.env.configDir, profile, undefined);
    output.say(`Signed out of ${new URL(stored.baseUrl ?? baseUrl).host}.`);
    if (!ended) output.say("The server was not reached: the sign-in ends there by itself.");
  },
};

async function end(
  { secret = "", refreshToken }: Profile,
  clientWith: (secret: string | undefined) => Promise<Feather>,
  signal: AbortSignal,
): Promise<boolean> {
  const options = { signal, maxRetries: 0 };
  try {
    if (refreshToken !== undefined) {
      const { CLIENT_ID } = await import("../../sign-in/client.ts");
      // Takes with it all tokens that came from the same sign-in.
      await (await clientWith(undefined)).oauth.revoke({ token: refreshToken, client_id: CLIENT_ID }, options);
    } else if (secret.startsWith("ses_")) await (await clientWith(secret)).auth.logout(options);
    return true;
  } catch {
    return false;
  }
}
