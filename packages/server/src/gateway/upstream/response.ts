import type { IncomingHttpHeaders } from "node:http";
import type { Agent, Dispatcher } from "undici";
import { BodyTooLongError } from "../../platform/core/http/read-limited.ts";
import { parseBackendJson } from "../formats/backend-json.ts";
import { isRecord } from "../usage/reported-usage.ts";

/** The largest body of a backend that is read whole: room for 2,048 embeddings of 8,192 numbers, but not without end. */
const MAX_BODY_BYTES = 384 * 1024 * 1024;

/** What a backend answered, read whole. */
export type UpstreamResponse = { statusCode: number; headers: IncomingHttpHeaders; text: string };
/** A request to a backend. */
export type UpstreamRequest = {
  dispatcher: Agent;
  options: Dispatcher.DispatchOptions & { origin: string; headers?: Record<string, string> };
  /** Headers that sign the request; null or left out for one that is sent as it is. */
  signature?: Promise<Record<string, string>> | null;
  signal: AbortSignal;
  /** The largest body that is read whole, in bytes. */
  maxBodyBytes?: number;
  /** Opens another dispatcher to the same backend, which has no connections yet. */
  openDispatcher?: () => Dispatcher;
};
/** undici's control of a response, which pauses or aborts it. */
export type Controller = Dispatcher.DispatchController;

/** The callbacks of a response. `onResponseError` gets no controller if there was no connection. */
type ResponseHandler = Required<
  Pick<Dispatcher.DispatchHandler, "onResponseStart" | "onResponseData" | "onResponseEnd">
> & { onResponseError(controller: Controller | null, error: Error): void };

/**
 * Sends a request whose response goes to a handler, without a stream. It ends when the signal aborts, even while it waits
 * for its signature or a connection. The handler may be called before this function returns. If a reused connection is reset
 * before the response begins, the request is sent once more on a new one, since the backend may have closed the idle
 * connection at the same moment.
 */
export function dispatchAbortable(request: UpstreamRequest, handler: ResponseHandler): void {
  const { dispatcher, signal, signature, openDispatcher } = request;
  let { options } = request;
  let controller: Controller | null = null;
  let mayRepeat = openDispatcher !== undefined && hasIdleConnection(dispatcher, options.origin);
  const abort = () => {
    if (controller === null) handler.onResponseError(null, signal.reason);
    else controller.abort(signal.reason);
  };
  signal.addEventListener("abort", abort);
  const send = (through: Dispatcher): void => {
    through.dispatch(options, {
      onRequestStart(started) {
        controller = started;
        if (signal.aborted) started.abort(signal.reason);
      },
      onResponseStart(started, statusCode, headers, statusMessage) {
        mayRepeat = false;
        handler.onResponseStart(started, statusCode, headers, statusMessage);
      },
      onResponseData: handler.onResponseData,
      onResponseEnd(ended, trailers) {
        signal.removeEventListener("abort", abort);
        handler.onResponseEnd(ended, trailers);
      },
      onResponseError(failed, error) {
        if (mayRepeat && openDispatcher && !signal.aborted && isReset(error)) {
          mayRepeat = false;
          controller = null;
          const fresh = openDispatcher();
          send(fresh);
          void fresh.close(); // once the response has ended
          return;
        }
        signal.removeEventListener("abort", abort);
        handler.onResponseError(failed, error);
      },
    });
  };
  if (signature)
    signature
      .then((signed) => {
        if (signal.aborted) return;
        options = { ...options, headers: { ...options.headers, ...signed } };
        send(dispatcher);
      })
      .catch((error: unknown) => handler.onResponseError(null, error as Error));
  else send(dispatcher);
}

function hasIdleConnection({ stats }: Agent, origin: string): boolean {
  const ofOrigin = stats[origin];
  return ofOrigin !== undefined && "free" in ofOrigin && ofOrigin.free > 0;
}

/** Returns whether an error means that the backend closed or reset the connection. */
function isReset(error: Error): boolean {
  return "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE" || error.code === "UND_ERR_SOCKET");
}

/**
 * Returns the whole response of a backend. Rejects with the error of the connection, the reason of the signal, or
 * `BodyTooLongError`.
 */
export function fetchResponse(request: UpstreamRequest): Promise<UpstreamResponse> {
  return new Promise((resolve, reject) => {
    let statusCode = 0;
    let headers: IncomingHttpHeaders = {};
    const body = createBody(request.maxBodyBytes);
    dispatchAbortable(request, {
      onResponseStart(_controller, status, receivedHeaders) {
        statusCode = status;
        headers = receivedHeaders;
      },
      onResponseData: (controller, part) => body.add(controller, part),
      onResponseEnd: () => resolve({ statusCode, headers, text: body.text() }),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

/** Collects the parts of a body that is read whole, and aborts the request with `BodyTooLongError` if they are too many. */
export function createBody(maxBytes = MAX_BODY_BYTES) {
  let parts: Buffer[] = [];
  let bytes = 0;
  return {
    add(controller: Controller, part: Buffer): void {
      bytes += part.length;
      if (bytes <= maxBytes) return void parts.push(part);
      parts = [];
      controller.abort(new BodyTooLongError(maxBytes));
    },
    text(): string {
      const [first] = parts;
      return (parts.length === 1 && first ? first : Buffer.concat(parts)).toString("utf8");
    },
  };
}

/** Returns the JSON object in a text; null for anything else. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value = parseBackendJson(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
