import type { Command } from "../../command.ts";
import { SCRIPTS, SHELLS, type Shell } from "./scripts.ts";

/** Prints the completion script of a shell. */
export const completion: Command<{ readonly shell: Shell }> = {
  name: "completion",
  summary: "Print a script that completes command lines",
  description:
    "Nouns, verbs, flags and fields are completed, and names of models, keys, deployments and profiles; those of the " +
    "server are asked for at most every five minutes.",
  arguments: [{ name: "<shell>", summary: "bash, zsh, fish or powershell", choices: SHELLS }],
  examples: [
    'eval "$(feather completion bash)"',
    "source <(feather completion zsh)",
    "feather completion fish > ~/.config/fish/completions/feather.fish",
    "feather completion powershell | Out-String | Invoke-Expression",
  ],
  options: ([shell]) => ({ shell: SHELLS.find((known) => known === shell) ?? "bash" }),
  async run({ output }, { shell }) {
    output.print(SCRIPTS[shell]);
  },
};
