export { BUILT_IN_MODELS } from "./built-in-models.ts";
export { createEngineStarter, type EngineProcess, type StartEngine } from "./engine-process.ts";
export { describeSandbox, detectSandbox, type EngineSandbox } from "./sandbox.ts";
