import PQueue from "p-queue";
import { Piscina } from "piscina";
import { errors } from "./errors/index.ts";
import { SECOND_MS } from "./time.ts";

/** A module that a worker thread imports, whose default export parses an input, and the time limit for each input. */
export type ParserModule = { file: URL; timeLimitMs: number };

/** The account that a text is parsed for, absent for the server itself, and a signal that ends the wait. */
export type ParseOptions = { account?: string | undefined; signal?: AbortSignal | undefined };

/**
 * Parses one text in a worker thread. Throws `UnreadableTextError` if the parser throws or reaches a limit, and the errors of
 * `ParseQueue`.
 */
export type Parse<Input, Output> = (input: Input, options?: ParseOptions) => Promise<Output>;

/** Parses untrusted texts in worker threads, with limits on time and memory, so that no text blocks the server. */
export type ParsePool = {
  /**
   * Returns the function that parses with a module. Input and output are those of its default export, and must be
   * cloneable.
   */
  create<Input, Output>(module: ParserModule): Parse<Input, Output>;
  /** Ends the threads. Texts that are being parsed fail. */
  close(): Promise<void>;
};

/** Limits of a pool. */
export type ParsePoolLimits = {
  maxThreads: number;
  /** The memory of each thread in MB, without the bytes of its input. */
  memoryMb: number;
  /** The number of waiting texts of one account. Texts of the server itself may always wait. */
  maxWaitingOfAccount: number;
  /** The number of accounts with a text that waits for a thread. */
  maxWaiting: number;
  /** How long an idle thread is kept, in milliseconds. */
  idleMs: number;
};

/** Why a text could not be read. */
export type UnreadableReason = "time" | "memory" | "fault";

/** The error for a text that the parser rejected, or that took too much time or memory. */
export class UnreadableTextError extends Error {
  readonly reason: UnreadableReason;
  constructor(reason: UnreadableReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "UnreadableText";
    this.reason = reason;
  }
}

const DEFAULTS: ParsePoolLimits = {
  maxThreads: 2,
  memoryMb: 1024,
  maxWaitingOfAccount: 20,
  maxWaiting: 50,
  idleMs: 30 * SECOND_MS,
};
/** The queue of texts that are parsed for the server itself. */
const SERVER = "";

/**
 * Runs the work for one text when it is its turn. Throws `parsing.busy` (429) if too many texts of the account are waiting, and
 * `overloaded` (503) if too many accounts are.
 */
export type ParseQueue = <T>(work: () => Promise<T>, options: ParseOptions) => Promise<T>;

/**
 * Creates a queue in which each account has at most one text at a time, so that no account can use everything that parses.
 * `maxThreads` texts are parsed at the same time.
 */
export function createParseQueue(limits: Omit<ParsePoolLimits, "memoryMb" | "idleMs">): ParseQueue {
  const turns = new PQueue({ concurrency: limits.maxThreads });
  const queues = new Map<string, PQueue>();
  return async (work, { account = SERVER, signal: given }) => {
    const queue = queues.get(account) ?? new PQueue({ concurrency: 1 });
    if (account !== SERVER && queue.size >= limits.maxWaitingOfAccount) throw errors.parsing.busy();
    if (account !== SERVER && turns.size >= limits.maxWaiting) throw errors.overloaded();
    queues.set(account, queue);
    const signal = given && { signal: given };
    try {
      return await queue.add(() => turns.add(work, { ...signal }), { ...signal });
    } finally {
      if (queue.size + queue.pending === 0) queues.delete(account);
    }
  };
}

/** Creates a pool. Threads start with the first text. */
export function createParsePool(changes: Partial<ParsePoolLimits> = {}): ParsePool {
  const limits = { ...DEFAULTS, ...changes };
  const threads = new Piscina({
    minThreads: 0,
    maxThreads: limits.maxThreads,
    idleTimeout: limits.idleMs,
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
    env: {},
  });
  const closing = new AbortController();
  const takeTurn = createParseQueue(limits);
  return {
    create:
      <Input, Output>(module: ParserModule): Parse<Input, Output> =>
      (input, { account, signal: given } = {}) => {
        const signal = given === undefined ? closing.signal : AbortSignal.any([given, closing.signal]);
        return takeTurn(() => parseInThread<Output>(threads, module, input, signal), { account, signal });
      },
    async close() {
      closing.abort();
      await threads.destroy();
    },
  };
}

/**
 * Parses a text at once: its callers are limited to the number of threads. If a thread reaches a limit, only that thread
 * ends.
 */
async function parseInThread<Output>(
  threads: Piscina,
  { file, timeLimitMs }: ParserModule,
  input: unknown,
  signal: AbortSignal,
): Promise<Output> {
  const timeLimit = AbortSignal.timeout(timeLimitMs);
  try {
    return (await threads.run(input, {
      filename: file.href,
      signal: AbortSignal.any([signal, timeLimit]),
    })) as Output;
  } catch (error) {
    signal.throwIfAborted();
    if (timeLimit.aborted) throw new UnreadableTextError("time", "it takes too long to read", error);
    if (isOutOfMemory(error)) throw new UnreadableTextError("memory", "it takes too much memory to read", error);
    throw new UnreadableTextError("fault", error instanceof Error ? error.message : String(error), error);
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
