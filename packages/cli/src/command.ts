import { InvalidArgumentError } from "commander";
import type { Context } from "./context.ts";

export type FlagValues = Readonly<Record<string, unknown>>;
export type Flag = {
  /** As commander writes it: `-m, --model <id>`. */
  readonly name: string;
  readonly summary: string;
  readonly parse?: (text: string, earlier: unknown) => unknown;
  readonly choices?: readonly string[];
};

/** A command: what it is called and takes, how arguments become options, and what it does with them. */
export type Command<Options> = {
  /** Noun and verb: `models list`. */
  readonly name: string;
  readonly summary: string;
  /** As commander writes them: `<id>`, `[prompt...]`. */
  readonly arguments?: readonly string[];
  readonly flags?: readonly Flag[];
  /** `--json [fields]` and `--quiet`, `--json` alone, or neither. */
  readonly prints?: "fields" | "json";
  readonly examples: readonly string[];
  options(args: readonly string[], flags: FlagValues): Options;
  run(context: Context, options: Options): Promise<void>;
};

/** A command whose options are its own business. */
export type AnyCommand = Omit<Command<unknown>, "options" | "run"> & {
  execute(context: Context, args: readonly string[], flags: FlagValues): Promise<void>;
};

/** Puts a command into the table. */
export function entry<Options>(command: Command<Options>): AnyCommand {
  return { ...command, execute: (context, args, flags) => command.run(context, command.options(args, flags)) };
}

/** A flag's text, as a property that is absent when the flag is. */
export function given<Name extends string>(name: Name, value: unknown): { [K in Name]?: string } {
  return typeof value === "string" ? ({ [name]: value } as { [K in Name]?: string }) : {};
}

/** A flag's number, as a property that is absent when the flag is. */
export function givenNumber<Name extends string>(name: Name, value: unknown): { [K in Name]?: number } {
  return typeof value === "number" ? ({ [name]: value } as { [K in Name]?: number }) : {};
}

/** Parses a number between two bounds. */
export function numberBetween(least: number, most: number, whole: boolean): NonNullable<Flag["parse"]> {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= least && value <= most) || (whole && !Number.isInteger(value)))
      throw new InvalidArgumentError(
        `It must be ${whole ? "a whole number" : "a number"} ${most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `between ${least} and ${most}`}.`,
      );
    return value;
  };
}
