import type { Command } from "../../command.ts";
import { readProfiles } from "../../config/config-file.ts";
import { setCurrentProfile } from "../../config/config-store.ts";
import { createUnknownProfileError } from "../../config/settings.ts";
import { PROFILE_ARGUMENT, resolveProfile } from "./profile.ts";

/** Sets the profile that is used when none is named. */
export const profileUse: Command<{ readonly name: string }> = {
  name: "profile use",
  summary: "Choose the profile that holds from now on",
  arguments: [PROFILE_ARGUMENT],
  examples: ["feather profile use work"],
  options: ([name = ""]) => ({ name }),
  async run(context, { name: given }) {
    const { io, output } = context;
    const profiles = readProfiles(io.env.configDir);
    const name = await resolveProfile(context, profiles, given);
    if (profiles[name] === undefined) throw createUnknownProfileError(name, Object.keys(profiles));
    await setCurrentProfile(io.env.configDir, name);
    output.info(`The profile ${name} holds from now on.`);
    if (io.env.profile !== undefined && io.env.profile !== name)
      output.info(`FEATHER_PROFILE is set to ${io.env.profile}, and goes before it.`);
  },
};
