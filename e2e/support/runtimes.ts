import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PINNED_VERSIONS = join(import.meta.dirname, "../runtimes/package.json");
/** Not in the workspace's lockfile, because the runtimes are large and only tests need them. */
const RUNTIMES_FOLDER = join(import.meta.dirname, "../node_modules/.runtimes");
const PLATFORM = `${process.platform}-${process.arch}`;
const INSTALL_TIMEOUT_MS = 300_000;

/** The runtimes that are tested. */
export type RuntimeName = "node-20" | "node-22.12" | "node-22.19" | "node-24" | "node-26" | "bun" | "deno";

/**
 * Returns the executable of a runtime and the arguments before a script. `node-26` is the current process; the others
 * need `fetchRuntimes` first.
 */
export function runtimeCommand(name: RuntimeName): { file: string; args: string[] } {
  if (name === "node-26") return { file: process.execPath, args: [] };
  const modules = join(RUNTIMES_FOLDER, "node_modules");
  if (name === "bun") return { file: join(modules, `@oven/bun-${bunPlatform()}/bin/bun`), args: ["run"] };
  if (name === "deno")
    return {
      file: join(modules, `@deno/${PLATFORM}${process.platform === "linux" ? "-glibc" : ""}/deno`),
      args: ["run", "--allow-all", "--no-lock", "--node-modules-dir=manual"],
    };
  return { file: join(modules, `${name}-${PLATFORM}/bin/node`), args: [] };
}

const bunPlatform = (): string => PLATFORM.replace("arm64", "aarch64");

/**
 * Downloads the runtimes unless they are present, which takes about half a minute. Throws without access to the npm
 * registry.
 */
export function fetchRuntimes(): void {
  const pinned = readFileSync(PINNED_VERSIONS, "utf8");
  const marker = join(RUNTIMES_FOLDER, "fetched.json");
  if (existsSync(marker) && readFileSync(marker, "utf8") === pinned) return;
  mkdirSync(RUNTIMES_FOLDER, { recursive: true });
  copyFileSync(PINNED_VERSIONS, join(RUNTIMES_FOLDER, "package.json"));
  const result = spawnSync("npm", ["install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund"], {
    cwd: RUNTIMES_FOLDER,
    encoding: "utf8",
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (result.status !== 0)
    throw new Error(`The runtimes could not be fetched; this needs the npm registry once. ${result.stderr}`);
  copyFileSync(PINNED_VERSIONS, marker);
}
