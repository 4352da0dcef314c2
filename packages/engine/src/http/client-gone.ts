import type { FastifyReply } from "fastify";

/** The client closed the connection, so no response is sent. */
export class ClientGoneError extends Error {}

/** Returns a signal that aborts when the client closes the connection before the whole response was sent. */
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
