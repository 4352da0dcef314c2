import { sql } from "kysely";

/** Streams that were written for at least a tenth of a second: a shorter time says nothing of a speed. */
const TIMED = sql`r.outcome = 'completed' and r.streamed and r.duration_ms - r.first_byte_ms >= 100`;

/** Tokens per second of requests `r`, from the first byte to the last; null where none was long enough to tell. */
export const TOKENS_PER_SECOND = sql`sum(r.completion_tokens) filter (where ${TIMED})
  * 1000.0 / nullif(sum(r.duration_ms - r.first_byte_ms) filter (where ${TIMED}), 0)`;
