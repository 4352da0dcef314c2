import type { Command } from "../../command.ts";
import { DEFAULT_BASE_URL } from "../../config/settings.ts";
import { signOut } from "../../sign-in/sign-out.ts";

/** Ends the sign-in at the server and removes it from the configuration. API keys are only removed: other programs may use them. */
export const logout: Command<Record<string, never>> = {
  name: "logout",
  summary: "Sign out and forget the stored credential",
  examples: ["feather logout", "feather logout --profile work"],
  options: () => ({}),
  async run(context) {
    const { output, settings } = context;
    const { profile, baseUrl } = settings();
    const { stored, ended } = await signOut(context, profile);
    if (stored?.secret === undefined) {
      output.info(`Nobody was signed in on ${new URL(baseUrl).host}.`);
      return;
    }
    output.info(`Signed out of ${new URL(stored.baseUrl ?? DEFAULT_BASE_URL).host}.`);
    if (!ended) output.info("The server was not reached: the sign-in ends there by itself.");
  },
};
