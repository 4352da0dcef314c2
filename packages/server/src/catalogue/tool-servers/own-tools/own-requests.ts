import type { FastifyRequest } from "fastify";
import lightMyRequest from "light-my-request";
import { ToolFailure } from "./tool-failure.ts";

/** A request to this server, below its address. */
export type OwnRequest = { method: "GET" | "POST"; path: string; query?: Record<string, string>; body?: object };

/**
 * Sends a request to this server as the caller of another one, with all checks that it has. Returns the body of a success.
 * Throws `ToolFailure` with the message of a failure.
 */
export type SendOwnRequest = (request: OwnRequest, signal: AbortSignal) => Promise<string>;

/** Headers that say who calls, and from where. */
const CALLER_HEADERS = [
  ...["authorization", "x-api-key", "cookie", "origin", "sec-fetch-site", "host", "user-agent"],
  ...["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"],
] as const;

/** Creates what sends further requests as the caller of this one. They do not go over the network. */
export function createSendOwnRequest({ server, headers, socket }: FastifyRequest): SendOwnRequest {
  const callerHeaders = Object.fromEntries(
    CALLER_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  return async ({ method, path, query = {}, body }, signal) => {
    const { statusCode, payload } = await sendUntil(signal, (leaveWith) =>
      lightMyRequest(
        (request, response) => {
          leaveWith(() => response.destroy());
          // Calls to models are answered before Fastify, by the listener of the HTTP server.
          server.server.emit("request", request, response);
        },
        {
          ...{ method, url: path, query },
          headers: callerHeaders,
          ...(socket.remoteAddress !== undefined && { remoteAddress: socket.remoteAddress }),
          ...(body !== undefined && { payload: body }),
        },
      ),
    );
    if (statusCode >= 200 && statusCode < 300) return payload;
    throw new ToolFailure(readMessage(payload) ?? `This server answered with status ${statusCode}.`);
  };
}

/**
 * Sends a request whose response is closed when the signal aborts, so that its work ends like that of a caller who has gone. An own
 * `signal` of light-my-request ends nothing once the request has been read. Throws the reason of the signal.
 */
async function sendUntil<Response>(
  signal: AbortSignal,
  send: (leaveWith: (leave: () => void) => void) => Promise<Response>,
): Promise<Response> {
  signal.throwIfAborted();
  const sent = new AbortController();
  try {
    return await send((leave) => signal.addEventListener("abort", leave, { once: true, signal: sent.signal }));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    sent.abort();
  }
}

/** Returns the message of an error of the API, in either of its forms. */
function readMessage(payload: string): string | undefined {
  try {
    const { message, error } = JSON.parse(payload) as { message?: unknown; error?: { message?: unknown } };
    const text = error?.message ?? message;
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
