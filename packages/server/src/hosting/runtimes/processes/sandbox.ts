import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SettingsError } from "../../../platform/core/settings.ts";
import type { EngineSettings } from "../engine.settings.ts";
import { ENGINE_BINARY, ENGINE_FOLDER } from "../engine-files.ts";
import { chooseEngineAccount, createEngineEnvironment, withLimits } from "./confinement.ts";
import { findCommand } from "./find-command.ts";
import type { GpuFiles } from "./gpu-files.ts";

const BUBBLEWRAP_COMMAND = "bwrap";
/** Folder of the installed packages. */
export const PACKAGES_FOLDER = fileURLToPath(new URL("../../../../../../node_modules", import.meta.url));
const PROBE_TIMEOUT_MS = 10_000;
const MAX_DETAIL_LENGTH = 300;

/** System libraries and their cache; NixOS has them in `/nix`. Missing paths are skipped. */
const SYSTEM_PATHS = ["/usr", "/bin", "/lib", "/lib32", "/lib64", "/nix/store", "/etc/ld.so.cache"];
/** Files with the number of processors and the memory. The rest of /proc, such as other processes, is hidden. */
const MACHINE_INFO_PATHS = ["/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/sys/devices/system/node"];

/** Whether engines run in a sandbox; if not, `detail` is bubblewrap's error. */
export type EngineSandbox =
  | { state: "on" | "off" | "not_linux" | "not_installed" }
  | { state: "not_permitted"; detail: string };

/** Files and folders that are visible in addition to the system's libraries, and the graphics cards that may be used. */
export type SandboxFiles = { readable: readonly string[]; writable: readonly string[]; gpu?: GpuFiles | undefined };

type ProbeOptions = { platform: NodeJS.Platform; command: string; path: string | undefined };

/**
 * Returns whether engines run in a sandbox, according to the setting and a trial run. Throws a SettingsError when the
 * setting is `on` and no sandbox is available.
 */
export function detectSandbox(
  setting: EngineSettings["sandbox"],
  { platform, command, path }: ProbeOptions = {
    platform: process.platform,
    command: BUBBLEWRAP_COMMAND,
    path: process.env.PATH,
  },
): EngineSandbox {
  if (setting === "off") return { state: "off" };
  const sandbox: EngineSandbox =
    platform !== "linux"
      ? { state: "not_linux" }
      : findCommand(command, path ?? "") === null
        ? { state: "not_installed" }
        : probe(command);
  if (setting === "on" && sandbox.state !== "on")
    throw new SettingsError(
      `FEATHER_ENGINE_SANDBOX is on, but models cannot run in a sandbox: ${describeReason(sandbox)}`,
    );
  return sandbox;
}

/** Returns the line about the sandbox that operators see at each start. */
export function describeSandbox(sandbox: EngineSandbox): string {
  if (sandbox.state === "on") return "Models run in a sandbox.";
  return `Models run without a sandbox: ${describeReason(sandbox)}`;
}

function describeReason(sandbox: EngineSandbox): string {
  switch (sandbox.state) {
    case "on":
    case "off":
      return "FEATHER_ENGINE_SANDBOX is off.";
    case "not_linux":
      return "there is one on Linux only.";
    case "not_installed":
      return "bubblewrap is not installed. Install the package bubblewrap and start again.";
    case "not_permitted":
      return `bubblewrap does not work here: ${sandbox.detail}`;
  }
}

/**
 * Returns a command that runs another one in a sandbox: without network, other processes and privileges, and with no files
 * but the system's libraries, the installed packages and the given files. All processes in it are killed when the parent
 * process ends.
 */
export function withSandbox(
  command: string,
  args: readonly string[],
  files: SandboxFiles,
  bubblewrap: string = BUBBLEWRAP_COMMAND,
): [string, string[]] {
  const system = [...SYSTEM_PATHS, ...MACHINE_INFO_PATHS].flatMap((path) => ["--ro-bind-try", path, path]);
  const readable = [process.execPath, PACKAGES_FOLDER, ENGINE_FOLDER, ...files.readable.map((path) => resolve(path))];
  return [
    bubblewrap,
    [
      ...["--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
      ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
      // Mounted before the files below it. Only processes of the sandbox are visible there.
      ...(files.gpu?.needsProc ? ["--proc", "/proc"] : []),
      ...system,
      ...["--dev", "/dev", "--tmpfs", "/tmp", "--setenv", "TMPDIR", "/tmp"],
      ...(files.gpu?.devices ?? []).flatMap((path) => ["--dev-bind-try", path, path]),
      ...(files.gpu?.readable ?? []).flatMap((path) => ["--ro-bind-try", path, path]),
      ...readable.flatMap((path) => ["--ro-bind", resolveLinks(path), path]),
      ...files.writable.flatMap((path) => ["--bind", path, path]),
      ...["--chdir", "/", "--", command, ...args],
    ],
  ];
}

/** Tries to run the engine's executable in a sandbox, with the account of engines. */
function probe(bubblewrap: string): EngineSandbox {
  const engine = [ENGINE_BINARY, "--help"];
  const [command, args] = withLimits(
    ...withSandbox(process.execPath, engine, { readable: [], writable: [] }, bubblewrap),
  );
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...chooseEngineAccount([process.execPath, ENGINE_BINARY]),
    cwd: "/",
    env: createEngineEnvironment("/tmp"),
    encoding: "utf8",
    timeout: PROBE_TIMEOUT_MS,
  });
  if (status === 0 && stdout.includes("feather-engine")) return { state: "on" };
  if (status === 127) return { state: "not_installed" };
  const lastLine = stderr?.trim().split("\n").at(-1) || error?.message || `it ended with status ${status}.`;
  return { state: "not_permitted", detail: lastLine.slice(0, MAX_DETAIL_LENGTH) };
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // missing: bubblewrap will report it
  }
}
