import { getLlama, LlamaLogLevel } from "node-llama-cpp";

const UNKNOWN_ARCHITECTURE = /unknown model architecture: '([^']*)'/;

/** Returns the architecture that llama.cpp does not know, from a line of its log; null if the line says something else. */
export function findUnknownArchitecture(line: string): string | null {
  return UNKNOWN_ARCHITECTURE.exec(line)?.[1] ?? null;
}

/** Whether llama.cpp knows the architecture of a file. It is asked, and there is no list; a header alone is enough for it. */
export async function checkArchitecture(modelPath: string): Promise<boolean> {
  const lines: string[] = [];
  const llama = await getLlama({
    ...{ gpu: false, build: "never", logLevel: LlamaLogLevel.warn },
    logger: (_level, message) => lines.push(message),
  });
  // A header without tensors cannot be loaded. What matters is why not.
  const model = await llama.loadModel({ modelPath, vocabOnly: true }).catch(() => null);
  await model?.dispose();
  return !lines.some((line) => findUnknownArchitecture(line) !== null);
}
