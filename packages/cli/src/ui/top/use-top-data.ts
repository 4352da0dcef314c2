import type { Concurrency } from "@feather/sdk";
import { useEffect, useReducer, useRef } from "react";
import { createTopData, type DataAction, type LoadedAction, type TopData, topDataReducer } from "./data-state.ts";
import { type CollectionName, POLL_PAUSE_MS, type TopSource } from "./source.ts";

/** What following the data needs besides its source. */
export type TopDataOptions = {
  readonly first: Concurrency;
  readonly source: TopSource;
  readonly now: () => Date;
  /** Waits for some milliseconds; returns early when the signal aborts. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Returns an error as a line for people. */
  explain(error: unknown): string;
  /** Returns whether the caller is no longer signed in, so that nothing can be loaded. */
  isFatal(error: unknown): boolean;
  onFatal(error: unknown): void;
};

/** The server sends the usage every two seconds; a connection that is silent for this long is lost. */
const MAX_SILENCE_MS = 15_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
const MAX_POLL_PAUSE_MS = 60_000;
const NAMES = Object.keys(POLL_PAUSE_MS) as readonly CollectionName[];

type Dispatch = (action: DataAction) => void;

/** Returns the data, kept up to date. While the usage is not streamed, because there is no connection, nothing is loaded. */
export function useTopData(options: TopDataOptions): TopData {
  const [data, dispatch] = useReducer(topDataReducer, options.first, createTopData);
  const latest = useRef(options);
  latest.current = options;
  const isConnected = data.disconnectedAt === null;
  useEffect(() => {
    const controller = new AbortController();
    void followUsage(latest.current, dispatch, controller.signal);
    return () => controller.abort();
  }, []);
  useEffect(() => {
    if (!isConnected) return;
    const controller = new AbortController();
    for (const name of NAMES) void pollCollection(latest.current, name, dispatch, controller.signal);
    return () => controller.abort();
  }, [isConnected]);
  return data;
}

/** Follows the stream of the usage, and opens it again after it ended: first after a second, then less and less often. */
async function followUsage(options: TopDataOptions, dispatch: Dispatch, signal: AbortSignal): Promise<void> {
  const { source, now, pause, isFatal, onFatal } = options;
  let retryMs = MIN_RETRY_MS;
  while (!signal.aborted) {
    try {
      await readUntilSilent(source, pause, signal, (usage) => {
        retryMs = MIN_RETRY_MS;
        dispatch({ type: "usage", usage });
      });
    } catch (error) {
      if (signal.aborted) return;
      if (isFatal(error)) return onFatal(error);
    }
    if (signal.aborted) return;
    dispatch({ type: "disconnected", at: now() });
    await pause(retryMs, signal);
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  }
}

/** Reads a stream of the usage until it ends, or until nothing came for too long. */
async function readUntilSilent(
  source: TopSource,
  pause: TopDataOptions["pause"],
  signal: AbortSignal,
  onUsage: (usage: Concurrency) => void,
): Promise<void> {
  const stream = new AbortController();
  let silence = new AbortController();
  const watch = async () => {
    const { signal: heard } = silence;
    await pause(MAX_SILENCE_MS, AbortSignal.any([signal, heard]));
    if (!heard.aborted) stream.abort();
  };
  void watch();
  try {
    for await (const usage of source.streamUsage(AbortSignal.any([signal, stream.signal]))) {
      silence.abort();
      silence = new AbortController();
      void watch();
      onUsage(usage);
    }
  } finally {
    silence.abort();
  }
}

/** Loads a collection again and again, one load after the other, and less and less often while loading fails. */
async function pollCollection(
  options: TopDataOptions,
  name: CollectionName,
  dispatch: Dispatch,
  signal: AbortSignal,
): Promise<void> {
  const { source, now, pause, explain, isFatal, onFatal } = options;
  const load = source.load[name];
  if (load === undefined) return;
  let pauseMs = POLL_PAUSE_MS[name];
  while (!signal.aborted) {
    try {
      const value = await load(signal);
      // The value has the type of its name, which the type checker cannot follow through a variable.
      if (!signal.aborted) dispatch({ type: "loaded", name, value, at: now() } as LoadedAction);
      pauseMs = POLL_PAUSE_MS[name];
    } catch (error) {
      if (signal.aborted) return;
      if (isFatal(error)) return onFatal(error);
      dispatch({ type: "failed", name, error: explain(error) });
      pauseMs = Math.min(pauseMs * 2, MAX_POLL_PAUSE_MS);
    }
    await pause(pauseMs, signal);
  }
}
