import type { SentRequest } from "../fetch/send.ts";
import type { RequestOptions } from "../request-options.ts";

/** Requests the events of a stream, with the options of the call that began it and with these in their place. */
export type Resume = (streamId: string, options: RequestOptions) => Promise<SentRequest>;

/** A response that streams, and how its events are read. */
export type StreamSource = SentRequest & {
  /** Longest time without data, in milliseconds; undefined for no limit. */
  readonly idleTimeoutMs: number | undefined;
  /** Turns the dates of an event into `Date`s. */
  readonly revive: (value: unknown) => unknown;
  readonly resume: Resume;
};
