import type { SentRequest } from "../fetch/send.ts";

/** A response that streams, and how its events are read. */
export type StreamSource = SentRequest & {
  /** Longest time without data, in milliseconds; undefined for no limit. */
  readonly idleTimeoutMs: number | undefined;
  /** Turns the dates of an event into `Date`s. */
  readonly revive: (value: unknown) => unknown;
};
