import { lchownSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Account } from "../../../platform/core/db/embedded/account.ts";
import { chooseEngineAccount } from "../processes/confinement.ts";
import { STOP_WITH_STDIN } from "../processes/spawn-owned.ts";

/**
 * Matches the environment variables that vLLM inherits: paths, and those for vLLM and the graphics card. None is a setting
 * of the server.
 */
const INHERITED_VARIABLES = /^(?:PATH|TMPDIR|LANG|LC_ALL|LD_LIBRARY_PATH|VIRTUAL_ENV|(?:CUDA|NVIDIA|NCCL|VLLM)_\w+)$/;

/** Returns the folder for vLLM's compiled files, which is its home folder. */
export const vllmFolder = (dataDir: string): string => join(dataDir, "vllm");

/** The sandbox has only its own network and one folder for temporary files. */
const SANDBOX_VARIABLES = { TMPDIR: "/tmp", VLLM_HOST_IP: "127.0.0.1", GLOO_SOCKET_IFNAME: "lo" };

/**
 * Returns the account that runs vLLM: the server's own, or an unprivileged one if the server runs as root. It is undefined,
 * which means root, also if that account cannot run the command or enter the folders, for example below root's home folder.
 */
export function chooseVllmAccount(command: string, ...folders: readonly string[]): Account {
  return chooseEngineAccount([process.execPath, STOP_WITH_STDIN, command, ...folders.map((folder) => dirname(folder))]);
}

/** Creates the folder for vLLM's compiled files. The account that vLLM runs as owns it and its contents. */
export function prepareVllmFolder(cacheFolder: string, account: Account): void {
  mkdirSync(cacheFolder, { recursive: true, mode: 0o700 });
  if (account === undefined || statSync(cacheFolder).uid === account.uid) return;
  const names = readdirSync(cacheFolder, { recursive: true, encoding: "utf8" });
  for (const path of [cacheFolder, ...names.map((name) => join(cacheFolder, name))])
    lchownSync(path, account.uid, account.gid);
}

/** Returns vLLM's environment. `cacheFolder` is the folder for its compiled files. */
export function createVllmEnvironment(
  cacheFolder: string,
  { isSandboxed = false }: { isSandboxed?: boolean } = {},
): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => INHERITED_VARIABLES.test(name));
  return {
    ...Object.fromEntries(inherited),
    HOME: cacheFolder,
    // All files are on this machine. A model must not make vLLM download others.
    HF_HUB_OFFLINE: "1",
    VLLM_NO_USAGE_STATS: "1",
    PYTHONUNBUFFERED: "1",
    ...(isSandboxed && SANDBOX_VARIABLES),
  };
}
