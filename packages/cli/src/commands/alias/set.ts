import type { Command } from "../../command.ts";
import { writeAlias } from "../../config/config-store.ts";
import { UsageError } from "../../errors.ts";
import { ALIASES } from "../aliases.ts";
import { type CommandGroup, isCommandName } from "../command-group.ts";

const NAME = /^[a-z][a-z0-9-]{0,31}$/;

type AliasSetOptions = { readonly name: string; readonly words: readonly string[] };

/** Creates the command that gives a short name to one of the groups' commands, with its arguments and flags. */
export const createAliasSet = (groups: readonly CommandGroup[]): Command<AliasSetOptions> => ({
  name: "alias set",
  summary: "Give a short name to a command with its flags",
  description:
    "Write the command after --. What follows the short name later is added at the end. Names of commands stay what they are.",
  arguments: [
    { name: "<name>", summary: "the short name: small letters, digits and hyphens" },
    { name: "<words...>", summary: "the command that it stands for, after --" },
  ],
  examples: [
    "feather alias set coder -- chat -m Qwen/Qwen3-Coder-30B-A3B-Instruct",
    "feather alias set failed -- deployments list --state failed",
  ],
  options([name = "", ...words]) {
    if (!NAME.test(name)) throw new UsageError(`${name} is no short name`, "small letters, digits and hyphens: coder");
    if (isCommandName(groups, name) || Object.hasOwn(ALIASES, name))
      throw new UsageError(`feather ${name} is a command already`, "another name");
    if (!isCommandName(groups, words[0] ?? ""))
      throw new UsageError(`there is no command ${words[0]}`, `feather alias set ${name} -- chat -m <model>`);
    return { name, words };
  },
  async run({ io, output }, { name, words }) {
    await writeAlias(io.env.configDir, name, words);
    output.info(`feather ${name} stands for feather ${words.join(" ")} now.`);
  },
});
