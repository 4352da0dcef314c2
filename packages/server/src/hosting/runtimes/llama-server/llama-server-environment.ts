import { createEngineEnvironment, withLimits } from "../processes/confinement.ts";
import type { GpuFiles } from "../processes/gpu-files.ts";
import { listServerFiles, withProgramSandbox } from "../processes/program-sandbox.ts";
import { STOP_WITH_STDIN } from "../processes/spawn-owned.ts";
import { folderOfProgram } from "../processes/watched-process.ts";

type Confinement = {
  isSandboxed: boolean;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  readable: readonly string[];
  writable: readonly string[];
  gpu: GpuFiles | undefined;
};

/**
 * Options that not every version knows. As environment variables, those that a version does not know are left out: nothing is
 * downloaded, and no memory beside that of the model and its context is used to keep prompts, which takes 8 GB by default.
 */
const OPTIONS = { LLAMA_ARG_OFFLINE: "1", LLAMA_ARG_CACHE_RAM: "0" };

/** Returns the files that the account which runs llama-server must be able to read. */
export function listAccountFiles(command: string, modelFiles: readonly string[] = []): string[] {
  return [process.execPath, STOP_WITH_STDIN, command, ...modelFiles];
}

/** Returns llama-server's environment. `home` is the folder that replaces the home folder. */
export function createLlamaServerEnvironment(home: string, options: { gpu?: boolean } = {}): NodeJS.ProcessEnv {
  return { ...createEngineEnvironment(home, options), ...OPTIONS };
}

/** Returns the command that runs llama-server with limits, in the sandbox if there is one. */
export function confine(
  command: string,
  args: readonly string[],
  { isSandboxed, dataDir, ...files }: Confinement,
): [string, string[]] {
  if (!isSandboxed) return withLimits(command, args);
  const programFiles = { programs: [folderOfProgram(command)], hidden: listServerFiles(dataDir), ...files };
  return withLimits(...withProgramSandbox(command, args, programFiles));
}
