import { createTestClock } from "@feather/testing/clock";
import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { createPullEstimate } from "./pull-estimate.ts";
import type { PullRow } from "./rows/pull-rows.ts";
import { buildPull, STORED_AT } from "./testing/rows.ts";

const MEGABYTE = 1e6;
const UNKNOWN = { bytesPerSecond: null, secondsLeft: null };

/** Creates an estimate, and a function that measures a download of 1,000 MB at a second after the start. */
function createEstimate() {
  const clock = createTestClock(STORED_AT.toISOString());
  const estimate = createPullEstimate(clock);
  const at = (seconds: number) => {
    clock.at = STORED_AT.getTime() + seconds * 1_000;
  };
  const pullWith = (megabytes: number, fields: Partial<PullRow> = {}) =>
    buildPull({ state: "downloading", bytes_done: megabytes * MEGABYTE, bytes_total: 1_000 * MEGABYTE, ...fields });
  return {
    measure(seconds: number, megabytes: number, fields: Partial<PullRow> = {}) {
      at(seconds);
      return estimate.measure(pullWith(megabytes, fields));
    },
    toLoading(seconds: number, megabytes: number, fields: Partial<PullRow> = {}) {
      at(seconds);
      const { readyAt, ...loading } = estimate.toLoading(pullWith(megabytes, fields));
      return { ...loading, secondsLeft: readyAt && (readyAt.getTime() - clock.at) / 1_000 };
    },
  };
}

describe("the speed of a download", () => {
  test("the speed of a download is unknown until two seconds have passed", () => {
    const { measure } = createEstimate();
    expect(measure(0, 0)).toEqual(UNKNOWN);
    expect(measure(1.9, 20)).toEqual(UNKNOWN);
    expect(measure(2, 20)).toEqual({ bytesPerSecond: 10 * MEGABYTE, secondsLeft: 98 });
  });

  test("the speed follows a connection that gets slower", () => {
    const { measure } = createEstimate();
    for (let second = 0; second <= 20; second++) measure(second, second * 10);
    expect(measure(20, 200)).toMatchObject({ bytesPerSecond: 10 * MEGABYTE });
    let last = measure(20, 200);
    for (let second = 21; second <= 40; second++) last = measure(second, 200 + (second - 20));
    expect(last).toEqual({ bytesPerSecond: MEGABYTE, secondsLeft: 780 });
  });

  test("a download through which no data arrives has no speed", () => {
    const { measure } = createEstimate();
    for (let second = 0; second <= 16; second++) measure(second, 50);
    expect(measure(17, 50)).toEqual(UNKNOWN);
  });

  test("a download that begins anew is measured from its new beginning", () => {
    const { measure } = createEstimate();
    measure(0, 0);
    measure(5, 500);
    expect(measure(6, 0)).toEqual(UNKNOWN);
    expect(measure(8, 2)).toMatchObject({ bytesPerSecond: MEGABYTE });
  });

  test("the time in which a download was paused does not count", () => {
    const { measure } = createEstimate();
    measure(0, 0);
    measure(4, 40);
    expect(measure(5, 40, { state: "paused" })).toEqual(UNKNOWN);
    expect(measure(3_600, 40)).toEqual(UNKNOWN);
    expect(measure(3_602, 60)).toMatchObject({ bytesPerSecond: 10 * MEGABYTE });
  });

  test.each(["queued", "verifying", "converting", "done", "failed"])("a download that is %s has no speed", (state) => {
    const { measure } = createEstimate();
    measure(0, 0, { state });
    expect(measure(10, 100, { state })).toEqual(UNKNOWN);
  });

  test("downloads are measured independently", () => {
    const { measure } = createEstimate();
    measure(0, 0, { id: "a" });
    measure(2, 0, { id: "b" });
    expect(measure(4, 40, { id: "a" })).toMatchObject({ bytesPerSecond: 10 * MEGABYTE });
    expect(measure(4, 2, { id: "b" })).toMatchObject({ bytesPerSecond: MEGABYTE });
  });

  test("a clock that is set back does not make the speed negative", () => {
    const { measure } = createEstimate();
    measure(100, 0);
    measure(104, 40);
    expect(measure(50, 50)).toEqual(UNKNOWN);
    expect(measure(106, 60)).toMatchObject({ bytesPerSecond: 10 * MEGABYTE });
  });

  test("frequent measurements do not change the speed", () => {
    const { measure } = createEstimate();
    for (let step = 0; step < 10_000; step++) measure(step / 1_000, step / 100);
    expect(measure(10, 100)).toMatchObject({ bytesPerSecond: 10 * MEGABYTE, secondsLeft: 90 });
  });

  test("no sequence of measurements gives a speed or a time that is zero, negative or not finite", () => {
    const steps = fc.array(fc.record({ seconds: fc.nat(30), megabytes: fc.nat(1_200) }), { maxLength: 20 });
    fc.assert(
      fc.property(steps, (measurements) => {
        const { measure } = createEstimate();
        for (const { seconds, megabytes } of measurements) {
          const { bytesPerSecond, secondsLeft } = measure(seconds, megabytes);
          if (bytesPerSecond === null) expect(secondsLeft).toBeNull();
          else {
            expect(bytesPerSecond).toBeGreaterThan(0);
            expect(Number.isFinite(bytesPerSecond)).toBe(true);
            expect(secondsLeft).toBeGreaterThanOrEqual(0);
          }
        }
      }),
    );
  });
});

describe("the progress of a model that is being downloaded", () => {
  test("the time until a model is ready is that of the download and of reading the file twice", () => {
    const { measure, toLoading } = createEstimate();
    measure(0, 0);
    expect(toLoading(10, 200)).toEqual({ tier: "loading", stage: "downloading", progress: 0.2, secondsLeft: 45 });
  });

  test("a download without a measured speed is expected to be an ordinary one", () => {
    const { toLoading } = createEstimate();
    expect(toLoading(0, 0, { state: "queued" })).toMatchObject({ stage: "queued", progress: 0, secondsLeft: 105 });
  });

  test("a download whose size is not known yet has no progress", () => {
    const { toLoading } = createEstimate();
    expect(toLoading(0, 0, { bytes_total: 0 })).toMatchObject({ progress: 0, secondsLeft: 0 });
  });

  test("a download with more bytes than were announced is never ready in the past", () => {
    const { toLoading } = createEstimate();
    const { progress, secondsLeft } = toLoading(0, 5_000);
    expect(progress).toBe(1);
    expect(secondsLeft).toBeGreaterThanOrEqual(0);
  });

  test("a conversion reports its own progress, and nobody can say when it ends", () => {
    const { toLoading } = createEstimate();
    const fields = { state: "converting", conversion_progress: 0.25 };
    expect(toLoading(0, 1_000, fields)).toEqual({
      tier: "loading",
      stage: "converting",
      progress: 0.25,
      secondsLeft: null,
    });
  });
});
