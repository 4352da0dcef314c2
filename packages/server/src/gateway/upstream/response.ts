import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { isRecord } from "../reported-usage.ts";

/** What a backend answered, read whole. */
export type UpstreamResponse = { statusCode: number; headers: IncomingHttpHeaders; text: string };
/** A request to a backend. */
export type UpstreamRequest = { dispatcher: Dispatcher; options: Dispatcher.DispatchOptions; signal: AbortSignal };
/** With what undici lets a handler pause or end a response. */
export type Controller = Dispatcher.DispatchController;

/** What undici calls while a response arrives; `onResponseError` without a controller if there was no connection. */
type ResponseHandler = Required<
  Pick<Dispatcher.DispatchHandler, "onResponseStart" | "onResponseData" | "onResponseEnd">
> & { onResponseError(controller: Controller | null, error: Error): void };

/**
 * Sends a request with a handler of its response, for which undici needs no stream. The request ends when the signal
 * aborts, also while it waits for a connection. The handler may be called before this function returns.
 */
export function dispatchAbortable({ dispatcher, options, signal }: UpstreamRequest, handler: ResponseHandler): void {
  let controller: Controller | null = null;
  const abort = () => {
    if (controller === null) handler.onResponseError(null, signal.reason);
    else controller.abort(signal.reason);
  };
  signal.addEventListener("abort", abort);
  dispatcher.dispatch(options, {
    onRequestStart(started) {
      controller = started;
      if (signal.aborted) started.abort(signal.reason);
    },
    onResponseStart: handler.onResponseStart,
    onResponseData: handler.onResponseData,
    onResponseEnd(ended, trailers) {
      signal.removeEventListener("abort", abort);
      handler.onResponseEnd(ended, trailers);
    },
    onResponseError(failed, error) {
      signal.removeEventListener("abort", abort);
      handler.onResponseError(failed, error);
    },
  });
}

/** Returns the whole response of a backend. Rejects with the error of the connection, or the reason of the signal. */
export function fetchResponse(request: UpstreamRequest): Promise<UpstreamResponse> {
  return new Promise((resolve, reject) => {
    let statusCode = 0;
    let headers: IncomingHttpHeaders = {};
    const parts: Buffer[] = [];
    dispatchAbortable(request, {
      onResponseStart(_controller, status, receivedHeaders) {
        statusCode = status;
        headers = receivedHeaders;
      },
      onResponseData: (_controller, part) => void parts.push(part),
      onResponseEnd: () => resolve({ statusCode, headers, text: joinParts(parts) }),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

/** The text of a body that arrived in parts. */
export function joinParts(parts: readonly Buffer[]): string {
  const [first] = parts;
  return (parts.length === 1 && first ? first : Buffer.concat(parts)).toString("utf8");
}

/** The JSON object in a text; null for anything else. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
