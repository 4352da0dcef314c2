import { parentPort, workerData } from "node:worker_threads";
import { gguf } from "@huggingface/gguf";
import type { GgufHeader } from "./gguf-facts.ts";

/** Reads the header of a file. Returns the sum of its tensors' sizes, and its fields without the vocabulary, which is large. */
async function read(path: string): Promise<GgufHeader> {
  try {
    const { metadata, parameterCount } = await gguf(path, { allowLocalFile: true, computeParametersCount: true });
    const fields = Object.entries(metadata).filter(([name]) => !name.startsWith("tokenizer.ggml."));
    const tokens = Object.entries(metadata).find(([name]) => name === "tokenizer.ggml.tokens")?.[1];
    const vocabularySize = Array.isArray(tokens) ? tokens.length : 0;
    return { fields: Object.fromEntries(fields), parameterCount, vocabularySize };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.postMessage(await read(String(workerData)));
