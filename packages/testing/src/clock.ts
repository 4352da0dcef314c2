/** A clock that stands still until the test moves it. */
export type TestClock = {
  /** The current time in milliseconds since 1970; tests may set it. */
  at: number;
  now(): Date;
};

/** Creates a clock that shows `start`, an ISO 8601 time. */
export function createTestClock(start = "2026-03-01T12:00:00Z"): TestClock {
  const clock = { at: Date.parse(start), now: () => new Date(clock.at) };
  return clock;
}
