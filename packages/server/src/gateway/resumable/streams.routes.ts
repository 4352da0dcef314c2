import type { FastifyReply, FastifyRequest } from "fastify";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { ResumableStream } from "./resumable-stream.ts";
import { eventsGone, startSending } from "./send-stream.ts";
import type { SharedStreams } from "./shared-streams.ts";
import { toStreamOwner } from "./stream-owner.ts";

type Deps = {
  streams: SharedStreams;
  /** After how long without an event a reader gets a comment, and after how long one who reads nothing is cut off. */
  keepAliveMs: number;
  stalledMs: number;
};

/** How often the credential of a reader is checked again, in milliseconds. */
const RECHECK_MS = 5_000;

/** Handlers that send the events of resumable streams to those who come back, and that stop such streams. */
export function streamsRoutes(deps: Deps): Handlers {
  const { streams } = deps;
  return {
    "streams.get": async ({ actor, path, query, request, reply }) => {
      const found = await streams.find({ owner: toStreamOwner(actor), id: path.id }, request.raw);
      if (!("stream" in found)) {
        await found.forward(request.raw, reply.raw);
        request.isAnsweredElsewhere = true;
        return reply.hijack();
      }
      const after = Number(request.headers["last-event-id"] ?? query.after ?? 0);
      await sendToReader(deps, found.stream, after, request, reply);
      return reply;
    },
    "streams.stop": async ({ actor, path }) => {
      await streams.stop({ owner: toStreamOwner(actor), id: path.id });
      return undefined;
    },
  };
}

/** Sends the events after a number. Throws, as long as nothing was sent, the error of a call that was refused. */
async function sendToReader(
  { keepAliveMs, stalledMs }: Deps,
  stream: ResumableStream,
  after: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const gone = new AbortController();
  const leave = stream.addReader();
  reply.raw.once("close", () => {
    leave();
    gone.abort();
  });
  if (!(await untilBegun(stream, gone.signal, keepAliveMs))) return void reply.hijack();
  refuseNumber(stream, after);
  reply.hijack();
  const responseHeaders = {
    ...reply.getHeaders(),
    "x-stream-id": stream.id,
    "x-stream-request-id": stream.requestId,
    "x-stream-path": stream.path,
  };
  const { signal } = gone;
  const recheck = setInterval(() => void request.recheck().catch(() => reply.raw.destroy()), RECHECK_MS);
  const sending = startSending(stream, after + 1, {
    response: reply.raw,
    responseHeaders,
    keepAliveMs,
    stalledMs,
    signal,
  });
  await sending.done.finally(() => clearInterval(recheck));
}

/**
 * Waits until a stream has an event, as long as a stream may stay silent: after that its reader gets comments. Returns false if the
 * reader goes before. Throws the error of a call that was refused meanwhile.
 */
async function untilBegun(stream: ResumableStream, gone: AbortSignal, silentMs: number): Promise<boolean> {
  const silent = AbortSignal.timeout(silentMs);
  const signal = AbortSignal.any([gone, silent]);
  while (stream.buffer.last() === 0 && stream.ended() === null && !signal.aborted)
    await stream.changed(signal).catch(() => {});
  const ended = stream.ended();
  if (ended?.end.kind === "refused") throw ended.end.error;
  return !gone.aborted;
}

function refuseNumber(stream: ResumableStream, after: number): void {
  const { buffer } = stream;
  if (after > buffer.last())
    throw errors.invalidRequest(`The stream has no event ${after} yet; the last one is ${buffer.last()}.`, {
      param: "after",
    });
  if (after + 1 < buffer.first()) throw eventsGone(stream);
}
