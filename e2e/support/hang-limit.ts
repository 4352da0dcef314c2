/** Ends a child process that hangs, like the limit of a test: long enough for a busy machine, in milliseconds. */
export const HANG_LIMIT_MS = 120_000;
