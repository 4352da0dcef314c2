import type { EventEmitter } from "node:events";

/**
 * Signals within this time of the first belong to the same Ctrl-C: the terminal sends it to every process, and npm and
 * `node --watch` forward it again.
 */
export const SAME_SIGNAL_MS = 1_000;

/** Signals to stop the server. */
export type StopSignals = {
  /** Aborted by the first SIGTERM or SIGINT: stops gracefully. */
  readonly requested: AbortSignal;
  /** Aborted by a later signal, or by `force`: stops at once, but writes usage rows. */
  readonly forced: AbortSignal;
  force(): void;
  /** Requests a graceful stop, like a signal. A signal that comes later does not force it yet. */
  request(): void;
  /** Whether a signal has come: whoever runs the server wants it to end. */
  hasSignal(): boolean;
  /** Stops listening. */
  close(): void;
};

/** Listens for SIGTERM and SIGINT. `now` returns milliseconds. */
export function listenForStop(process: Pick<EventEmitter, "on" | "off">, now: () => number): StopSignals {
  const requested = new AbortController();
  const forced = new AbortController();
  let firstAt: number | null = null;
  const onSignal = () => {
    if (firstAt === null) {
      firstAt = now();
      requested.abort(new Error("The server was asked to stop."));
    } else if (now() - firstAt > SAME_SIGNAL_MS) forced.abort(new Error("The server was asked to stop at once."));
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return {
    requested: requested.signal,
    forced: forced.signal,
    request: () => requested.abort(new Error("The server has to stop.")),
    force: () => forced.abort(new Error("Stopping took too long.")),
    hasSignal: () => firstAt !== null,
    close() {
      process.off("SIGTERM", onSignal);
      process.off("SIGINT", onSignal);
    },
  };
}
