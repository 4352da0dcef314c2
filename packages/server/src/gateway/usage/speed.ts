import { sql } from "kysely";

/** Streams that lasted at least 100 ms: a shorter time does not give a meaningful speed. */
const IS_MEASURABLE = sql`r.outcome = 'completed' and r.streamed and r.duration_ms - r.first_byte_ms >= 100`;

/** Tokens per second of requests `r`, from the first byte to the last; null if none lasted long enough. */
export const TOKENS_PER_SECOND = sql`sum(r.completion_tokens) filter (where ${IS_MEASURABLE})
  * 1000.0 / nullif(sum(r.duration_ms - r.first_byte_ms) filter (where ${IS_MEASURABLE}), 0)`;
