import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";

/**
 * Ends the connection of a request whose answer was sent. Before the server stopped, the answer has promised that it stays open:
 * it ends at once, before the caller sends another request.
 */
export function endConnection({ socket }: Pick<IncomingMessage, "socket">): void {
  socket.destroySoon();
}

/** Ends the connections of requests that Fastify has answered while the server stops. */
export function endConnectionsWhileDraining(app: FastifyInstance, lifecycle: { readonly draining: boolean }): void {
  app.addHook("onResponse", async ({ raw }) => {
    if (lifecycle.draining) endConnection(raw);
  });
}
