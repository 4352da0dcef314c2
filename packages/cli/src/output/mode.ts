import type { Environment } from "../config/environment.ts";
import { UsageError } from "../errors.ts";

/**
 * The form of results: a table for people, tab-separated lines for pipes, the same with a header for coding agents, JSON,
 * CSV, or ids only.
 */
export type Mode = "human" | "plain" | "agent" | "json" | "csv" | "quiet";

/** Flags that decide the mode. */
export type ModeFlags = {
  /** `--json`: true for all fields, or names of fields. */
  readonly json: string | true | undefined;
  readonly loadJqFilter: string | undefined;
  readonly template: string | undefined;
  readonly quiet: boolean;
  readonly csv: boolean;
  readonly format: Mode | undefined;
};

/** Returns the mode that the flags ask for, else the one for the environment. Throws `UsageError` for contradicting flags. */
export function resolveMode(flags: ModeFlags, env: Pick<Environment, "agent">, isTTY: boolean): Mode {
  const requested = (
    [
      ["--json", "json", flags.json !== undefined],
      ["--jq", "json", flags.loadJqFilter !== undefined],
      ["--template", "json", flags.template !== undefined],
      ["--quiet", "quiet", flags.quiet],
      ["--csv", "csv", flags.csv],
      ["--format", flags.format, flags.format !== undefined],
    ] as const
  ).filter(([, , isRequested]) => isRequested);
  const [first] = requested;
  const other = requested.find(([, mode]) => mode !== first?.[1]);
  if (first && other) throw new UsageError(`${first[0]} and ${other[0]} exclude each other`);
  return first?.[1] ?? (env.agent ? "agent" : isTTY ? "human" : "plain");
}
