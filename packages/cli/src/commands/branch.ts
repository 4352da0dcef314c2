import type { AnyCommand } from "../command.ts";

/** A noun, or a group below one, and where its commands are. They are loaded when they are called for. */
export type Branch = {
  /** `models`, or `admin users`. */
  readonly name: string;
  readonly summary: string;
  readonly section: Section;
  /** The commands whose names begin with this one, or are it. */
  readonly load: () => Promise<readonly AnyCommand[]>;
  readonly hidden?: true;
};

/** Groups that are no branch of their own, and what they are for. */
export const GROUPS: Readonly<Record<string, string>> = {
  admin: "Operate the platform",
  "models reviews": "Read and write reviews of models",
  "models pulls": "See and stop downloads from the hub",
};

/** Headings of `feather --help`, in their order. */
export const SECTIONS = ["Sign in", "Models", "Account", "Hosting", "Operating", "Tools"] as const;
export type Section = (typeof SECTIONS)[number];

/** All commands, in the order of their branches. */
export async function allCommands(table: readonly Branch[]): Promise<readonly AnyCommand[]> {
  return (await Promise.all(table.map(commandsOf))).flat();
}

/** The commands of a branch: others may live in the same files. */
export async function commandsOf({ name, load }: Branch): Promise<readonly AnyCommand[]> {
  return (await load()).filter((command) => command.name === name || command.name.startsWith(`${name} `));
}
