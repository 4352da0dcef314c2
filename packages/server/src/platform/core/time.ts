/** Milliseconds of a second. */
export const SECOND_MS = 1_000;
/** Milliseconds of a minute. */
export const MINUTE_MS = 60 * SECOND_MS;
/** Milliseconds of an hour. */
export const HOUR_MS = 60 * MINUTE_MS;
/** Milliseconds of a day of 24 hours. */
export const DAY_MS = 24 * HOUR_MS;

/** Seconds of an hour. */
export const HOUR_S = HOUR_MS / SECOND_MS;
/** Seconds of a day of 24 hours. */
export const DAY_S = DAY_MS / SECOND_MS;

/** Returns the start of the UTC hour of a time. */
export const startOfHour = (time: Date): Date => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
