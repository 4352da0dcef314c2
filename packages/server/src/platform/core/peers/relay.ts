import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Dispatcher } from "undici";

/** The target of a relayed request. `headers` is a list of alternating names and values. */
export type RelayTarget = { dispatcher: Dispatcher; origin: string; path: string; headers: readonly string[] };
type Options = {
  /** Ends the relaying when it aborts. */
  signal?: AbortSignal;
  /** Returns the error that is thrown instead of relaying this response; null to relay it. */
  refusalOf?(status: number, headers: IncomingHttpHeaders): Error | null;
  /** Called before the first byte of the response is sent. */
  onStart?(status: number): void;
};

/** Headers that apply to one connection (RFC 9110, 7.6.1), which are not relayed. */
const HOP_BY_HOP = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Relays a request and its response byte for byte, no faster than their receivers read. Aborts the request if the caller
 * disconnects. Resolves when the response has ended, even if it was cut off. Rejects if there was no response; then nothing
 * was sent to the caller.
 */
export function relay(
  request: IncomingMessage,
  response: ServerResponse,
  { dispatcher, origin, path, headers }: RelayTarget,
  { signal, onStart, refusalOf }: Options = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let isOver = false;
    const abort = (reason: Error) => {
      isOver = true;
      controller?.abort(reason);
    };
    const onAbort = () => abort(new Error("The relaying was ended."));
    const onClose = () => response.writableFinished || abort(new Error("The caller has gone."));
    const finish = (settle: () => void) => {
      signal?.removeEventListener("abort", onAbort);
      response.removeListener("close", onClose);
      settle();
    };
    signal?.addEventListener("abort", onAbort);
    response.once("close", onClose);
    if (signal?.aborted) onAbort();
    const options: Dispatcher.DispatchOptions = {
      origin,
      path,
      headers: [...headers],
      headersTimeout: 0,
      bodyTimeout: 0,
      method: request.method as Dispatcher.HttpMethod,
      // The iterator, not the stream itself: undici destroys a stream, and with it the connection, when the target fails.
      body: hasBody(request) ? request.iterator({ destroyOnReturn: false }) : null,
    } as Dispatcher.DispatchOptions;
    dispatcher.dispatch(options, {
      onRequestStart(started) {
        controller = started;
        if (isOver) started.abort(new Error("The caller has gone."));
      },
      onResponseStart(started, status, received) {
        if (status < 200) return;
        const refusal = refusalOf?.(status, received) ?? null;
        if (refusal !== null) return started.abort(refusal);
        onStart?.(status);
        response.writeHead(status, withoutHopByHop(received));
        response.flushHeaders();
      },
      onResponseData(started, chunk) {
        if (response.write(chunk)) return;
        started.pause();
        response.once("drain", () => started.resume());
      },
      onResponseEnd() {
        finish(resolve);
        response.end();
      },
      onResponseError(_failed, error) {
        if (!response.headersSent && !response.destroyed) return finish(() => reject(error));
        finish(resolve);
        response.destroy();
      },
    });
  });
}

/** Returns the headers of a request, as alternating names and values, without those that apply to its connection. */
export function listRelayedHeaders({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_, at) => !HOP_BY_HOP.has((rawHeaders[at - (at % 2)] ?? "").toLowerCase()));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
}

function withoutHopByHop(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}
