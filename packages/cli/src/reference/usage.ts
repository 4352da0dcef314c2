import type { AnyCommand } from "../command.ts";
import type { CommandGroup } from "../commands/command-group.ts";
import { loadCommands } from "../commands/command-group.ts";

/** A noun with its commands, as the reference describes it. */
export type Chapter = {
  readonly name: string;
  readonly summary: string;
  readonly section: string;
  readonly commands: readonly AnyCommand[];
};

/** Returns the usage line of a command: `feather models show <id> [options]`. */
export function formatUsage({ name, arguments: args = [] }: AnyCommand): string {
  return ["feather", name, ...args.map((argument) => argument.name), "[options]"].join(" ");
}

/** Loads all visible commands by noun, in order, with the commands of groups under their noun. */
export async function loadChapters(groups: readonly CommandGroup[]): Promise<readonly Chapter[]> {
  const chapters = new Map<string, Chapter>();
  for (const group of groups) {
    if (group.hidden) continue;
    const [noun = ""] = group.name.split(" ");
    const commands = (await loadCommands(group)).filter(({ hidden }) => !hidden);
    const known = chapters.get(noun);
    const { summary, section } = known ?? group;
    chapters.set(noun, { name: noun, summary, section, commands: [...(known?.commands ?? []), ...commands] });
  }
  return [...chapters.values()].map((chapter) => ({
    ...chapter,
    commands: [...new Map(chapter.commands.map((one) => [one.name, one])).values()],
  }));
}

/** The exit codes with their meaning. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done, or nothing to do"],
  [1, "failed, for no reason of the following"],
  [2, "wrong use: flags, arguments, a file that is not valid"],
  [3, "not found"],
  [4, "not signed in, or not allowed"],
  [5, "the work that was waited for ended badly"],
  [6, "conflict: a name is taken, or something has changed"],
  [7, "limited: units, rate, plan or credit; the JSON of the error says which"],
  [8, "timed out waiting, while the work goes on"],
  [9, "fault of the server, after trying again"],
  [10, "no connection: network, DNS, TLS or proxy"],
  [130, "interrupted"],
];

/** The environment variables of the program with their meaning. */
export const VARIABLES: readonly (readonly [name: string, meaning: string])[] = [
  ["FEATHER_BASE_URL", "address of the server; http://localhost:4000 if left out"],
  ["FEATHER_API_KEY, FEATHER_TOKEN", "an API key, or a session token; they go before what is stored"],
  ["FEATHER_PROFILE", "profile of the configuration, like --profile"],
  ["FEATHER_CONFIG_DIR, FEATHER_CACHE_DIR", "folders of the configuration and of the cache"],
  ["FEATHER_NO_HISTORY", "keep no prompts and no conversation for the next time"],
  ["FEATHER_NO_UPDATE_NOTICE, DO_NOT_TRACK", "do not look for newer versions"],
  ["FEATHER_FORCE_TTY", "pretend a terminal of so many columns"],
  ["HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "proxies"],
  ["NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM", "colour"],
  ["CI", "no questions, and one line for each step of work"],
  ["AI_AGENT, AGENT, and those of known coding agents", "the form for coding agents"],
];
