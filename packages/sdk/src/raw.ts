import createClient, { type Client } from "openapi-fetch";
import { unreadResponse } from "./body.ts";
import type { paths } from "./generated/schema.ts";
import type { Outgoing, Sent } from "./transport.ts";

/** Creates the calls by path. They return `{ data, error, response }`, as openapi-fetch does: statuses of 400 and above do not throw. */
export function createRaw(
  api: string,
  credentials: RequestCredentials | undefined,
  send: (outgoing: Outgoing) => Promise<Sent>,
): Client<paths> {
  return createClient<paths>({
    baseUrl: api,
    async fetch(request) {
      return unreadResponse(
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
