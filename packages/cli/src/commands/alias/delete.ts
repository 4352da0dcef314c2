import type { Command } from "../../command.ts";
import { readConfig } from "../../config/config-file.ts";
import { writeAlias } from "../../config/config-store.ts";
import { ResourceNotFoundError } from "../../errors.ts";

/** Removes a short name of the person's own. */
export const aliasDelete: Command<{ readonly name: string }> = {
  name: "alias delete",
  summary: "Remove a short name of your own",
  arguments: [{ name: "<name>", summary: "the short name" }],
  examples: ["feather alias delete coder"],
  options: ([name = ""]) => ({ name }),
  async run({ io, output }, { name }) {
    const { configDir } = io.env;
    if (!Object.hasOwn(readConfig(configDir).aliases, name))
      throw new ResourceNotFoundError(`there is no short name ${name} of yours`, "feather alias list");
    await writeAlias(configDir, name, undefined);
    output.info(`Removed ${name}.`);
  },
};
