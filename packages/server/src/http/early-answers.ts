/** Answers that are sent before a request was read whole: how their callers get them nevertheless (RFC 9112, 9.6). */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { bind } from "../core/bind.ts";

/** How much of the rest of requests is read, and for how long, in bytes and milliseconds. */
export type EarlyAnswerLimits = {
  maxBytes: number;
  /** Time without a byte. */
  idleMs: number;
  /** Time from the answer. */
  totalMs: number;
  /** Connections whose rest is read at the same time before they are closed. Others are closed at once. */
  maxConnections: number;
};

/** Twice the largest body that is taken, since proxies may send all of it first: that costs some milliseconds, no memory. */
const LIMITS: EarlyAnswerLimits = {
  maxBytes: 32 * 1024 * 1024,
  idleMs: 2_000,
  totalMs: 10_000,
  maxConnections: 1_000,
};
/** A connection is kept for the next request if no more than so many bytes of a body may have to be read before. */
const MAX_KEPT_BYTES = 64 * 1024;

/** How connections go on after an answer whose request was not read whole. */
export type EarlyAnswers = {
  /** Call it before an answer is sent: where much of the request is to come, the connection ends with the answer. */
  prepare(request: IncomingMessage, response: ServerResponse): void;
  /** Closes a connection after what was written to it. What arrives on it is no longer looked at. */
  close(socket: Socket): void;
};

type Context = { limits: EarlyAnswerLimits; closing: Set<Socket> };

/**
 * Creates the end of connections after early answers. Closing one on which bytes arrive that nobody has read makes the
 * system reset it, and its other side, which may be a proxy, may lose the answer. So this process says that it sends no
 * more, and reads on until the other side is done, or a limit is reached.
 */
export function createEarlyAnswers(limits: EarlyAnswerLimits = LIMITS): EarlyAnswers {
  return bind({ limits, closing: new Set<Socket>() }, { prepare, close });
}

/** Prepares all answers of Fastify, of which those to calls that it does not handle come after the request. */
export function prepareEarlyAnswers(app: FastifyInstance, { prepare: prepareAnswer }: EarlyAnswers): void {
  app.addHook("onSend", (request, reply, _payload, done) => {
    prepareAnswer(request.raw, reply.raw);
    done();
  });
}

function prepare(context: Context, request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  // A request that Fastify was given without a network has no connection.
  if (request.complete || !(socket instanceof Socket)) return;
  if (mayBeLong(request) && !response.headersSent) response.setHeader("connection", "close");
  // With this method node ends a connection after an answer that says so.
  socket.destroySoon = () => (request.complete ? destroySoon(socket) : close(context, socket));
  response.once("finish", () => limitRest(context, request));
}

/** Whether much may be to come, or nobody knows whether the rest comes: who waits to be told to send it need not send it now. */
function mayBeLong({ headers }: IncomingMessage): boolean {
  if (headers.expect !== undefined) return true;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_KEPT_BYTES;
}

/** Ends a connection that is kept for the next request if the rest of this one does not come. */
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
  // Not now: node's HTTP server begins to read a new connection after this, and has to resume one that it has paused.
  process.nextTick(() => {
    socket.resume();
    process.nextTick(takeReading, socket, discard);
  });
}

/** Makes `discard` read a connection instead of node's HTTP server, which would go on to handle requests. */
function takeReading(socket: Socket, discard: (part: Buffer) => void): void {
  const readers = socket.listeners("data");
  socket.on("data", discard);
  for (const reader of readers) socket.off("data", reader as () => void);
}

/** Node's own method, which destroys a connection as soon as everything is written. */
function destroySoon(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket);
}
