import type { Command } from "../../command.ts";
import { readProfiles } from "../../config/config-file.ts";
import { createUnknownProfileError } from "../../config/settings.ts";
import { signOut } from "../../sign-in/sign-out.ts";
import { PROFILE_ARGUMENT, resolveProfile } from "./profile.ts";

/** Removes a profile, and ends its sign-in at the server. */
export const profileRemove: Command<{ readonly name: string }> = {
  name: "profile remove",
  summary: "Sign a profile out and forget it",
  arguments: [PROFILE_ARGUMENT],
  confirms: true,
  examples: ["feather profile remove work --yes"],
  options: ([name = ""]) => ({ name }),
  async run(context, { name: given }) {
    const profiles = readProfiles(context.io.env.configDir);
    const name = await resolveProfile(context, profiles, given);
    if (profiles[name] === undefined) throw createUnknownProfileError(name, Object.keys(profiles));
    await context.confirm(`Forget the profile ${name} and its sign-in?`);
    const { ended } = await signOut(context, name);
    context.output.info(`Forgot the profile ${name}.`);
    if (!ended) context.output.info("The server was not reached: the sign-in ends there by itself.");
  },
};
