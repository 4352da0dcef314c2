import { expandAlias } from "./commands/aliases.ts";
import type { Io } from "./output/io.ts";
import { createProgram, nameGroup, type ProgramOptions } from "./program.ts";

/** Runs one command line, given without the program's name. Returns the exit code. */
export async function run(argv: readonly string[], options: ProgramOptions): Promise<number> {
  const io = withForcedTerminal(options.io);
  const args = expandAlias(rewriteHelp(moveJsonFlag(argv)));
  try {
    const program = await createProgram(args, { ...options, io });
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    const [{ toExitReport }, { printExitReport }] = await Promise.all([
      import("./exit-report.ts"),
      import("./print-exit-report.ts"),
    ]);
    const report = toExitReport(error, nameGroup(args));
    // At a terminal a person reads the error, even where a program reads the result.
    const json = wantsJson(args) && io.stderr.isTTY !== true;
    printExitReport(report, io, { color: !args.includes("--no-color"), json });
    return report.exitCode;
  }
}

/** Rewrites `help models list` to `models list --help`, at any depth. */
function rewriteHelp(argv: readonly string[]): readonly string[] {
  return argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
}

/** Returns whether the result is JSON, so that programs expect errors as JSON too. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const flags = end === -1 ? argv : argv.slice(0, end);
  return flags.some(
    (word, index) =>
      /^--(json|jq)(=|$)/.test(word) ||
      word === "--format=json" ||
      (word === "json" && flags[index - 1] === "--format"),
  );
}

/** Moves a `--json` that is not followed by a list of fields to the end, so that it takes no value: `models show --json owner/name`. */
function moveJsonFlag(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const [flags, texts] = end === -1 ? [argv, []] : [argv.slice(0, end), argv.slice(end)];
  const at = flags.indexOf("--json");
  const next = flags[at + 1];
  if (at === -1 || next === undefined || next.startsWith("-") || /^[a-z_0-9]+(,[a-z_0-9]+)*$/.test(next))
    return [...argv];
  return [...flags.filter((_, index) => index !== at), "--json", ...texts];
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
