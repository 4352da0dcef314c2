import { resolve } from "node:path";
import { parseCommandLine, runCommand, UsageError } from "./run-command.ts";

/** A command with the path of a backup and at most one option. */
type FileCommand = {
  help: string;
  /** The name of the option, without its dashes. */
  option?: string;
  /** Runs the command with the absolute path. Returns the exit code. */
  run(file: string, isOptionGiven: boolean): Promise<number>;
};

/** Runs a command that takes the path of a backup. For a wrong command line, prints the help and exits with code 2. */
export function runFileCommand({ help, option, run }: FileCommand): void {
  runCommand(async () => {
    const { values, positionals } = parseCommandLine({
      options: { help: { type: "boolean", short: "h" }, ...(option && { [option]: { type: "boolean" as const } }) },
      allowPositionals: true,
    });
    if (values.help) {
      process.stdout.write(help);
      return 0;
    }
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new UsageError(help);
    return run(resolve(file), option !== undefined && (values as Record<string, unknown>)[option] === true);
  });
}
