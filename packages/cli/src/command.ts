import type { Context } from "./context.ts";

export type FlagValues = Readonly<Record<string, unknown>>;

/** What a value is one of, for completion: things of the server or of this machine. */
export type Values =
  | "models"
  | "keys"
  | "deployments"
  | "private-models"
  | "apps"
  | "plans"
  | "profiles"
  | "paths"
  | "pages"
  | "files";

export type Argument = {
  /** As commander writes it: `<id>`, `[prompt...]`. */
  readonly name: string;
  readonly summary: string;
  readonly values?: Values;
  readonly choices?: readonly string[];
};

export type Flag = {
  /** As commander writes it: `-m, --model <id>`. */
  readonly name: string;
  readonly summary: string;
  readonly parse?: (text: string, earlier: unknown) => unknown;
  readonly choices?: readonly string[];
  readonly values?: Values;
  /** Name of the property that holds its value, where the one from its own name is taken. */
  readonly property?: string;
};

/** A command: what it is called and takes, how arguments become options, and what it does with them. */
export type Command<Options> = {
  /** Noun and verb: `models list`. */
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** What else a person should know, in sentences. */
  readonly about?: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: readonly Flag[];
  /**
   * `list` and `one` take `--json [fields]`, `--jq` and `--quiet`, and `list` takes `--csv`; `json` takes `--json` and
   * `--jq`. Without it, the command prints words or text of its own.
   */
  readonly prints?: "list" | "one" | "json";
  /** Names that `--json` takes; `list` and `one` have them. */
  readonly fields?: readonly string[];
  /** Takes `--limit`, `--page` and `--all`; see `pagingOf`. */
  readonly paged?: true;
  /** Asks before it does something that cannot be undone; takes `--yes`. See `context.confirm`. */
  readonly asks?: true;
  /** Can wait for work to end; takes `--wait` and `--timeout`. See `waitingOf`. */
  readonly waits?: true;
  /** Who has to be signed in; nobody if left out. */
  readonly needs?: "sign-in" | "admin";
  /** Makes a profile: `--profile` may name one that is not there yet. */
  readonly signsIn?: true;
  /** Is called by programs only, and stands in no help. */
  readonly hidden?: true;
  readonly examples: readonly string[];
  options(args: readonly string[], flags: FlagValues): Options;
  run(context: Context, options: Options): Promise<void>;
};

/** A command whose options are its own business. */
export type AnyCommand = Omit<Command<unknown>, "options" | "run"> & {
  execute(context: Context, args: readonly string[], flags: FlagValues): Promise<void>;
};

/** What has to be so before a command runs, in words. */
export const NEEDS = { "sign-in": "a sign-in or an API key", admin: "an admin of the platform" } as const;

/** Puts a command among those of its noun. What was given is checked before anything is asked of the server. */
export function entry<Options>(command: Command<Options>): AnyCommand {
  return {
    ...command,
    async execute(context, args, flags) {
      if (command.fields !== undefined) context.output.checkFields(command.fields);
      const options = command.options(args, flags);
      if (command.needs !== undefined) context.requireSignIn();
      try {
        await command.run(context, options);
      } catch (error) {
        throw await (await import("./sign-in/refusal.ts")).explained(context, error, command.needs === "admin");
      }
    },
  };
}
