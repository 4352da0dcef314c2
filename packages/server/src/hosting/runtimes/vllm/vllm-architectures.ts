import type { Logger } from "pino";
import { createPythonArchitectureCheck } from "../python-architectures.ts";
import type { IsKnownArchitecture } from "../runtime.ts";
import { createVllmEnvironment, vllmFolder } from "./vllm-environment.ts";

/** Prints the architectures that vLLM and its plugins implement, and those of the library `transformers`, vLLM's fallback. */
const QUESTION = `
import json, transformers
from vllm import ModelRegistry
from vllm.plugins import load_general_plugins
load_general_plugins()
others = [name for name in dir(transformers) if name.endswith(("ForCausalLM", "ForConditionalGeneration"))]
print("\\n" + json.dumps([*ModelRegistry.get_supported_archs(), *others]))
`;

type Options = {
  /** The path of the command `vllm`. */
  command: string;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  log: Pick<Logger, "warn">;
};

/** Returns a function that returns whether vLLM knows an architecture. Its Python is asked once, immediately. */
export function createVllmArchitectureCheck({ command, dataDir, log }: Options): IsKnownArchitecture {
  const cacheFolder = vllmFolder(dataDir);
  const env = createVllmEnvironment(cacheFolder);
  return createPythonArchitectureCheck({ name: "vLLM", command, question: QUESTION, cacheFolder, env, log });
}
