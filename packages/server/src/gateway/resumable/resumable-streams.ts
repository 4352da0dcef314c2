import type { Clock } from "../../platform/core/clock.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Job } from "../../platform/core/jobs.ts";
import { createResumableStream, type ResumableStream } from "./resumable-stream.ts";

/** What the streams of a process may take. */
export type StreamLimits = {
  /** Bytes and events that one stream keeps. */
  maxBytes: number;
  maxEvents: number;
  /** Streams of an organization, those that have ended included. */
  maxPerOrganization: number;
  /** Bytes that all streams keep together. */
  maxTotalBytes: number;
  /** How long a stream is kept after its end, in milliseconds. */
  keepMs: number;
  /** How long a call runs without a reader, in milliseconds. */
  unreadMs: number;
};

/** The resumable streams of this process. */
export type ResumableStreams = {
  /**
   * Begins a stream. Throws `invalid_request` for an id that its owner has used, unless that call was refused, and `streams.too_many`. The oldest ended stream
   * of the organization gives way.
   */
  open(facts: Pick<ResumableStream, "id" | "owner" | "organizationId" | "requestId" | "path">): ResumableStream;
  /** Returns a stream by its id; undefined where the owner has none of that id here. */
  find(owner: string, id: string): ResumableStream | undefined;
  /** Returns whether an owner has used an id here: the call of that stream has not been refused. */
  isTaken(owner: string, id: string): boolean;
  /** The bytes that are kept. */
  totalBytes(): number;
  /** Deletes what has been kept long enough, and stops calls that nobody reads. */
  job: Job;
};

type Context = {
  streams: Map<string, ResumableStream>;
  /** The bytes that all streams keep. */
  size: { bytes: number };
  limits: StreamLimits;
  clock: Clock;
};

/** Creates the registry of the streams of this process. */
export function createResumableStreams(limits: StreamLimits, clock: Clock): ResumableStreams {
  const context: Context = { streams: new Map(), size: { bytes: 0 }, limits, clock };
  return {
    open: (facts) => open(context, facts),
    find(owner, id) {
      const stream = context.streams.get(keyOf({ owner, id }));
      return stream !== undefined && isExpired(context, stream) ? undefined : stream;
    },
    isTaken: (owner, id) => isTaken(context, context.streams.get(keyOf({ owner, id }))),
    totalBytes: () => context.size.bytes,
    job: {
      name: "delete ended streams and stop unread ones",
      everySeconds: 5,
      onEveryReplica: true,
      run: async () => sweep(context),
    },
  };
}

type Facts = Parameters<ResumableStreams["open"]>[0];

const keyOf = ({ owner, id }: Pick<Facts, "owner" | "id">): string => `${owner} ${id}`;

function open(context: Context, facts: Facts): ResumableStream {
  const { streams, limits, clock } = context;
  const before = streams.get(keyOf(facts));
  if (isTaken(context, before)) throw createTakenError();
  if (before !== undefined) remove(context, before);
  makeRoom(context, facts.organizationId);
  const stream = createResumableStream({
    ...facts,
    maxBytes: limits.maxBytes,
    maxEvents: limits.maxEvents,
    nowMs: () => clock.now().getTime(),
    onResized(bytes) {
      context.size.bytes += bytes;
      if (context.size.bytes > limits.maxTotalBytes) freeMemory(context);
    },
  });
  streams.set(keyOf(facts), stream);
  return stream;
}

function isTaken(context: Context, stream: ResumableStream | undefined): boolean {
  return stream !== undefined && !isExpired(context, stream) && stream.ended()?.end.kind !== "refused";
}

/** Returns the error for an id that its owner has used. */
export function createTakenError(): AppError {
  const message = "You have a stream with this id already. Read that one, or choose another id.";
  return errors.invalidRequest(message, { param: "x-stream-id" });
}

/** Deletes the oldest ended stream of an organization that has as many as it may. Throws where all of them run. */
function makeRoom(context: Context, organizationId: string): void {
  const { maxPerOrganization: limit } = context.limits;
  const own = [...context.streams.values()].filter((stream) => stream.organizationId === organizationId);
  if (own.length < limit) return;
  const oldest = findFirstEnded(own);
  if (oldest === undefined) throw errors.streams.tooMany({ limit });
  remove(context, oldest);
}

/**
 * Deletes ended streams, the oldest first, until all fit. If that is not enough, the largest stream drops the older half of what it
 * keeps, as often as it takes.
 */
function freeMemory(context: Context): void {
  const { streams, size, limits } = context;
  while (size.bytes > limits.maxTotalBytes) {
    const ended = findFirstEnded([...streams.values()]);
    if (ended !== undefined) remove(context, ended);
    else {
      const largest = [...streams.values()].reduce((one, other) =>
        other.buffer.bytes() > one.buffer.bytes() ? other : one,
      );
      const before = largest.buffer.bytes();
      largest.buffer.shrinkTo(before / 2);
      size.bytes -= before - largest.buffer.bytes();
      if (largest.buffer.bytes() === before) return; // each stream keeps its newest event
    }
  }
}

function findFirstEnded(streams: readonly ResumableStream[]): ResumableStream | undefined {
  const endOf = (stream: ResumableStream) => stream.ended()?.atMs ?? Number.POSITIVE_INFINITY;
  return streams
    .filter((stream) => stream.ended() !== null)
    .reduce<ResumableStream | undefined>(
      (first, stream) => (first === undefined || endOf(stream) < endOf(first) ? stream : first),
      undefined,
    );
}

/** Forgets a stream. Readers that have it go on. */
function remove({ streams, size }: Context, stream: ResumableStream): void {
  if (streams.get(keyOf(stream)) !== stream) return;
  streams.delete(keyOf(stream));
  size.bytes -= stream.buffer.bytes();
}

function isExpired({ limits, clock }: Context, stream: ResumableStream): boolean {
  const ended = stream.ended();
  return ended !== null && clock.now().getTime() - ended.atMs >= limits.keepMs;
}

function sweep(context: Context): void {
  const nowMs = context.clock.now().getTime();
  for (const stream of context.streams.values()) {
    const unreadSinceMs = stream.unreadSinceMs();
    if (isExpired(context, stream)) remove(context, stream);
    else if (unreadSinceMs !== null && nowMs - unreadSinceMs >= context.limits.unreadMs)
      stream.stop(errors.streams.unread());
  }
}
