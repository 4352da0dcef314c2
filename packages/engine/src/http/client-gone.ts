import type { FastifyReply } from "fastify";

/** The caller hung up; nobody is left to be told. */
export class ClientGoneError extends Error {}

/** A signal that aborts when the client closes the connection before the whole answer was sent. */
export function clientGoneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const abort = () => gone.abort(new ClientGoneError("The client closed the connection."));
  if (reply.raw.destroyed || reply.request.raw.socket.destroyed) abort();
  else {
    reply.raw.once("close", () => {
      if (!reply.raw.writableFinished) abort();
    });
  }
  return gone.signal;
}
