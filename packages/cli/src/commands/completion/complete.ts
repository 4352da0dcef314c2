import type { Command } from "../../command.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import type { CommandGroup } from "../command-group.ts";

/** Creates the command that shells call: it prints the candidates for the last word, one per line, and nothing on errors. */
export const createCompleteCommand = (
  groups: readonly CommandGroup[],
): Command<{ readonly words: readonly string[] }> => ({
  name: "complete",
  summary: "Print candidates for the last word",
  arguments: [{ name: "[words...]", summary: "the command line up to the cursor, after the name of the program" }],
  flags: [{ name: "--next", summary: "a new word begins after these" }],
  hidden: true,
  examples: ["feather complete -- models sh"],
  options: (words, { next }) => ({ words: next === true ? [...words, ""] : words }),
  async run(context, { words }) {
    const [{ complete }, { createCandidateSource }] = await Promise.all([
      import("./candidates.ts"),
      import("./candidate-source.ts"),
    ]);
    const candidates = await complete(words, createCandidateSource(context), groups).catch(() => []);
    for (const { value, note } of candidates) context.output.print(`${value}\t${sanitizeLine(note)}`);
  },
});
