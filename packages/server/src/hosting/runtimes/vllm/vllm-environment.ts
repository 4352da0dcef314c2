import { join } from "node:path";
import { createPythonEnvironment } from "../processes/python-program.ts";

const OWN_VARIABLES = /^VLLM_\w+$/;

/** Returns the folder for vLLM's compiled files, which is its home folder. */
export const vllmFolder = (dataDir: string): string => join(dataDir, "vllm");

/** Returns vLLM's environment. `cacheFolder` is the folder for its compiled files. */
export function createVllmEnvironment(
  cacheFolder: string,
  { isSandboxed = false }: { isSandboxed?: boolean } = {},
): NodeJS.ProcessEnv {
  return {
    ...createPythonEnvironment({ cacheFolder, isSandboxed, ownVariables: OWN_VARIABLES }),
    VLLM_NO_USAGE_STATS: "1",
    ...(isSandboxed && { VLLM_HOST_IP: "127.0.0.1" }),
  };
}
