import { lchownSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Account } from "../../../platform/core/db/embedded/account.ts";
import { chooseEngineAccount } from "./confinement.ts";
import { STOP_WITH_STDIN } from "./spawn-owned.ts";

/** Matches the environment variables that every such program inherits: paths, and those of the graphics card. */
const INHERITED_VARIABLES = /^(?:PATH|TMPDIR|LANG|LC_ALL|LD_LIBRARY_PATH|VIRTUAL_ENV|(?:CUDA|NVIDIA|NCCL)_\w+)$/;
/** The sandbox has only its own network and one folder for temporary files. */
const SANDBOX_VARIABLES = { TMPDIR: "/tmp", GLOO_SOCKET_IFNAME: "lo" };

/**
 * Returns the account that runs a program in Python, such as vLLM: the server's own, or an unprivileged one if the server runs
 * as root. It is undefined, which means root, also if that account cannot run the command or enter the folders, for example
 * below root's home folder.
 */
export function choosePythonAccount(command: string, ...folders: readonly string[]): Account {
  return chooseEngineAccount([process.execPath, STOP_WITH_STDIN, command, ...folders.map((folder) => dirname(folder))]);
}

/** Creates the folder for what a program compiles. The account that the program runs as owns it and its contents. */
export function prepareCacheFolder(cacheFolder: string, account: Account): void {
  mkdirSync(cacheFolder, { recursive: true, mode: 0o700 });
  if (account === undefined || statSync(cacheFolder).uid === account.uid) return;
  const names = readdirSync(cacheFolder, { recursive: true, encoding: "utf8" });
  for (const path of [cacheFolder, ...names.map((name) => join(cacheFolder, name))])
    lchownSync(path, account.uid, account.gid);
}

type EnvironmentOptions = {
  /** The folder for what the program compiles, which is its home folder. */
  cacheFolder: string;
  isSandboxed: boolean;
  /** Matches the program's own variables, which it inherits too. None is a setting of the server. */
  ownVariables: RegExp;
};

/** Returns the environment of a program in Python that runs models. */
export function createPythonEnvironment({
  cacheFolder,
  isSandboxed,
  ownVariables,
}: EnvironmentOptions): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => INHERITED_VARIABLES.test(name) || ownVariables.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    HOME: cacheFolder,
    // All files are on this machine. A model must not make the program download others.
    HF_HUB_OFFLINE: "1",
    PYTHONUNBUFFERED: "1",
    ...(isSandboxed && SANDBOX_VARIABLES),
  };
}
