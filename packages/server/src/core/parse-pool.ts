import PQueue from "p-queue";
import { Piscina } from "piscina";
import { errors } from "./errors/index.ts";
import { SECOND_MS } from "./time.ts";

/** A module that a worker thread imports, whose default export parses what it is given, and for how long it may. */
export type ParserModule = { file: URL; timeLimitMs: number };

/** Whose text it is, if somebody asked for it, and what gives up waiting for it. */
export type ParseOptions = { account?: string | undefined; signal?: AbortSignal | undefined };

/**
 * Parses one text in a worker thread. Throws `UnreadableTextError` if the parser throws or reaches a limit, and
 * `parsing.busy` (429) if too many texts of the account wait already.
 */
export type Parse<Input, Output> = (input: Input, options?: ParseOptions) => Promise<Output>;

/** Parses texts from outside in worker threads, with limits on time and memory, so that none blocks the server. */
export type ParsePool = {
  /** Returns what parses with a module. Input and output are those of its default export, and can be cloned. */
  create<Input, Output>(module: ParserModule): Parse<Input, Output>;
  /** Ends the threads. What is being parsed fails. */
  close(): Promise<void>;
};

/** Limits of a pool. */
export type ParsePoolLimits = {
  maxThreads: number;
  /** Of each thread, without the bytes of its input. */
  memoryMb: number;
  /** Texts of one account that wait while another of its own is parsed; those that the server reads for itself always wait. */
  maxWaitingOfAccount: number;
  /** Accounts that wait for a thread. */
  maxWaiting: number;
  /** How long a thread without work is kept. */
  idleMs: number;
};

/** Why a text could not be read. */
export type UnreadableReason = "time" | "memory" | "fault";

/** A text that the parser refused, or that took more time or memory than it may. */
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
/** The queue of texts that nobody asked for. */
const SERVER = "";

type Context = {
  threads: Piscina;
  /** One text of each account at a time waits here for a thread, so that no account can take all. */
  turns: PQueue;
  queues: Map<string, PQueue>;
  limits: ParsePoolLimits;
  /** Aborted once the pool is closed. */
  closing: AbortSignal;
};

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
  const turns = new PQueue({ concurrency: limits.maxThreads });
  const context: Context = { threads, turns, queues: new Map(), limits, closing: closing.signal };
  return {
    create:
      <Input, Output>(module: ParserModule): Parse<Input, Output> =>
      (input, options = {}) =>
        waitAndParse<Output>(context, module, input, options),
    async close() {
      closing.abort();
      await threads.destroy();
    },
  };
}

async function waitAndParse<Output>(
  context: Context,
  module: ParserModule,
  input: unknown,
  { account = SERVER, signal: given }: ParseOptions,
): Promise<Output> {
  const { turns, queues, limits, closing } = context;
  const queue = queues.get(account) ?? new PQueue({ concurrency: 1 });
  const isFull = queue.size >= limits.maxWaitingOfAccount || turns.size >= limits.maxWaiting;
  if (account !== SERVER && isFull) throw errors.parsing.busy();
  queues.set(account, queue);
  const signal = given === undefined ? closing : AbortSignal.any([given, closing]);
  const parse = () => parseInThread<Output>(context, module, input, signal);
  try {
    return await queue.add(() => turns.add(parse, { signal }), { signal });
  } finally {
    if (queue.size + queue.pending === 0) queues.delete(account);
  }
}

/** Parses at once: no more texts than there are threads come here. A thread that reaches a limit ends, others go on. */
async function parseInThread<Output>(
  { threads }: Context,
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
