/**
 * Closes connections safely after a response that was sent before the request body was read completely (RFC 9112, 9.6).
 *
 * Replaces two parts of Node's HTTP server. `socket.destroySoon`, which Node calls after a response with `connection:
 * close`, destroys the socket at once; unread bytes then make the system reset the connection, and the client may lose the
 * response. The `data` listeners of the HTTP parser are removed, so that the remaining bytes are discarded instead of parsed
 * as requests.
 *
 * Remove this file when Node's HTTP server itself half-closes such a connection and discards the remaining bytes within
 * limits, or when Feather only runs behind a proxy that does so.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { bind } from "../../platform/core/bind.ts";

/** Limits for reading the rest of a request after the response, in bytes and milliseconds. */
export type EarlyAnswerLimits = {
  maxBytes: number;
  /** The longest time without a received byte. */
  idleMs: number;
  /** The longest time after the response. */
  totalMs: number;
  /** Maximum number of connections that are drained at the same time. Further ones are closed at once. */
  maxConnections: number;
};

/**
 * `maxBytes` is twice the largest accepted body: a proxy may send the whole body first, and discarding it needs no memory.
 */
const LIMITS: EarlyAnswerLimits = {
  maxBytes: 32 * 1024 * 1024,
  idleMs: 2_000,
  totalMs: 10_000,
  maxConnections: 1_000,
};
/** The connection stays open for the next request only if at most this many bytes of the body are unread. */
const MAX_KEPT_BYTES = 64 * 1024;

/** Handles connections whose response was sent before the request body was read completely. */
export type EarlyAnswers = {
  /** Must be called before the response is sent. Sets `connection: close` if a large part of the request may be unread. */
  prepare(request: IncomingMessage, response: ServerResponse): void;
  /** Closes a connection after the pending writes. Data received on it from now on is discarded. */
  close(socket: Socket): void;
};

type Context = { limits: EarlyAnswerLimits; closing: Set<Socket> };

/**
 * Returns functions that close connections after such responses. If a connection is closed while unread bytes arrive, the
 * system resets it, and the client or a proxy may lose the response. So this process half-closes the connection, and
 * discards what it receives until the other side closes it or a limit is reached.
 */
export function createEarlyAnswers(limits: EarlyAnswerLimits = LIMITS): EarlyAnswers {
  return bind({ limits, closing: new Set<Socket>() }, { prepare, close });
}

/** Calls `prepare` before each response of Fastify. Calls that bypass Fastify are answered after their request was read. */
export function prepareEarlyAnswers(app: FastifyInstance, { prepare: prepareAnswer }: EarlyAnswers): void {
  app.addHook("onSend", (request, reply, _payload, done) => {
    prepareAnswer(request.raw, reply.raw);
    done();
  });
}

function prepare(context: Context, request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  // A request injected into Fastify, as tests do, has no socket.
  if (request.complete || !(socket instanceof Socket)) return;
  if (mayBeLong(request) && !response.headersSent) response.setHeader("connection", "close");
  // Node calls this method to end a connection after a response with `connection: close`.
  socket.destroySoon = () => (request.complete ? destroySoon(socket) : close(context, socket));
  response.once("finish", () => limitRest(context, request));
}

/** Returns whether the unread body is large or of unknown size. A client that sent `Expect` may never send its body. */
function mayBeLong({ headers }: IncomingMessage): boolean {
  if (headers.expect !== undefined) return true;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_KEPT_BYTES;
}

/** Destroys a connection that was kept open if the rest of its request does not arrive within `totalMs`. */
function limitRest({ limits }: Context, request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || socket.destroyed) return;
  const timer = setTimeout(() => request.complete || socket.destroy(), limits.totalMs).unref();
  const stop = () => {
    clearTimeout(timer);
    socket.off("close", stop);
  };
  request.once("end", stop);
  socket.once("close", stop);
}

function close({ limits, closing }: Context, socket: Socket): void {
  if (socket.destroyed || closing.has(socket)) return;
  if (closing.size >= limits.maxConnections) return void destroySoon(socket);
  closing.add(socket);
  const end = () => socket.destroy();
  const idle = setTimeout(end, limits.idleMs);
  const total = setTimeout(end, limits.totalMs);
  socket.once("close", () => {
    closing.delete(socket);
    clearTimeout(idle);
    clearTimeout(total);
  });
  let rest = limits.maxBytes;
  const discard = (part: Buffer) => {
    idle.refresh();
    rest -= part.length;
    if (rest < 0) socket.destroy();
  };
  socket.end();
  // Deferred, since Node's HTTP server starts to read a new connection after this, and must first resume a paused one.
  process.nextTick(() => {
    socket.resume();
    process.nextTick(takeReading, socket, discard);
  });
}

/** Replaces the `data` listeners of Node's HTTP server by `discard`, so that no further requests are parsed. */
function takeReading(socket: Socket, discard: (part: Buffer) => void): void {
  const readers = socket.listeners("data");
  socket.on("data", discard);
  for (const reader of readers) socket.off("data", reader as () => void);
}

/** Node's own `destroySoon`, which destroys a socket as soon as all writes are flushed. */
function destroySoon(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket);
}
