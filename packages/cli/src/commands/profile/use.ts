import type { Command } from "../../command.ts";
import { readProfiles } from "../../config/config-file.ts";
import { setCurrentProfile } from "../../config/config-store.ts";
import { createUnknownProfileError } from "../../config/settings.ts";

/** Sets the profile that is used when none is named. */
export const profileUse: Command<{ readonly name: string }> = {
  name: "profile use",
  summary: "Choose the profile that holds from now on",
  arguments: [{ name: "<name>", summary: "profile", values: "profiles" }],
  examples: ["feather profile use work"],
  options: ([name = ""]) => ({ name }),
  async run({ io, output }, { name }) {
    const profiles = readProfiles(io.env.configDir);
    if (profiles[name] === undefined) throw createUnknownProfileError(name, Object.keys(profiles));
    await setCurrentProfile(io.env.configDir, name);
    output.info(`The profile ${name} holds from now on.`);
    if (io.env.profile !== undefined && io.env.profile !== name)
      output.info(`FEATHER_PROFILE is set to ${io.env.profile}, and goes before it.`);
  },
};
