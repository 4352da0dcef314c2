import type { Command } from "../../command.ts";
import { readConfig } from "../../config/config-file.ts";
import { ALIASES } from "../aliases.ts";

type Row = { readonly name: string; readonly words: readonly string[]; readonly own: boolean };

const FIELDS = ["name", "words", "own"] as const satisfies readonly (keyof Row)[];

/** Lists short names: those of the program, and the person's own. */
export const aliasList: Command<Record<string, never>> = {
  name: "alias list",
  summary: "List the short names of commands",
  prints: "list",
  fields: FIELDS,
  examples: ["feather alias list"],
  options: () => ({}),
  async run({ io, output }) {
    const toRows = (aliases: typeof ALIASES, own: boolean): Row[] =>
      Object.entries(aliases).map(([name, words]) => ({ name, words, own }));
    const rows = [...toRows(readConfig(io.env.configDir).aliases, true), ...toRows(ALIASES, false)];
    const columns = [
      { header: "NAME", cell: ({ name }: Row) => name },
      { header: "STANDS FOR", cell: ({ words }: Row) => words.join(" ") },
      { header: "", cell: ({ own }: Row) => (own ? "yours" : "") },
    ];
    output.printList({ columns, id: ({ name }: Row) => name, noun: "short names", empty: "" }, rows, rows);
  },
};
