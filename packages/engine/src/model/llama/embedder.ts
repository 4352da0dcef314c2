import type { LlamaEmbeddingContext, LlamaModel } from "node-llama-cpp";
import { type Embedding, InputTooLongError } from "../engine-model.ts";
import { createSlotQueue } from "../slot-queue.ts";

/** Computes embeddings one at a time, in a separate context that is created by the first request. */
export type Embedder = {
  readonly active: number;
  readonly waiting: number;
  embed(text: string, signal: AbortSignal, priority: number): Promise<Embedding>;
};

/** Returns a vector of length 1 in the same direction, as other programs return it, in numbers of 32 bits; the null vector stays. */
export function toUnitLength(vector: readonly number[]): number[] {
  // A sum of squares may overflow where the numbers do not.
  const largest = Math.max(...vector.map(Math.abs));
  if (largest === 0) return [...vector];
  const scaled = vector.map((value) => value / largest);
  const length = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0));
  return scaled.map((value) => Math.fround(value / length));
}

/** Creates an embedder. `contextSize` is in tokens. */
export function createEmbedder(model: LlamaModel, options: { contextSize: number; threads: number }): Embedder {
  const queue = createSlotQueue(1);
  let context: Promise<LlamaEmbeddingContext> | undefined;
  const openContext = () => {
    // An encoder has to see a text as one batch.
    const opening = model.createEmbeddingContext({ ...options, batchSize: options.contextSize });
    context = opening;
    // A later request may find more memory, so a failure is not kept.
    opening.catch(() => {
      context = undefined;
    });
    return opening;
  };
  return {
    get active() {
      return queue.active;
    },
    get waiting() {
      return queue.waiting;
    },
    async embed(text, signal, priority) {
      const release = await queue.acquire(signal, priority);
      try {
        const opened = await (context ?? openContext());
        const tokenCount = opened.calculateInputLength(text);
        const max = options.contextSize - 1;
        if (tokenCount > max) throw new InputTooLongError(max, tokenCount);
        const { vector } = await opened.getEmbeddingFor(text);
        signal.throwIfAborted();
        return { vector: toUnitLength(vector), tokenCount };
      } finally {
        release();
      }
    },
  };
}
