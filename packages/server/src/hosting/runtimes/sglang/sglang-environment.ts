import { join } from "node:path";
import { createPythonEnvironment } from "../processes/python-program.ts";

const OWN_VARIABLES = /^(?:SGLANG|FLASHINFER|TRITON)_\w+$/;

/** Returns the folder for what SGLang compiles, which is its home folder. */
export const sglangFolder = (dataDir: string): string => join(dataDir, "sglang");

/** Returns SGLang's environment. `cacheFolder` is the folder for what it compiles. */
export const createSglangEnvironment = (cacheFolder: string, isSandboxed = false): NodeJS.ProcessEnv =>
  createPythonEnvironment({ cacheFolder, isSandboxed, ownVariables: OWN_VARIABLES });
