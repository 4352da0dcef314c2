import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { InitRun, RunInitContainer } from "@feather/testing/fake-kubernetes";
import { ENGINE_BINARY } from "../../../runtimes/engine-files.ts";

/** The address that pods of tests call; it replaces that of a Service. */
export const SERVER_URL = "http://feather.svc";
const EXIT_FAILED = 1;

/** Runs the init containers of the stand-in's pods with the engine's real program, each in its own folder. */
export function createPodDownloads(serverOf: () => string) {
  const root = mkdtempSync(join(tmpdir(), "pods-"));
  const runs: (InitRun & { folder: string })[] = [];
  const runInitContainer: RunInitContainer = ({ args, env }) => {
    const folder = join(root, String(runs.length));
    runs.push({ args, env, folder });
    const [command = "", , ...urls] = args;
    const reached = urls.map((url) => url.replace(SERVER_URL, serverOf()));
    return run([command, folder, ...reached], env);
  };
  return {
    runInitContainer,
    runs,
    /** Returns the content of the files that a pod has downloaded, by name. */
    filesOf: (index: number): Record<string, Buffer> => {
      const folder = runs[index]?.folder ?? "";
      return Object.fromEntries(readdirSync(folder).map((name) => [basename(name), readFileSync(join(folder, name))]));
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

function run(args: readonly string[], env: Record<string, string> | InitRun["env"]) {
  return new Promise<{ exitCode: number; message: string }>((resolve) => {
    const { PATH = "" } = process.env;
    const child = spawn(process.execPath, [ENGINE_BINARY, ...args], { env: { PATH, ...env } });
    let message = "";
    child.stderr.on("data", (text) => {
      message += text;
    });
    child.once("close", (code) => resolve({ exitCode: code ?? EXIT_FAILED, message }));
  });
}
