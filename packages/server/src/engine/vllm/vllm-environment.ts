import { join } from "node:path";

/** Environment variables that vLLM inherits: paths, and its own and the graphics card's. No settings of the server. */
const INHERITED_VARIABLES = /^(?:PATH|TMPDIR|LANG|LC_ALL|LD_LIBRARY_PATH|VIRTUAL_ENV|(?:CUDA|NVIDIA|NCCL|VLLM)_\w+)$/;

/** Returns the folder for what vLLM compiles, which is its home. */
export const vllmFolder = (dataDir: string): string => join(dataDir, "vllm");

/** Returns the environment that vLLM runs in. `cacheFolder` is the folder for what it compiles. */
export function createVllmEnvironment(cacheFolder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => INHERITED_VARIABLES.test(name));
  return {
    ...Object.fromEntries(inherited),
    HOME: cacheFolder,
    // All files are here: a model must not make vLLM load others.
    HF_HUB_OFFLINE: "1",
    VLLM_NO_USAGE_STATS: "1",
    PYTHONUNBUFFERED: "1",
  };
}
