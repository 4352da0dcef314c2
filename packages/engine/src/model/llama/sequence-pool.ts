import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp";
import { createSlotQueue } from "../slot-queue.ts";

/** A pool of the context's sequences, one per generation. Further requests wait by priority, then in order of arrival. */
export type SequencePool = {
  readonly active: number;
  readonly waiting: number;
  /** Prefers the idle sequence that has cached the longest prefix of `tokens`. Lower values of `priority` go first. */
  acquire(tokens: readonly Token[], signal: AbortSignal, priority: number): Promise<SequenceLease>;
};

/** A sequence that is in use by one generation. */
export type SequenceLease = {
  sequence: LlamaContextSequence;
  /** Pass `reusable: false` after a failed evaluation: the sequence's state is unknown, so it is replaced. */
  release(reusable: boolean): Promise<void>;
};

/** Creates a pool of `count` sequences. */
export function createSequencePool(context: LlamaContext, count: number): SequencePool {
  const queue = createSlotQueue(count);
  const idle = Array.from({ length: count }, () => context.getSequence());

  const takeBestSequence = (tokens: readonly Token[]) => {
    const matches = idle.map((sequence) => sequence.compareContextTokens([...tokens]).firstDifferentIndex);
    const [sequence] = idle.splice(matches.indexOf(Math.max(...matches)), 1);
    if (!sequence) throw new Error("A slot was free, but no sequence.");
    return sequence;
  };

  return {
    get active() {
      return queue.active;
    },
    get waiting() {
      return queue.waiting;
    },
    async acquire(tokens, signal, priority) {
      const releaseSlot = await queue.acquire(signal, priority);
      const sequence = takeBestSequence(tokens);
      return {
        sequence,
        async release(reusable) {
          if (!reusable) await sequence.dispose();
          idle.push(reusable ? sequence : context.getSequence());
          releaseSlot();
        },
      };
    },
  };
}
