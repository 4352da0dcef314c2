import { once } from "node:events";
import type { FastifyReply } from "fastify";
import { startEventStream } from "./event-stream.ts";

type Options = { keepAliveMs: number; stalledMs: number; signal: AbortSignal };

/** A stream of events to a caller. */
export type CallerStream = {
  /** Whether the status has gone out, so that what happens from now on can only be told inside the stream. */
  isOpen(): boolean;
  /** Sends text; resolves when the caller has taken enough of it. */
  write(text: string): Promise<void> | undefined;
  /** Sends the last text and ends well. */
  end(text: string): void;
  /** Sends the last text and cuts the connection, so that nobody takes it for a good end. */
  breakOff(text: string): void;
  /** Stops what runs beside it. To be called at the end, however that came. */
  close(): void;
};

/**
 * Opens with the first text, or with a comment when there is none for a while: then the connection stays alive, and the
 * status is settled. A caller who takes nothing for long is cut off.
 */
export function createCallerStream(reply: FastifyReply, { keepAliveMs, stalledMs, signal }: Options): CallerStream {
  const { raw } = reply;
  let open = false;
  const keepAlive = setInterval(() => {
    if (signal.aborted) return;
    start();
    if (!raw.writableNeedDrain) raw.write(": keep-alive\n\n");
  }, keepAliveMs);

  function start(): void {
    if (open) return;
    open = true;
    startEventStream(reply);
  }

  async function drained(): Promise<void> {
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
      return raw.write(text) ? undefined : drained();
    },
    end(text) {
      start();
      raw.end(text);
    },
    breakOff(text) {
      raw.write(text);
      raw.end(() => raw.destroy());
    },
    close: () => clearInterval(keepAlive),
  };
}
