import type { Exchange } from "../../platform/core/http/exchange.ts";
import { startIdleTimer } from "../../platform/core/idle-timer.ts";
import { sendEventStreamHead } from "./event-stream.ts";
import { waitForDrain } from "./wait-for-drain.ts";

const LAST_HTTP_CHUNK = "0\r\n\r\n";

type CallerStreamOptions = { keepAliveMs: number; stalledMs: number; signal: AbortSignal };

/** A stream of events to a caller. */
export type CallerStream = {
  /** Whether the status line was sent. After that, errors can only be reported inside the stream. */
  isOpen(): boolean;
  /**
   * Sends text. Returns a promise that resolves when the socket's buffer has drained, or undefined if there is no need to
   * wait.
   */
  write(text: string): Promise<void> | undefined;
  /** Sends the last text and ends the response. The caller may use the connection for its next request at once. */
  end(text: string): void;
  /**
   * Sends the last text and closes the connection without the final chunk, so that the caller sends no other request on it.
   */
  cut(text: string): void;
  /** Stops the keep-alive timer. Call it however the stream ended. */
  close(): void;
};

/**
 * Creates the stream of a response. The response starts, with status 200, with the first text, or with a comment after
 * `keepAliveMs` without text. A caller who reads nothing for `stalledMs` is disconnected.
 */
export function createCallerStream(
  { response: raw, responseHeaders }: Pick<Exchange, "response" | "responseHeaders">,
  { keepAliveMs, stalledMs, signal }: CallerStreamOptions,
): CallerStream {
  let open = false;
  let isChunked = false;
  const keepAlive = startIdleTimer(keepAliveMs, () => {
    if (signal.aborted) return;
    start();
    if (!raw.writableNeedDrain) raw.write(frame(": keep-alive\n\n"));
  });

  function start(): void {
    if (open) return;
    open = true;
    sendEventStreamHead(raw, responseHeaders);
    // Chunks are written as one text: Node would send a chunk in four parts, with a slower system call. HTTP/1.0 has no
    // chunks.
    isChunked = raw.chunkedEncoding;
    raw.chunkedEncoding = false;
  }

  const frame = (text: string): string => (isChunked ? toHttpChunk(text) : text);
  const lastFrames = (text: string): string => (isChunked ? toHttpChunk(text) + LAST_HTTP_CHUNK : text);

  return {
    isOpen: () => open,
    write(text) {
      start();
      keepAlive.note();
      return raw.write(frame(text)) ? undefined : waitForDrain(raw, { stalledMs, signal });
    },
    end(text) {
      start();
      raw.end(lastFrames(text));
    },
    cut(text) {
      start();
      raw.write(frame(text), () => raw.destroy());
    },
    close: keepAlive.stop,
  };
}

/** Returns nothing for an empty text, since an empty chunk would end the response. */
function toHttpChunk(text: string): string {
  return text === "" ? "" : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}
