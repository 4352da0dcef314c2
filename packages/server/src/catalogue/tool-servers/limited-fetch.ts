import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { BodyTooLongError } from "../../platform/core/http/read-limited.ts";
import type { Outgoing, OutgoingResponse } from "../../platform/core/network/outgoing.ts";

type Deps = {
  outgoing: Pick<Outgoing, "fetch">;
  /** Ends all requests, but not the one that ends the session, which servers would keep otherwise. */
  signal: AbortSignal;
  /** How long a server may send nothing, in milliseconds. */
  idleTimeoutMs: number;
  /** How many bytes the bodies of all responses may have together. */
  maxBytes: number;
  /** Called when the body of the response to a request has ended. */
  onEnd(requestBody: unknown): void;
};

/** Statuses of responses without a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/**
 * Creates the `fetch` with which a client of MCP asks one server: through the guarded HTTP client, and with a limit of bytes. It
 * opens no stream of the server's own messages, to which nobody would listen: the client gets the answer that the server has none.
 */
export function createLimitedFetch({ outgoing, signal, idleTimeoutMs, maxBytes, onEnd }: Deps): FetchLike {
  const budget = { left: maxBytes };
  return async (url, { method = "GET", headers, body, signal: ended } = {}) => {
    if (method === "GET") return new Response(null, { status: 405 });
    const limit = method === "DELETE" ? AbortSignal.timeout(idleTimeoutMs) : signal;
    const response = await outgoing.fetch(url, {
      ...{ method, idleTimeoutMs, signal: ended ? AbortSignal.any([ended, limit]) : limit },
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === "string" && { body }),
    });
    const { status } = response;
    return new Response(
      WITHOUT_BODY.has(status) ? null : limitBody(response.body, budget, maxBytes, () => onEnd(body)),
      { status, headers: Object.fromEntries(response.headers) },
    );
  };
}

function limitBody(
  body: OutgoingResponse["body"],
  budget: { left: number },
  maxBytes: number,
  onEnd: () => void,
): ReadableStream | null {
  if (body === null) return null;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      budget.left -= chunk.length;
      if (budget.left < 0) controller.error(new BodyTooLongError(maxBytes));
      else controller.enqueue(chunk);
    },
    flush: onEnd,
  });
  return (body as ReadableStream<Uint8Array>).pipeThrough(limit);
}
