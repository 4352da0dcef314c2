import { findRuntime, type RuntimeLimits, runtimeForFiles } from "../../runtimes/index.ts";

/** The limits that decide which models fit on a machine. */
export type FitLimits = {
  /** Memory for models in GGUF files, in bytes. */
  availableBytes: number;
  /** The largest file that may be downloaded, in bytes. */
  maxFileBytes: number;
  /** The largest context that a model gets, in tokens. */
  contextTokens: number;
  runtimes: RuntimeLimits;
};

/** Share of the model memory that a file may take. The rest is for the context and the process. */
const MAX_FILE_SHARE = 0.8;

/** Returns the limits that decide which models fit in the memory of these runtimes. */
export function toFitLimits(runtimes: RuntimeLimits, contextTokens: number): FitLimits {
  const runtime = findRuntime(runtimes, { runtime: runtimeForFiles(runtimes, "gguf") });
  const availableBytes = runtime?.memory.budget ?? 0;
  return { availableBytes, maxFileBytes: Math.floor(availableBytes * MAX_FILE_SHARE), contextTokens, runtimes };
}
