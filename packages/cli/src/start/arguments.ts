import { expandAlias } from "../commands/aliases.ts";
import { isCommandName } from "../commands/command-group.ts";
import { COMMANDS } from "../commands/registry.ts";
import type { Aliases } from "../config/config-schema.ts";

/** Returns a command line in the form that the parser takes: with whole names of commands, and `--help` instead of `help`. */
export const normalizeArguments = (argv: readonly string[], readOwnAliases: () => Aliases): readonly string[] =>
  moveJsonFlag(expandAlias(rewriteHelp(argv), (word) => (isCommandName(COMMANDS, word) ? {} : readOwnAliases())));

/** Rewrites `help models list` to `models list --help`, at any depth. */
function rewriteHelp(argv: readonly string[]): readonly string[] {
  return argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
}

/** Returns whether the result is JSON, so that programs expect errors as JSON too. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const flags = end === -1 ? argv : argv.slice(0, end);
  return flags.some(
    (word, index) =>
      /^--(json|jq|template)(=|$)/.test(word) ||
      word === "--format=json" ||
      (word === "json" && flags[index - 1] === "--format"),
  );
}

/** Moves a `--json` that is not followed by a list of fields to the end, so that it takes no value: `models show --json owner/name`. */
function moveJsonFlag(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const [flags, texts] = end === -1 ? [argv, []] : [argv.slice(0, end), argv.slice(end)];
  const at = flags.indexOf("--json");
  const next = flags[at + 1];
  if (at === -1 || next === undefined || next.startsWith("-") || /^[a-z_0-9]+(,[a-z_0-9]+)*$/.test(next))
    return [...argv];
  return [...flags.filter((_, index) => index !== at), "--json", ...texts];
}
