import { readAliases } from "../config/config-file.ts";
import type { Io } from "../output/io.ts";
import { normalizeArguments, wantsJson } from "./arguments.ts";
import { nameGroup } from "./parser.ts";
import { createProgram, type ProgramOptions } from "./program.ts";

/** Runs one command line, given without the program's name. Returns the exit code. */
export async function run(argv: readonly string[], options: ProgramOptions): Promise<number> {
  const io = withForcedTerminal(options.io);
  const args = normalizeArguments(argv, () => readAliases(io.env.configDir));
  try {
    const program = await createProgram(args, { ...options, io });
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    const [{ toExitReport }, { printExitReport }] = await Promise.all([
      import("../exit/exit-report.ts"),
      import("../exit/print-exit-report.ts"),
    ]);
    const report = toExitReport(error, nameGroup(args));
    // At a terminal a person reads the error, even where a program reads the result.
    const json = wantsJson(args) && io.stderr.isTTY !== true;
    printExitReport(report, io, { color: !args.includes("--no-color"), json });
    return report.exitCode;
  }
}

/** Makes the streams terminals when `FEATHER_FORCE_TTY` is set. */
function withForcedTerminal(io: Io): Io {
  const columns = io.env.forcedColumns;
  if (columns === undefined) return io;
  const terminal = (stream: Io["stdout"]) => ({
    isTTY: true,
    columns,
    write: (text: string | Uint8Array) => stream.write(text),
  });
  return { ...io, stdout: terminal(io.stdout), stderr: terminal(io.stderr) };
}
