import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp";
import { createSlotQueue } from "../slot-queue.ts";

/** Lends the context's sequences, one generation each; more borrowers wait in order of arrival. */
export type SequencePool = {
  readonly active: number;
  readonly waiting: number;
  /** Prefers the idle sequence that remembers the longest beginning of `tokens`. */
  borrow(tokens: readonly Token[], signal: AbortSignal): Promise<BorrowedSequence>;
};

export type BorrowedSequence = {
  sequence: LlamaContextSequence;
  /** `reusable: false` after an evaluation failed: its state is unknown, so a fresh one takes its place. */
  giveBack(reusable: boolean): Promise<void>;
};

export function createSequencePool(context: LlamaContext, count: number): SequencePool {
  const queue = createSlotQueue(count);
  const idle = Array.from({ length: count }, () => context.getSequence());

  const takeBestMatch = (tokens: readonly Token[]) => {
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
    async borrow(tokens, signal) {
      const release = await queue.acquire(signal);
      const sequence = takeBestMatch(tokens);
      return {
        sequence,
        async giveBack(reusable) {
          if (!reusable) await sequence.dispose();
          idle.push(reusable ? sequence : context.getSequence());
          release();
        },
      };
    },
  };
}
