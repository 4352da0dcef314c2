import { errors } from "../../core/errors/index.ts";

/** A period from `start` (inclusive) to `end` (exclusive). */
export type Period = { start: Date; end: Date };

/** The latest time that both the database and the API's timestamps can represent. */
const MAX_TIMESTAMP_MS = Date.parse("9999-12-31T23:59:59Z");

/**
 * Parses a period in seconds since 1970; the default is the last `defaultMs` milliseconds. Throws `invalid_request`.
 */
export function parsePeriod(
  query: { start?: number | undefined; end?: number | undefined },
  now: Date,
  defaultMs: number,
): Period {
  const end = query.end === undefined ? now.getTime() : query.end * 1000;
  const start = query.start === undefined ? Math.max(0, end - defaultMs) : query.start * 1000;
  if (end > MAX_TIMESTAMP_MS || start > MAX_TIMESTAMP_MS)
    throw errors.invalidRequest("start and end are seconds since 1970, not milliseconds.", {
      param: end > MAX_TIMESTAMP_MS ? "end" : "start",
    });
  if (start > end) throw errors.invalidRequest("start must not be later than end.", { param: "start" });
  return { start: new Date(start), end: new Date(end) };
}
