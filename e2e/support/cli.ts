import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The built program of this checkout. */
export const FEATHER = join(import.meta.dirname, "../../packages/cli/bin/feather.js");

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };
type Place = {
  readonly baseUrl: string;
  /** A session token or key; nobody is signed in without one. */
  readonly token?: string;
  /** The runtime that runs it, and the program's file; this Node and this checkout if left out. */
  readonly runtime?: { readonly file: string; readonly args: readonly string[] };
  readonly program?: string;
};
type Run = {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Is told of every piece of stderr, and may end the program. */
  readonly heard?: (said: string, kill: (signal: NodeJS.Signals) => void) => void;
};

/** The program as a pipeline runs it: no terminal, input from a pipe, and a folder of its own for what it keeps. */
export function cli({ baseUrl, token, runtime = { file: process.execPath, args: [] }, program = FEATHER }: Place) {
  const home = mkdtempSync(join(tmpdir(), "feather-cli-"));

  function run(argv: string | readonly string[], { stdin = "", env = {}, cwd, heard }: Run = {}): Promise<Ended> {
    const words = typeof argv === "string" ? argv.split(" ") : argv;
    const child = spawn(runtime.file, [...runtime.args, program, ...words], {
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
    const told = { out: "", err: "" };
    child.stdout.on("data", (part: Buffer) => {
      told.out += part.toString();
    });
    child.stderr.on("data", (part: Buffer) => {
      told.err += part.toString();
      heard?.(told.err, (signal) => void child.kill(signal));
    });
    child.stdin.on("error", () => {}).end(stdin);
    return new Promise((resolve) => child.once("close", (code) => resolve({ ...told, code })));
  }

  return {
    home,
    run,
    /** The JSON that a command prints; throws with what it said when it fails. */
    async json<T>(argv: string | readonly string[], settings: Run = {}): Promise<T> {
      const { code, out, err } = await run(typeof argv === "string" ? `${argv} --json` : [...argv, "--json"], settings);
      if (code !== 0) throw new Error(`feather ${String(argv)} ended with ${code}: ${err}`);
      return JSON.parse(out) as T;
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

export type Cli = ReturnType<typeof cli>;
