import type { Command } from "../../command.ts";
import { readProfiles, writeProfile } from "../../config/file.ts";

/** Ends the session and forgets it. An API key is only forgotten: others may use it. */
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
    const session = stored.secret.startsWith("ses_") && (stored.baseUrl ?? baseUrl) === baseUrl;
    // A session that has ended already, or a server that is away, must not keep the secret on the disk.
    const ended = session ? await endSession(clientWith(stored.secret), signal) : true;
    await writeProfile(io.env.configDir, profile, undefined);
    output.say(`Signed out of ${new URL(stored.baseUrl ?? baseUrl).host}.`);
    if (!ended) output.say("The server was not reached: the session ends there by itself.");
  },
};

async function endSession(
  client: ReturnType<Parameters<Command<unknown>["run"]>[0]["clientWith"]>,
  signal: AbortSignal,
) {
  try {
    await (await client).auth.logout({ signal, maxRetries: 0 });
    return true;
  } catch {
    return false;
  }
}
