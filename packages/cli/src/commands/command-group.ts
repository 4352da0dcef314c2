import type { AnyCommand } from "../command.ts";

/** The commands of a noun or of a group below it, which are loaded on demand. */
export type CommandGroup = {
  /** `models`, or `admin users`. */
  readonly name: string;
  readonly summary: string;
  readonly section: Section;
  /** Loads commands; those with another prefix than `name` are ignored. */
  readonly load: () => Promise<readonly AnyCommand[]>;
  readonly hidden?: true;
};

/** Summaries of groups without an entry of their own in `COMMANDS`. */
export const GROUP_SUMMARIES: Readonly<Record<string, string>> = {
  "admin backends keys": "List, add and remove the keys of a backend",
  admin: "Operate the platform",
  "admin marketplaces meters": "List, set and remove what is metered at marketplaces",
  "admin marketplaces payouts": "List, record and reverse what marketplaces paid",
  "chats shares": "List and revoke the links under which your chats can be read",
  "credits metering": "Let a marketplace bill what is used beyond the credits",
  "credits auto-top-up": "Buy credits automatically when few are left",
  "models reviews": "Read and write reviews of models",
  "models pulls": "See and stop downloads from the hub",
  "tools servers": "Manage the servers that have tools",
};

/** Headings of `feather --help`, in order. */
export const SECTIONS = ["Sign in", "Models", "Account", "Hosting", "Operating", "Tools"] as const;
/** A heading of `feather --help`. */
export type Section = (typeof SECTIONS)[number];

/** Returns whether a word begins a command, so that it can have no other meaning. */
export const isCommandName = (groups: readonly CommandGroup[], word: string): boolean =>
  word === "help" || groups.some(({ name }) => name.split(" ")[0] === word);

/** Loads all commands, in the order of their groups. */
export async function loadAllCommands(groups: readonly CommandGroup[]): Promise<readonly AnyCommand[]> {
  return (await Promise.all(groups.map(loadCommands))).flat();
}

/** Loads the commands of a group. A module may hold those of several groups. */
export async function loadCommands({ name, load }: CommandGroup): Promise<readonly AnyCommand[]> {
  return (await load()).filter((command) => command.name === name || command.name.startsWith(`${name} `));
}
