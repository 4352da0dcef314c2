import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The built CLI of this checkout. */
export const FEATHER = join(import.meta.dirname, "../../packages/cli/bin/feather.js");

/** Exit code and output of a command; the code is null if a signal ended it. */
export type CliResult = { readonly code: number | null; readonly stdout: string; readonly stderr: string };
type CliOptions = {
  readonly baseUrl: string;
  /** A session token or API key; signed out without one. */
  readonly token?: string;
  /** The runtime, and the CLI's file; by default this Node and this checkout. */
  readonly runtime?: { readonly file: string; readonly args: readonly string[] };
  readonly program?: string;
};
type RunOptions = {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Called with all of stdout so far. */
  readonly onStdout?: (text: string) => void;
  /** Called with all of stderr so far, and a function that kills the command. */
  readonly onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
};

/** Runs the CLI as in a pipeline: no terminal, stdin from a pipe, and its own configuration folder. */
export function createCli({
  baseUrl,
  token,
  runtime = { file: process.execPath, args: [] },
  program = FEATHER,
}: CliOptions) {
  const home = mkdtempSync(join(tmpdir(), "feather-cli-"));

  function run(
    argv: string | readonly string[],
    { stdin = "", env = {}, cwd, onStdout, onStderr }: RunOptions = {},
  ): Promise<CliResult> {
    const cliArguments = typeof argv === "string" ? argv.split(" ") : argv;
    const child = spawn(runtime.file, [...runtime.args, program, ...cliArguments], {
      ...(cwd !== undefined && { cwd }),
      env: {
        PATH: process.env.PATH ?? "",
        HOME: home,
        LANG: "C.UTF-8",
        FEATHER_CONFIG_DIR: join(home, "config"),
        FEATHER_BASE_URL: baseUrl,
        ...(token !== undefined && { FEATHER_TOKEN: token }),
        ...env,
      },
    });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (part: Buffer) => {
      output.stdout += part.toString();
      onStdout?.(output.stdout);
    });
    child.stderr.on("data", (part: Buffer) => {
      output.stderr += part.toString();
      onStderr?.(output.stderr, (signal) => void child.kill(signal));
    });
    child.stdin.on("error", () => {}).end(stdin);
    return new Promise((resolve) => child.once("close", (code) => resolve({ ...output, code })));
  }

  return {
    home,
    run,
    /** Returns the JSON that a command prints. Throws with its stderr if it fails. */
    async json<T>(argv: string | readonly string[], settings: RunOptions = {}): Promise<T> {
      const { code, stdout, stderr } = await run(
        typeof argv === "string" ? `${argv} --json` : [...argv, "--json"],
        settings,
      );
      if (code !== 0) throw new Error(`feather ${String(argv)} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** The object returned by `createCli`. */
export type Cli = ReturnType<typeof createCli>;
