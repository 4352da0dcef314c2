/**
 * The beginnings of prompts that a backend has evaluated, which its cache probably still holds, the one used longest ago
 * first. The number of each block counts the calls to the backend: it is that of the last call that began with the block.
 */
export type HeldPrefixes = {
  blocks: Map<string, number>;
  calls: number;
  /** The numbers of the calls whose answer has not begun, and whose blocks the backend may not have evaluated. */
  unanswered: Set<number>;
  /** The blocks that the backend has to evaluate for these calls. */
  waitingBlocks: number;
  /** How often it was chosen of late: earlier calls count less. */
  recentCalls: number;
};

/** What was known of a prompt when its call was sent to a backend. */
export type SentPrefix = {
  /** The number of the call. */
  call: number;
  /** Blocks of the prompt, and those that the backend has to evaluate. */
  length: number;
  missing: number;
  /** For each of the first blocks, the number of the call that the backend had evaluated it for. */
  heldSince: readonly number[];
};

/** The tokens of a prompt as a backend counts them. */
type CountedPrompt = { prompt: number; cached: number | null };

/** Blocks that are remembered per backend, about two million tokens: more than one holds in memory. */
const MAX_HELD_BLOCKS = 32_768;
/** Blocks by which a count of tokens may be less than expected, as texts and tokens do not end at the same places. */
const TOLERANCE_BLOCKS = 2;

/** Creates the state of a backend to which nothing was sent yet. */
export function createHeldPrefixes(): HeldPrefixes {
  return { blocks: new Map(), calls: 0, unanswered: new Set(), waitingBlocks: 0, recentCalls: 0 };
}

/** Returns how many of the first blocks of a prompt the backend probably holds. */
export function countHeld({ blocks }: HeldPrefixes, hashes: readonly string[]): number {
  let count = 0;
  for (const hash of hashes) {
    if (!blocks.has(hash)) break;
    count += 1;
  }
  return count;
}

/** Notes that a prompt is sent to the backend, which holds it from now on. */
export function noteSent(held: HeldPrefixes, hashes: readonly string[]): SentPrefix {
  const { blocks, unanswered } = held;
  const heldSince: number[] = [];
  for (const hash of hashes) {
    const call = blocks.get(hash);
    if (call === undefined || unanswered.has(call)) break;
    heldSince.push(call);
  }
  const missing = hashes.length - countHeld(held, hashes);
  held.calls += 1;
  held.recentCalls += 1;
  held.waitingBlocks += missing;
  unanswered.add(held.calls);
  // The end first: caches give up the end of a prompt before its beginning.
  for (let index = hashes.length - 1; index >= 0; index--) hold(blocks, hashes[index] ?? "", held.calls);
  return { call: held.calls, length: hashes.length, missing, heldSince };
}

function hold(blocks: Map<string, number>, hash: string, call: number): void {
  blocks.delete(hash);
  blocks.set(hash, call);
  if (blocks.size <= MAX_HELD_BLOCKS) return;
  for (const oldest of blocks.keys()) {
    blocks.delete(oldest);
    break;
  }
}

/** Notes that the answer to a call has begun, or that there is none. Does nothing when it was noted before. */
export function noteAnswered(held: HeldPrefixes, { call, missing }: SentPrefix): void {
  if (held.unanswered.delete(call)) held.waitingBlocks -= missing;
}

/** Notes that a backend has not answered a call, so that it holds no more of the prompt than before. */
export function noteFailed({ blocks }: HeldPrefixes, sent: SentPrefix, hashes: readonly string[]): void {
  for (const hash of hashes.slice(sent.heldSince.length)) if (blocks.get(hash) === sent.call) blocks.delete(hash);
}

/**
 * Notes how many of a prompt's tokens a backend read from its cache, where it says so. If they are less than expected, it
 * has given up the missing block, and with it everything that it used before.
 */
export function noteCached(held: HeldPrefixes, sent: SentPrefix | null, usage: CountedPrompt | null): void {
  if (sent === null || usage === null || usage.cached === null || usage.prompt === 0) return;
  const cachedBlocks = Math.floor((usage.cached / usage.prompt) * sent.length) + TOLERANCE_BLOCKS;
  const givenUp = sent.heldSince[cachedBlocks];
  if (givenUp === undefined) return;
  for (const [hash, lastCall] of held.blocks) {
    if (lastCall > givenUp) break;
    held.blocks.delete(hash);
  }
}

/** Notes that the backend was started anew, or cannot be reached. */
export function invalidate(held: HeldPrefixes): void {
  held.blocks.clear();
}
