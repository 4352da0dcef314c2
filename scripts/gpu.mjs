// Installs llama.cpp's bindings for a graphics card, where there is one. Runs on the host's Node, before anything is
// installed.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const RENDER_NODE = /^renderD\d+$/;
const VULKAN_LOADERS = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"].map((path) => `${path}/libvulkan.so.1`);
const NVIDIA_TIME_LIMIT_MS = 10_000;
const INSTALL_TIME_LIMIT_MS = 900_000;
const SETTING = "FEATHER_GPU";
const SCOPE = "@node-llama-cpp";

/**
 * What decides about bindings. `readNvidia` returns what `nvidia-smi -L` prints, `listNodes` the names below `/dev/dri`.
 * @typedef {{ setting: string | undefined, platform: string, arch: string, isGlibc: boolean, readNvidia: () => string, listNodes: () => string[], hasVulkan: () => boolean }} Machine
 */

/**
 * Returns which bindings this machine needs besides those for the processor. A card of NVIDIA gets those for Vulkan too where
 * its loader is: the ones for CUDA have no machine code for some cards, such as Hopper's. On a Mac the ones for Metal are among
 * the packages of the workspace.
 * @param {Machine} machine @returns {("cuda" | "vulkan")[]}
 */
export function chooseGpuBindings({ setting = "auto", platform, arch, isGlibc, readNvidia, listNodes, hasVulkan }) {
  if (platform !== "linux" || arch !== "x64" || !isGlibc) return [];
  if (setting === "cuda" || setting === "vulkan") return [setting];
  if (setting !== "auto") return [];
  const hasNvidia = /^GPU \d+:/m.test(readNvidia());
  const mayUseVulkan = hasNvidia || listNodes().some((name) => RENDER_NODE.test(name));
  return [
    ...(hasNvidia ? [/** @type {const} */ ("cuda")] : []),
    ...(mayUseVulkan && hasVulkan() ? [/** @type {const} */ ("vulkan")] : []),
  ];
}

function usesGlibc() {
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header?.glibcVersionRuntime !== undefined;
}

/**
 * Returns the setting from the environment, else from feather.config.yaml, which the server reads too. There is no YAML
 * parser before the installation, so the setting must have its own line there: `FEATHER_GPU: vulkan`.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined}
 */
export function readGpuSetting(root, env) {
  if (env[SETTING]) return env[SETTING];
  const file = join(root, "feather.config.yaml");
  if (!existsSync(file)) return undefined;
  const [, , value] =
    /^FEATHER_GPU[ \t]*:[ \t]*(["']?)([a-z]+)\1[ \t]*(?:#.*)?$/m.exec(readFileSync(file, "utf8")) ?? [];
  return value;
}

/** Reads this machine. @param {string} root @returns {Machine} */
export function readMachine(root) {
  return {
    setting: readGpuSetting(root, process.env),
    platform: process.platform,
    arch: process.arch,
    isGlibc: process.platform === "linux" && usesGlibc(),
    readNvidia: () => spawnSync("nvidia-smi", ["-L"], { encoding: "utf8", timeout: NVIDIA_TIME_LIMIT_MS }).stdout ?? "",
    listNodes: () => (existsSync("/dev/dri") ? readdirSync("/dev/dri") : []),
    hasVulkan: () => VULKAN_LOADERS.some((path) => existsSync(path)),
  };
}

/**
 * Installs bindings with npm, held to the hashes in their lockfile, where node-llama-cpp finds them. Returns null, or in
 * words why they could not be installed.
 * @param {string} root @param {"cuda" | "vulkan"} type @param {(command: string, args: string[], options: import("node:child_process").SpawnSyncOptionsWithStringEncoding) => { status: number | null, stderr: string, error?: Error | undefined }} [run]
 * @returns {string | null}
 */
export function installGpuBindings(root, type, run = spawnSync) {
  const manifests = join(root, "scripts", "gpu", type);
  const folder = join(root, "node_modules", ".feather", `bindings-${type}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(manifests, name), join(folder, name));
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--prefix", folder];
  const { status, stderr, error } = run("npm", args, { cwd: folder, encoding: "utf8", timeout: INSTALL_TIME_LIMIT_MS });
  const installed = join(folder, "node_modules", SCOPE);
  if (status !== 0 || !existsSync(installed))
    return error?.message ?? stderr.split("\n").find((line) => line.trim() !== "") ?? `npm ended with ${status}.`;
  mkdirSync(join(root, "node_modules", SCOPE), { recursive: true });
  for (const name of readdirSync(installed)) {
    const link = join(root, "node_modules", SCOPE, name);
    rmSync(link, { recursive: true, force: true });
    symlinkSync(join("..", ".feather", `bindings-${type}`, "node_modules", SCOPE, name), link);
  }
  return null;
}

/** The folder of the bindings, once they are installed. @param {string} root @param {"cuda" | "vulkan"} type */
export function gpuBindingsFolder(root, type) {
  return join(root, "node_modules", SCOPE, `linux-x64-${type}`);
}
