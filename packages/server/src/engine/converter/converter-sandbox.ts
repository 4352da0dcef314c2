import { statSync } from "node:fs";

/** What a converter may see and write. */
export type ConverterFiles = {
  /** Folders of its program, wherever they are. */
  programs: readonly string[];
  /** Folders and files of the server, which it must not see. */
  hidden: readonly string[];
  readable: readonly string[];
  writable: readonly string[];
};

/** Other processes, and folders with sockets and data of other programs. */
const HIDDEN_FOLDERS = ["/proc", "/sys", "/run", "/var", "/tmp"];
const MACHINE_INFO_PATHS = ["/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"];

/**
 * A command that runs another one without network, other processes and privileges. Unlike the engine, a converter sees
 * the files of the machine, since its Python may be installed anywhere; it can read them only, and what is hidden not at all.
 */
export function withConverterSandbox(
  command: string,
  args: readonly string[],
  { programs, hidden, readable, writable }: ConverterFiles,
): [string, string[]] {
  return [
    "bwrap",
    [
      ...["--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
      ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
      ...["--ro-bind", "/", "/", "--dev", "/dev"],
      ...HIDDEN_FOLDERS.flatMap(hide),
      ...MACHINE_INFO_PATHS.flatMap((path) => ["--ro-bind-try", path, path]),
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
