import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GpuFiles } from "./gpu-files.ts";
import { PACKAGES_FOLDER } from "./sandbox.ts";

/** The files that a program such as a converter or vLLM can read and write. */
export type ProgramFiles = {
  /** The folders of the program, which may be anywhere. */
  programs: readonly string[];
  /** Folders and files of the server that the program must not read. */
  hidden: readonly string[];
  readable: readonly string[];
  writable: readonly string[];
  /** The graphics cards that may be used. */
  gpu?: GpuFiles | undefined;
};

/** Folders with other processes, sockets and data of other programs. */
const HIDDEN_FOLDERS = ["/proc", "/sys", "/run", "/var", "/tmp"];
const MACHINE_INFO_PATHS = ["/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"];
/** The folder with the libraries of a graphics card's driver on NixOS. */
const DRIVER_PATHS = ["/run/opengl-driver"];

/** Returns the files and folders of the server that programs in the sandbox must not see. */
export function listServerFiles(dataDir: string): string[] {
  const root = dirname(PACKAGES_FOLDER);
  return [dataDir, join(root, "feather.config.yaml"), join(root, ".env")];
}

/**
 * Returns a command that runs another one without network, other processes and privileges. Unlike the engine, a converter
 * or vLLM sees the files of the machine, since its Python may be installed anywhere; it can read them only, and what is
 * hidden not at all.
 */
export function withProgramSandbox(
  command: string,
  args: readonly string[],
  { programs, hidden, readable, writable, gpu }: ProgramFiles,
): [string, string[]] {
  return [
    "bwrap",
    [
      ...["--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
      ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
      ...["--ro-bind", "/", "/", "--dev", "/dev"],
      ...HIDDEN_FOLDERS.flatMap(hide),
      // Mounted before the files below it. Only processes of the sandbox are visible there.
      ...(gpu?.needsProc ? ["--proc", "/proc"] : []),
      ...MACHINE_INFO_PATHS.flatMap((path) => ["--ro-bind-try", path, path]),
      ...(gpu?.devices ?? []).flatMap((path) => ["--dev-bind-try", path, path]),
      ...(gpu ? [...gpu.readable, ...DRIVER_PATHS] : []).flatMap((path) => ["--ro-bind-try", path, path]),
      ...programs.flatMap((path) => ["--ro-bind", path, path]),
      ...hidden.flatMap(hide),
      ...readable.flatMap((path) => ["--ro-bind", path, path]),
      ...writable.flatMap((path) => ["--bind", path, path]),
      ...["--chdir", "/", "--", command, ...args],
    ],
  ];
}

function hide(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}
