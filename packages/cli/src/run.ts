import type { Io } from "./output/io.ts";
import { createProgram, type Run } from "./program.ts";

/** Runs one command line, without the program's name, and answers the exit code. */
export async function run(argv: readonly string[], world: Run): Promise<number> {
  const io = pretended(world.io);
  const line = askedForHelp(optionalLast(argv));
  try {
    const program = await createProgram(line, { ...world, io });
    if (line.length === 0) program.outputHelp();
    else await program.parseAsync(line, { from: "user" });
    return 0;
  } catch (error) {
    const [{ endingOf }, { report }] = await Promise.all([import("./exit.ts"), import("./report.ts")]);
    const ending = endingOf(error);
    report(ending, io, { color: !line.includes("--no-color"), json: wantsJson(line) });
    return ending.exitCode;
  }
}

/** `help models list` is `models list --help`, however deep. */
function askedForHelp(argv: readonly string[]): readonly string[] {
  return argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
}

/** Whether a program reads the result, and so the error. */
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

/** `--json` before something that is no list of fields stands for all fields: `models show --json owner/name`. */
function optionalLast(argv: readonly string[]): string[] {
  const at = argv.indexOf("--json");
  const next = argv[at + 1];
  if (at === -1 || next === undefined || next.startsWith("-") || /^[a-z_0-9]+(,[a-z_0-9]+)*$/.test(next))
    return [...argv];
  const rest = argv.filter((_, index) => index !== at);
  const end = rest.indexOf("--");
  return end === -1 ? [...rest, "--json"] : [...rest.slice(0, end), "--json", ...rest.slice(end)];
}

/** The streams as `FEATHER_FORCE_TTY` has them. */
function pretended(io: Io): Io {
  const columns = io.env.forcedColumns;
  if (columns === undefined) return io;
  const terminal = (stream: Io["stdout"]) => ({
    isTTY: true,
    columns,
    write: (text: string | Uint8Array) => stream.write(text),
  });
  return { ...io, stdout: terminal(io.stdout), stderr: terminal(io.stderr) };
}
