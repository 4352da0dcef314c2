import type { Logger } from "pino";
import { createPythonArchitectureCheck } from "../python-architectures.ts";
import type { IsKnownArchitecture } from "../runtime.ts";
import { createSglangEnvironment, sglangFolder } from "./sglang-environment.ts";

/** Prints the architectures that SGLang implements, and those of the library `transformers`, its fallback. */
const QUESTION = `
import json, transformers
from sglang.srt.models.registry import ModelRegistry
others = [name for name in dir(transformers) if name.endswith(("ForCausalLM", "ForConditionalGeneration"))]
print("\\n" + json.dumps([*ModelRegistry.get_supported_archs(), *others]))
`;

type Options = {
  /** The path of the command `sglang`. */
  command: string;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  log: Pick<Logger, "warn">;
};

/** Returns a function that returns whether SGLang knows an architecture. Its Python is asked once, immediately. */
export function createSglangArchitectureCheck({ command, dataDir, log }: Options): IsKnownArchitecture {
  const cacheFolder = sglangFolder(dataDir);
  const env = createSglangEnvironment(cacheFolder);
  return createPythonArchitectureCheck({ name: "SGLang", command, question: QUESTION, cacheFolder, env, log });
}
