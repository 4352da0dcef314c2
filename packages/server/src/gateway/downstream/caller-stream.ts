import { once } from "node:events";
import type { Exchange } from "../../core/http/exchange.ts";
import { sendEventStreamHead } from "./event-stream.ts";

type CallerStreamOptions = { keepAliveMs: number; stalledMs: number; signal: AbortSignal };

/** A stream of events to a caller. */
export type CallerStream = {
  /** Whether the status line was sent. After that, errors can only be reported inside the stream. */
  isOpen(): boolean;
  /**
   * Sends text; the promise resolves when the socket's buffer has drained. Returns undefined when there is no need to
   * wait.
   */
  write(text: string): Promise<void> | undefined;
  /** Sends the last text and ends the response. */
  end(text: string): void;
  /** Sends the last text and destroys the connection, so that clients do not take the answer for complete. */
  abort(text: string): void;
  /** Stops the keep-alive timer. Call it however the stream ended. */
  close(): void;
};

/**
 * The response opens with the first text, or with a comment when there is none for `keepAliveMs`; from then on its
 * status is 200. A caller that reads nothing for `stalledMs` is disconnected.
 */
export function createCallerStream(
  { response: raw, responseHeaders }: Exchange,
  { keepAliveMs, stalledMs, signal }: CallerStreamOptions,
): CallerStream {
  let open = false;
  const keepAlive = setInterval(() => {
    if (signal.aborted) return;
    start();
    if (!raw.writableNeedDrain) raw.write(": keep-alive\n\n");
  }, keepAliveMs);

  function start(): void {
    if (open) return;
    open = true;
    sendEventStreamHead(raw, responseHeaders);
  }

  async function waitForDrain(): Promise<void> {
    const stalled = setTimeout(() => raw.destroy(), stalledMs);
    try {
      await once(raw, "drain", { signal });
    } finally {
      clearTimeout(stalled);
    }
  }

  return {
    isOpen: () => open,
    write(text) {
      start();
      keepAlive.refresh();
      return raw.write(text) ? undefined : waitForDrain();
    },
    end(text) {
      start();
      raw.end(text);
    },
    abort(text) {
      raw.write(text);
      raw.end(() => raw.destroy());
    },
    close: () => clearInterval(keepAlive),
  };
}
