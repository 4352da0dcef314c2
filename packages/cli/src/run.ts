import { createProgram, type Run } from "./program.ts";

/** Runs one command line, without the program's name, and answers the exit code. */
export async function run(argv: readonly string[], world: Run): Promise<number> {
  try {
    const program = createProgram(world);
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(optionalLast(argv), { from: "user" });
    return 0;
  } catch (error) {
    const [{ endingOf }, { report }] = await Promise.all([import("./exit.ts"), import("./report.ts")]);
    const ending = endingOf(error);
    report(ending, world.io, {
      color: !argv.includes("--no-color"),
      json: argv.some((word) => word === "--json" || word.startsWith("--json=")),
    });
    return ending.exitCode;
  }
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
