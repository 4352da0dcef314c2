import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PINNED = join(import.meta.dirname, "../runtimes/package.json");
/** Not in the workspace's lockfile, because the runtimes are large and only tests need them. */
const FOLDER = join(import.meta.dirname, "../node_modules/.runtimes");
const MACHINE = `${process.platform}-${process.arch}`;
const LONG = 300_000;

/** The runtimes that are tested. */
export type Runtime = "node-20" | "node-22.12" | "node-22.19" | "node-24" | "node-26" | "bun" | "deno";

/**
 * Returns the executable of a runtime and the arguments before a script. `node-26` is the current process; the others
 * need `fetchRuntimes` first.
 */
export function runtime(name: Runtime): { file: string; args: string[] } {
  if (name === "node-26") return { file: process.execPath, args: [] };
  const modules = join(FOLDER, "node_modules");
  if (name === "bun") return { file: join(modules, `@oven/bun-${bunMachine()}/bin/bun`), args: ["run"] };
  if (name === "deno")
    return {
      file: join(modules, `@deno/${MACHINE}${process.platform === "linux" ? "-glibc" : ""}/deno`),
      args: ["run", "--allow-all", "--no-lock", "--node-modules-dir=manual"],
    };
  return { file: join(modules, `${name}-${MACHINE}/bin/node`), args: [] };
}

const bunMachine = (): string => MACHINE.replace("arm64", "aarch64");

/**
 * Downloads the runtimes unless they are present, which takes about half a minute. Throws without access to the npm
 * registry.
 */
export function fetchRuntimes(): void {
  const wanted = readFileSync(PINNED, "utf8");
  const mark = join(FOLDER, "fetched.json");
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  mkdirSync(FOLDER, { recursive: true });
  copyFileSync(PINNED, join(FOLDER, "package.json"));
  const fetched = spawnSync("npm", ["install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund"], {
    cwd: FOLDER,
    encoding: "utf8",
    timeout: LONG,
  });
  if (fetched.status !== 0)
    throw new Error(`The runtimes could not be fetched; this needs the npm registry once. ${fetched.stderr}`);
  copyFileSync(PINNED, mark);
}
