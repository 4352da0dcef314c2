import { openLlama } from "./open-llama.ts";

const UNKNOWN_ARCHITECTURE = /unknown model architecture: '([^']*)'/;

/** Returns the architecture that llama.cpp does not know, from a line of its log; null if the line says something else. */
export function findUnknownArchitecture(line: string): string | null {
  return UNKNOWN_ARCHITECTURE.exec(line)?.[1] ?? null;
}

/**
 * Returns whether llama.cpp supports the architecture of a file. llama.cpp itself is asked, by loading only the file's
 * header.
 */
export async function checkArchitecture(modelPath: string): Promise<boolean> {
  const lines: string[] = [];
  const llama = await openLlama({ gpu: undefined, log: () => {}, onLine: (line) => lines.push(line) });
  // A header without tensors cannot be loaded. What matters is why not.
  const model = await llama.loadModel({ modelPath, vocabOnly: true }).catch(() => null);
  await model?.dispose();
  return !lines.some((line) => findUnknownArchitecture(line) !== null);
}
