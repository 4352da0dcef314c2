import type { EventEmitter } from "node:events";

/**
 * Signals within this time of the first are the same Ctrl-C: the terminal sends it to every process, and npm and
 * `node --watch` pass it on once more.
 */
export const SAME_SIGNAL_MS = 1_000;

export type StopSignals = {
  /** Aborted by the first SIGTERM or SIGINT: finish what runs, then end. */
  readonly requested: AbortSignal;
  /** Aborted by a later one, or by `force`: end now, but write down what happened. */
  readonly forced: AbortSignal;
  force(): void;
  /** Asks for an orderly stop, as a signal does. */
  request(): void;
};

/** Listens for the signals that ask a process to end. `now` returns milliseconds. */
export function listenForStop(process: Pick<EventEmitter, "on">, now: () => number): StopSignals {
  const requested = new AbortController();
  const forced = new AbortController();
  let firstAt = 0;
  const onSignal = () => {
    if (!requested.signal.aborted) {
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
  };
}
