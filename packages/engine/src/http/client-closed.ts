import type { FastifyReply } from "fastify";

/** The client closed the connection, so no response is sent. */
export class ClientClosedError extends Error {}

/** Returns a signal that aborts when the client closes the connection before the whole response was sent. */
export function createClientClosedSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new ClientClosedError("The client closed the connection."));
  if (reply.raw.destroyed || reply.request.raw.socket.destroyed) abort();
  else {
    reply.raw.once("close", () => {
      if (!reply.raw.writableFinished) abort();
    });
  }
  return controller.signal;
}
