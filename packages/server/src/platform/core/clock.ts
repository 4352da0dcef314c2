/** Returns the current time. It is an argument everywhere, so that tests can control it. */
export type Clock = { now(): Date };

/** The system's clock. */
export const systemClock: Clock = { now: () => new Date() };
