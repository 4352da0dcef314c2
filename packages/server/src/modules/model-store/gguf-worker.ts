import { parentPort, workerData } from "node:worker_threads";
import { gguf } from "@huggingface/gguf";
import type { GgufHeader } from "./gguf-facts.ts";

/** Reads the header of a file and returns its fields without the vocabulary, which is large. */
async function read(path: string): Promise<GgufHeader> {
  try {
    const { metadata } = await gguf(path, { allowLocalFile: true });
    const fields = Object.entries(metadata).filter(([name]) => !name.startsWith("tokenizer.ggml."));
    return { fields: Object.fromEntries(fields) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.postMessage(await read(String(workerData)));
