import type { Argument, Flag, FlagValues } from "./command-line.ts";
import type { Context } from "./context.ts";
import { runPublicly } from "./sign-in/ended-sign-in.ts";

/** A command: its name, arguments and flags, how it parses them into options, and how it runs. */
export type Command<Options> = {
  /** Noun and verb: `models list`. */
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** More about the command for its help, in sentences. */
  readonly description?: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: readonly Flag[];
  /**
   * The kind of result, which adds flags: `list` and `one` take `--json [fields]`, `--jq`, `--template` and `--quiet`, `list` takes `--csv`
   * too; `json` takes `--json`, `--jq` and `--template`, and `secret`, for what is shown once, `--quiet` too. Commands without it print text
   * only.
   */
  readonly prints?: "list" | "one" | "json" | "secret";
  /** Field names that `--json` accepts; required for `list` and `one`. */
  readonly fields?: readonly string[];
  /** Adds `--limit`, `--page` and `--all`; see `parsePaging`. */
  readonly paged?: true;
  /** Asks for confirmation before something that cannot be undone; adds `--yes`. See `context.confirm`. */
  readonly confirms?: true;
  /** Can wait until the work has ended; adds `--wait` and `--timeout`. See `parseWaitOptions`. */
  readonly waits?: true;
  /** Who has to be signed in. Without it the command needs no sign-in. */
  readonly needs?: "sign-in" | "admin";
  /** The command shows what everybody may see: a stored sign-in that has ended does not stop it. It only reads. */
  readonly isPublic?: true;
  /** The command creates a profile: `--profile` may name one that does not exist yet. */
  readonly createsProfile?: true;
  /** For programs only: not listed in help or the reference. */
  readonly hidden?: true;
  readonly examples: readonly string[];
  /** Turns arguments and flags into options. Throws `UsageError` for those that do not go together. */
  options(args: readonly string[], flags: FlagValues, now: Date): Options;
  run(context: Context, options: Options): Promise<void>;
};

/** A command whose type of options is hidden, so that commands can be listed together. */
export type AnyCommand = Omit<Command<unknown>, "options" | "run"> & {
  /** Turns arguments and flags into options, without running anything. */
  parse(args: readonly string[], flags: FlagValues, now: Date): unknown;
  execute(context: Context, args: readonly string[], flags: FlagValues): Promise<void>;
};

/** The requirements of `needs` in words, for help and reference. */
export const REQUIREMENT_LABELS = { "sign-in": "a sign-in or an API key", admin: "an admin of the platform" } as const;

/** Turns a command into one of a list. Fields, options and sign-in are checked before any request is sent. */
export function defineCommand<Options>(command: Command<Options>): AnyCommand {
  return {
    ...command,
    parse: (args, flags, now) => command.options(args, flags, now),
    async execute(context, args, flags) {
      if (command.fields !== undefined) context.output.checkFields(command.fields);
      const options = command.options(args, flags, context.now());
      if (command.needs !== undefined) context.requireSignIn();
      try {
        if (command.isPublic) await runPublicly(context, (each) => command.run(each, options));
        else await command.run(context, options);
      } catch (error) {
        throw await (await import("./sign-in/access-errors.ts")).explainAccessError(
          context,
          error,
          command.needs === "admin",
        );
      }
    },
  };
}
