import type { Command } from "../../command.ts";
import { readConfig } from "../../config/config-file.ts";
import { DEFAULT_BASE_URL } from "../../config/settings.ts";
import type { Column } from "../../output/table.ts";

type Row = {
  readonly name: string;
  readonly base_url: string;
  readonly user: string | null;
  readonly signed_in: boolean;
  readonly current: boolean;
};

const FIELDS = ["name", "base_url", "user", "signed_in", "current"] as const satisfies readonly (keyof Row)[];

const COLUMNS: readonly Column<Row>[] = [
  { header: "PROFILE", cell: (row) => row.name, paint: (text, style) => style.bold(text) },
  { header: "SERVER", cell: (row) => row.base_url },
  { header: "USER", cell: (row) => row.user ?? "", dropOrder: 1 },
  { header: "", cell: (row) => (row.current ? "in use" : ""), paint: (text, style) => style.accent(text) },
];

/** Lists the profiles of the configuration, without their secrets. */
export const profileList: Command<Record<string, never>> = {
  name: "profile list",
  summary: "List the profiles of this machine",
  prints: "list",
  fields: FIELDS,
  examples: ["feather profile list"],
  options: () => ({}),
  async run({ io, output, flags }) {
    const { profiles, current } = readConfig(io.env.configDir);
    const inUse = flags.profile ?? io.env.profile ?? current;
    const rows = Object.entries(profiles).map(([name, { baseUrl, name: user, secret }]) => ({
      name,
      base_url: baseUrl ?? DEFAULT_BASE_URL,
      user: user ?? null,
      signed_in: secret !== undefined,
      current: name === inUse,
    }));
    const empty = "There are no profiles yet. feather login makes one; --profile <name> gives it a name.";
    output.printList({ columns: COLUMNS, id: ({ name }) => name, noun: "profiles", empty }, rows, rows);
  },
};
