import type { Command as Parser } from "commander";
import type { FlagValues } from "../command-line.ts";
import type { GlobalFlags, Runtime } from "../context.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../output/io.ts";
import type { Mode } from "../output/mode.ts";
import { loadMeasureWidth, measureAsciiWidth } from "../output/width.ts";
import { createContext } from "./create-context.ts";
import { createParser } from "./parser.ts";

/** The runtime, streams and version that the program runs with. */
export type ProgramOptions = Runtime & { readonly io: Io; readonly version: string };

/** Creates the parser that runs the command of this command line. Wrong use throws `CommanderError`. */
export function createProgram(argv: readonly string[], { io, version, ...runtime }: ProgramOptions): Promise<Parser> {
  return createParser(argv, { io, version }, async (command, args, flags) => {
    const globals = toGlobalFlags(flags);
    const needsWidths = io.stdout.isTTY === true || io.stderr.isTTY === true || globals.format === "human";
    const measure = needsWidths ? await loadMeasureWidth() : measureAsciiWidth;
    const filter = await loadFilter(globals, io.stdout.isTTY === true);
    const context = createContext(
      io,
      {
        flags: globals,
        argv,
        filter,
        measure,
        allowsNewProfile: command.createsProfile === true,
        version,
      },
      runtime,
    );
    // Hidden commands are run by other programs, such as a shell that completes a command line.
    if (command.hidden) context.output.waits.suspend();
    try {
      await command.execute(context, args, flags);
    } finally {
      context.output.waits.close();
    }
  });
}

/** Returns what turns JSON into the text of `--jq` or `--template`; undefined without these. Throws `UsageError` for both. */
async function loadFilter({ loadJqFilter, template }: GlobalFlags, pretty: boolean) {
  if (loadJqFilter !== undefined && template !== undefined)
    throw new UsageError("--template and --jq exclude each other");
  if (template !== undefined) return (await import("../output/filters/template.ts")).createTemplateFilter(template);
  if (loadJqFilter === undefined) return undefined;
  return (await import("../output/filters/jq.ts")).createJqFilter(loadJqFilter, pretty);
}

function toGlobalFlags(flags: FlagValues): GlobalFlags {
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    json: flags.json === true ? true : text(flags.json),
    loadJqFilter: text(flags.jq),
    template: text(flags.template),
    quiet: flags.quiet === true,
    csv: flags.csv === true,
    format: text(flags.format) as Mode | undefined,
    color: flags.color !== false,
    debug: flags.debug === true,
    input: flags.input !== false,
    yes: flags.yes === true,
    baseUrl: text(flags.baseUrl),
    profile: text(flags.profile),
  };
}
