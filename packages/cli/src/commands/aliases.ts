import type { Aliases } from "../config/config-schema.ts";
import { GLOBAL_FLAGS } from "../flags.ts";

/** Short names of commands that other programs have too, and the words that replace them. */
export const ALIASES: Aliases = {
  ls: ["models", "list"],
  pull: ["models", "pull"],
  orgs: ["organization", "list"],
};

const VALUE_FLAGS = new Set(GLOBAL_FLAGS.flatMap(({ name }) => (name.includes("<") ? [name.split(" ")[0]] : [])));

/** Returns whether a word of a command line is neither a flag nor the value of a flag of all commands. */
export const isCommandWord = (word: string, previous: string | undefined): boolean =>
  !word.startsWith("-") && !VALUE_FLAGS.has(previous);

/**
 * Returns the command line with a short name replaced by its words, once. `readOwn` returns the person's short names, with which a
 * word that is none of the program's is looked up.
 */
export function expandAlias(
  argv: readonly string[],
  readOwn: (word: string) => Aliases = () => ({}),
): readonly string[] {
  const at = argv.findIndex((word, index) => isCommandWord(word, argv[index - 1]));
  const word = argv[at];
  if (word === undefined) return argv;
  const aliases = Object.hasOwn(ALIASES, word) ? ALIASES : readOwn(word);
  const words = Object.hasOwn(aliases, word) ? aliases[word] : undefined;
  return words === undefined ? argv : [...argv.slice(0, at), ...words, ...argv.slice(at + 1)];
}
