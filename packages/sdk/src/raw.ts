import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./generated/schema.ts";
import type { OutgoingRequest, TransportResponse } from "./transport.ts";
import { toUnreadResponse } from "./unread-response.ts";

/** Creates the calls by path. They return `{ data, error, response }`, as openapi-fetch does: statuses of 400 and above do not throw. */
export function createRaw(
  api: string,
  credentials: RequestCredentials | undefined,
  send: (outgoing: OutgoingRequest) => Promise<TransportResponse>,
): Client<paths> {
  return createClient<paths>({
    baseUrl: api,
    async fetch(request) {
      return toUnreadResponse(
        await send({
          url: request.url,
          method: request.method,
          headers: Object.fromEntries(request.headers),
          ...(credentials && { credentials }),
          ...(request.body && { body: await request.text() }),
        }),
      );
    },
  });
}
