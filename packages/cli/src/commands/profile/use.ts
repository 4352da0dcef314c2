import type { Command } from "../../command.ts";
import { chooseProfile, readProfiles } from "../../config/file.ts";
import { unknownProfile } from "../../config/settings.ts";

/** Sets the profile that is used when none is named. */
export const profileUse: Command<{ readonly name: string }> = {
  name: "profile use",
  summary: "Choose the profile that holds from now on",
  arguments: [{ name: "<name>", summary: "profile", values: "profiles" }],
  examples: ["feather profile use work"],
  options: ([name = ""]) => ({ name }),
  async run({ io, output }, { name }) {
    const profiles = readProfiles(io.env.configDir);
    if (profiles[name] === undefined) throw unknownProfile(name, Object.keys(profiles));
    await chooseProfile(io.env.configDir, name);
    output.say(`The profile ${name} holds from now on.`);
    if (io.env.profile !== undefined && io.env.profile !== name)
      output.say(`FEATHER_PROFILE is set to ${io.env.profile}, and goes before it.`);
  },
};
